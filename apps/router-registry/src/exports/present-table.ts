import type { RouteView } from '@davit/contracts';
import type { ReplicaState, RouteState } from '@davit/domain';
import type { Clock } from '@davit/ports';
import type { ChangedDocument, ProjectionRunner, ReadModel } from '@davit/projection';
import { snapshotOf } from '../routes/views.js';
import { Settling } from './settling.js';
import {
  type AliasRoutes,
  type RouteEndpoint,
  type RouteTable,
  aliasRoutes,
  readReplicas,
  readViews,
  tableFrom,
} from './table.js';

/** Load is a hint, told anew by every engine every few seconds: it alone changes the table no more often than this. */
const HINTS_MS = 10_000;
/**
 * The route table as this instance's read model has it, kept in memory: only an alias that changed is read again, and while none
 * does the table is one and the same object, so that what was rendered of it can be sent again. What is asked for after a change
 * was folded in shows that change.
 */
export class PresentTable {
  private readonly views = new Map<string, RouteView>();
  private readonly routes = new Map<string, AliasRoutes>();
  private loads = new Map<string, RouteEndpoint['load']>();
  private table: RouteTable = tableFrom([]);
  /** Aliases that changed since they were read; `all` before the first reading, and after changes that were not told one by one. */
  private stale = new Set<string>();
  private all = true;
  private readonly settling: Settling;
  /** Loads that came since the table was made. */
  private news = new Map<string, RouteEndpoint['load']>();
  private hintsAtMs = 0;
  private refreshing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly model: Pick<ReadModel, 'get' | 'list'>,
    projection: Pick<ProjectionRunner, 'observe'>,
    private readonly clock: Clock,
  ) {
    this.settling = new Settling(clock);
    projection.observe({
      onChanged: (changes) => changes.forEach((change) => this.note(change)),
      onLive: () => void (this.all = true),
    });
  }

  /**
   * Faults of the database pass through; the next question reads what this one could not.
   * @throws RoutesUnsettledError right after a start, while what happened before it is still being decided on
   */
  async read(): Promise<RouteTable> {
    // One after the other, so that an older reading never takes the place of a newer one.
    const reading = this.refreshing.then(() => this.refresh());
    this.refreshing = reading.catch(() => undefined);
    await reading;
    return this.table;
  }

  private note({ kind, key, document }: ChangedDocument): void {
    if (kind === 'route') this.stale.add(key);
    if (this.settling.isTouchedBy(kind, key)) this.all = true;
    if (kind !== 'replica') return;
    // The lifecycle fold keeps documents of one shape under this kind.
    const replica = document as ReplicaState | undefined;
    this.news.set(key, replica?.load ?? null);
  }

  private async refresh(): Promise<void> {
    if (this.all) return this.readAll();
    const aliases = [...this.stale];
    this.stale = new Set();
    try {
      for (const alias of aliases) this.take(alias, await this.model.get<RouteState>('route', alias));
    } catch (error) {
      for (const alias of aliases) this.stale.add(alias);
      throw error;
    }
    const renewed = this.renewHints();
    if (aliases.length > 0 || renewed) this.table = tableFrom(this.routes.values());
  }

  private async readAll(): Promise<void> {
    // What changes from here on is told again; what was told before is in what is read now.
    this.all = false;
    this.stale = new Set();
    this.news = new Map();
    try {
      const [views, replicas] = await Promise.all([readViews(this.model), readReplicas(this.model)]);
      this.settling.judge(views, replicas);
      this.loads = new Map([...replicas].map(([id, { load }]) => [id, load]));
      this.views.clear();
      this.routes.clear();
      for (const view of views) this.put(view);
      this.hintsAtMs = this.clock.nowMs();
      this.table = tableFrom(this.routes.values());
    } catch (error) {
      this.all = true;
      throw error;
    }
  }

  private take(alias: string, stored: Awaited<ReturnType<typeof this.model.get<RouteState>>>): void {
    if (stored && stored.document.snapshot > 0) this.put(snapshotOf(stored));
    else {
      this.views.delete(alias);
      this.routes.delete(alias);
    }
  }

  private put(view: RouteView): void {
    this.views.set(view.alias, view);
    this.routes.set(
      view.alias,
      aliasRoutes(this.settling.shown(view), (replica) => this.loads.get(replica) ?? null),
    );
  }

  /** True when an alias shows another load than before. */
  private renewHints(): boolean {
    const nowMs = this.clock.nowMs();
    if (this.news.size === 0 || nowMs - this.hintsAtMs < HINTS_MS) return false;
    this.hintsAtMs = nowMs;
    const { news } = this;
    this.news = new Map();
    const changed = new Set<string>();
    for (const [replica, load] of news) {
      if (!isSame(load, this.loads.get(replica) ?? null)) changed.add(replica);
      if (load === null) this.loads.delete(replica);
      else this.loads.set(replica, load);
    }
    if (changed.size === 0) return false;
    for (const view of this.views.values()) {
      if ([...view.targets, ...view.draining].some(({ replica }) => changed.has(replica))) this.put(view);
    }
    return true;
  }
}

const isSame = (a: RouteEndpoint['load'], b: RouteEndpoint['load']): boolean =>
  a?.running === b?.running && a?.waiting === b?.waiting;
