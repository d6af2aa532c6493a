import type { RouteView } from '@davit/contracts';
import type { ReplicaState, RouteState } from '@davit/domain';
import type { Clock } from '@davit/ports';
import type { ChangedDocument, ProjectionRunner, ReadModel } from '@davit/projection';
import { snapshotOf } from '../routes/views.js';
import { LoadHints } from './load-hints.js';
import { Settling } from './settling.js';
import { type AliasRoutes, type RouteTable, aliasRoutes, readReplicas, readViews, tableFrom } from './table.js';

/**
 * The route table as this instance's read model has it, kept in memory: only an alias that changed is read again, and while none
 * does the table is one and the same object, so that what was rendered of it can be sent again. What is asked for after a change
 * was folded in shows that change.
 */
export class PresentTable {
  private readonly views = new Map<string, RouteView>();
  private readonly routes = new Map<string, AliasRoutes>();
  private table: RouteTable = tableFrom([]);
  /** Aliases that changed since they were read; `all` before the first reading, and after changes that were not told one by one. */
  private stale = new Set<string>();
  private all = true;
  private readonly settling: Settling;
  private readonly hints: LoadHints;
  private refreshing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly model: Pick<ReadModel, 'get' | 'list' | 'position'>,
    projection: Pick<ProjectionRunner, 'observe'>,
    clock: Pick<Clock, 'nowMs'>,
  ) {
    this.settling = new Settling(clock);
    this.hints = new LoadHints(clock);
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

  /** Snapshots of every alias as readers see them, sorted by alias. Throws as {@link read} does. */
  async snapshots(): Promise<readonly RouteView[]> {
    const { aliases } = await this.read();
    return aliases.flatMap(({ alias }) => this.shown(alias) ?? []);
  }

  /** That of one alias; undefined where none was ever published. Throws as {@link read} does. */
  async snapshot(alias: string): Promise<RouteView | undefined> {
    await this.read();
    return this.shown(alias);
  }

  private shown(alias: string): RouteView | undefined {
    const view = this.views.get(alias);
    return view && this.settling.shown(view);
  }

  private note(change: ChangedDocument): void {
    const { kind, key, document } = change;
    if (kind === 'route') this.stale.add(key);
    if (this.settling.note(change, document) === 'changed') this.all = true;
    // The lifecycle fold keeps documents of one shape under this kind.
    if (kind === 'replica') this.hints.note(key, document as ReplicaState | undefined);
  }

  private async refresh(): Promise<void> {
    if (this.all || this.settling.dueInMs === 0) return this.readAll();
    const aliases = [...this.stale];
    this.stale = new Set();
    try {
      for (const alias of aliases) this.take(alias, await this.model.get<RouteState>('route', alias));
    } catch (error) {
      for (const alias of aliases) this.stale.add(alias);
      throw error;
    }
    const renewed = this.renewHints();
    if (aliases.length > 0 || renewed) this.makeTable();
  }

  private async readAll(): Promise<void> {
    // What changes from here on is told again; what was told before is in what is read now.
    this.all = false;
    this.stale = new Set();
    this.hints.forgetNews();
    try {
      const position = await this.model.position();
      const [views, replicas] = await Promise.all([readViews(this.model), readReplicas(this.model)]);
      this.settling.judge(views, replicas, position);
      this.hints.take(replicas);
      this.views.clear();
      this.routes.clear();
      for (const view of views) this.put(view);
      this.makeTable();
    } catch (error) {
      this.all = true;
      throw error;
    }
  }

  private makeTable(): void {
    this.table = tableFrom(this.routes.values(), this.settling.changedAt);
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
    this.routes.set(view.alias, aliasRoutes(this.settling.shown(view), this.hints.of));
  }

  /** True when an alias shows another load than before. */
  private renewHints(): boolean {
    const changed = this.hints.renew();
    if (changed.size === 0) return false;
    for (const view of this.views.values()) {
      if ([...view.targets, ...view.draining].some(({ replica }) => changed.has(replica))) this.put(view);
    }
    return true;
  }
}
