import type { ReplicaState } from '@davit/domain';
import type { Clock } from '@davit/ports';
import type { LoadOf, RouteEndpoint } from './table.js';

type Load = RouteEndpoint['load'];

/** Load is a hint, told anew by every engine every few seconds: it alone changes the table no more often than this. */
const HINTS_MS = 10_000;

/** The latest load of each replica as the table shows it. */
export class LoadHints {
  private shown = new Map<string, Load>();
  /** What came since. */
  private news = new Map<string, Load>();
  private renewedAtMs = 0;

  constructor(private readonly clock: Pick<Clock, 'nowMs'>) {}

  readonly of: LoadOf = (replica) => this.shown.get(replica) ?? null;

  /** Undefined for a replica that is gone. */
  note(id: string, replica: ReplicaState | undefined): void {
    this.news.set(id, replica?.load ?? null);
  }

  /** What is noted before all replicas are read is in what is read. */
  forgetNews(): void {
    this.news = new Map();
  }

  take(replicas: ReadonlyMap<string, ReplicaState>): void {
    this.shown = new Map([...replicas].map(([id, { load }]) => [id, load]));
    this.renewedAtMs = this.clock.nowMs();
  }

  /** Takes the news over where it is time; returns the replicas that show another load than before. */
  renew(): ReadonlySet<string> {
    const nowMs = this.clock.nowMs();
    const changed = new Set<string>();
    if (this.news.size === 0 || nowMs - this.renewedAtMs < HINTS_MS) return changed;
    this.renewedAtMs = nowMs;
    for (const [replica, load] of this.news) {
      if (!isSame(load, this.of(replica))) changed.add(replica);
      if (load === null) this.shown.delete(replica);
      else this.shown.set(replica, load);
    }
    this.forgetNews();
    return changed;
  }
}

const isSame = (a: Load, b: Load): boolean => a?.running === b?.running && a?.waiting === b?.waiting;
