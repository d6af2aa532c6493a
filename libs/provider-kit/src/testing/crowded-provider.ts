import type { HourlyPrice } from '@davit/contracts';
import type { Random } from '@davit/ports';
import type {
  DeleteResult,
  DiscoverResult,
  EnsureResult,
  InventoryResult,
  InventoryRow,
  LaunchOrder,
  ObserveHints,
  ObserveResult,
  ProviderBackend,
  ProviderIdentity,
} from '../backend.js';

const UNKNOWN = { outcome: 'unknown', detail: 'no answer' } as const;

export interface Thing {
  readonly name: string;
  readonly id: string;
  /** Shown from this instant on. */
  readonly seenFromMs: number;
  readonly price: HourlyPrice | null;
}

/** How often things go wrong, as shares of calls. */
export interface CrowdTrouble {
  readonly unreadable: number;
  readonly lostReply: number;
  /** A deletion that is accepted and does nothing. */
  readonly lies: number;
}
export const NO_CROWD_TROUBLE: CrowdTrouble = { unreadable: 0, lostReply: 0, lies: 0 };

/** A provider whose names are not unique, with an account of its own of what exists and of what was ended as an orphan. */
export class CrowdedProvider implements ProviderBackend {
  readonly adapter = 'skypilot';
  readonly category = 'resource' as const;
  readonly capabilities = { advice: false, spot: false, stop: false, regions: false, labels: false };
  readonly things = new Map<string, Thing>();
  readonly reaped: Thing[] = [];
  inventories = 0;
  trouble = NO_CROWD_TROUBLE;
  /** Runs inside a reap, before it takes effect. */
  beforeReap: (row: InventoryRow) => Promise<void> | void = () => undefined;
  private created = 0;

  constructor(
    private readonly nowMs: () => number,
    private readonly random: Random,
    private readonly hiddenMs = 0,
  ) {}

  /** Somebody creates a thing, whoever that is. */
  create(name: string, price: HourlyPrice | null = null): string {
    this.created += 1;
    const id = `id-${this.created}`;
    this.things.set(id, { name, id, seenFromMs: this.nowMs() + this.random.next() * this.hiddenMs, price });
    return id;
  }

  named(name: string): Thing[] {
    return [...this.things.values()].filter((thing) => thing.name === name);
  }

  identify(externalKey: string): ProviderIdentity {
    return { externalKey, name: externalKey };
  }

  discover(key: string): Promise<DiscoverResult> {
    if (this.happens('unreadable')) return Promise.resolve(UNKNOWN);
    return Promise.resolve({ outcome: this.seen(key).length > 0 ? 'present' : 'absent', handle: null, detail: '' });
  }

  async ensure(order: LaunchOrder): Promise<EnsureResult> {
    if (this.happens('unreadable') || !(await order.holdsLease())) return UNKNOWN;
    if (this.seen(order.externalKey).length === 0) this.create(order.externalKey);
    return this.happens('lostReply') ? UNKNOWN : { outcome: 'accepted', handle: null };
  }

  observe(key: string, hints: ObserveHints): Promise<ObserveResult> {
    if (this.happens('unreadable')) return Promise.resolve(UNKNOWN);
    const all = this.seen(key);
    const thing = all.find(({ id }) => id === hints.providerId) ?? all[0];
    if (!thing) return Promise.resolve({ outcome: 'absent' });
    const { id: providerId } = thing;
    const url = `http://10.0.0.1:8000/${providerId}`;
    const duplicates = all.filter((other) => other !== thing).map(rowOf);
    const seen = { phase: 'up', url, providerId, price: null, class: null, detail: '', duplicates } as const;
    return Promise.resolve({ outcome: 'present', ...seen });
  }

  delete(key: string): Promise<DeleteResult> {
    if (this.happens('unreadable')) return Promise.resolve(UNKNOWN);
    if (!this.happens('lies')) for (const { id } of this.named(key)) this.things.delete(id);
    return Promise.resolve(this.happens('lostReply') ? UNKNOWN : { outcome: 'accepted', detail: '' });
  }

  inventory(prefix: string): Promise<InventoryResult> {
    this.inventories += 1;
    if (this.happens('unreadable')) return Promise.resolve(UNKNOWN);
    const rows = [...this.things.values()].filter((thing) => thing.name.startsWith(prefix) && this.isSeen(thing));
    return Promise.resolve({ outcome: 'listed', rows: rows.map(rowOf), sources: ['crowd'] });
  }

  async reap(row: InventoryRow): Promise<DeleteResult> {
    await this.beforeReap(row);
    if (this.happens('unreadable')) return UNKNOWN;
    const thing = this.things.get(row.providerId ?? '');
    if (thing && !this.happens('lies')) {
      this.reaped.push(thing);
      this.things.delete(thing.id);
    }
    return this.happens('lostReply') ? UNKNOWN : { outcome: 'accepted', detail: 'ended' };
  }

  private seen(name: string): Thing[] {
    return this.named(name).filter((thing) => this.isSeen(thing));
  }

  private isSeen({ seenFromMs }: Thing): boolean {
    return this.nowMs() >= seenFromMs;
  }

  private happens(what: keyof CrowdTrouble): boolean {
    return this.random.next() < this.trouble[what];
  }
}

const rowOf = ({ name, id, price }: Thing): InventoryRow => ({
  externalKey: name,
  phase: 'up',
  providerId: id,
  source: 'crowd',
  price,
  detail: '',
});
