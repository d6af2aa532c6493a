import type { RouteView } from '@davit/contracts';
import type { Clock } from '@davit/ports';
import type { DocumentRef, ReadModel } from '@davit/projection';
import { Settling } from './settling.js';
import { readReplicas, readViews } from './table.js';

type Model = Pick<ReadModel, 'list'>;

/**
 * Routes as files and the bucket show them, by the rule that the exports over HTTP follow. It is judged once after a start; from then on
 * decisions come as they are made, and only what is hidden is judged anew when it changes.
 */
export class ShownRoutes {
  private readonly settling: Settling;
  private judged: Promise<void> | undefined;

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.settling = new Settling(clock);
  }

  /** Takes note of each document that changed. */
  note({ kind, key }: DocumentRef): void {
    if (this.settling.isTouchedBy(kind, key)) this.judged = undefined;
  }

  /**
   * A snapshot as readers see it: the same object where nothing of it is hidden.
   * @throws RoutesUnsettledError right after a start, while what happened before it is still being decided on
   */
  async shown(model: Model, view: RouteView): Promise<RouteView> {
    await this.judge(model);
    return this.settling.shown(view);
  }

  /**
   * Every alias whose name was published, as readers see it, and whether anything is hidden.
   * @throws RoutesUnsettledError as {@link shown}
   */
  async all(model: Model): Promise<{ readonly views: readonly RouteView[]; readonly hides: boolean }> {
    await this.judge(model);
    const published = await readViews(model);
    const views = published.map((view) => this.settling.shown(view));
    return { views, hides: views.some((view, index) => view !== published[index]) };
  }

  private judge(model: Model): Promise<void> {
    const judged = (this.judged ??= this.read(model));
    return judged.catch((error: unknown) => {
      if (this.judged === judged) this.judged = undefined;
      throw error;
    });
  }

  private async read(model: Model): Promise<void> {
    const [views, replicas] = await Promise.all([readViews(model), readReplicas(model)]);
    this.settling.judge(views, replicas);
  }
}
