import type { RouteView } from '@davit/contracts';
import type { Clock } from '@davit/ports';
import type { Document, DocumentRef, ReadModel } from '@davit/projection';
import { type Noted, Settling } from './settling.js';
import { readReplicas, readViews } from './table.js';

type Model = Pick<ReadModel, 'list' | 'position'>;

/**
 * Routes as files and the bucket show them, by the rule that the exports over HTTP follow. All are judged once after a start; from then
 * on only when something that is withheld changed, or a withdrawal did not come in time.
 */
export class ShownRoutes {
  private readonly settling: Settling;
  private judged: Promise<void> | undefined;
  private isReading = false;

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.settling = new Settling(clock);
  }

  /** How long until a withdrawal that is awaited is late; undefined while none is. */
  get dueInMs(): number | undefined {
    return this.settling.dueInMs;
  }

  /** True while targets are withheld. */
  get withholds(): boolean {
    return this.settling.withholds;
  }

  /** Takes note of each document that changed. */
  note(ref: DocumentRef, document: Document | undefined): Noted {
    const noted = this.settling.note(ref, document);
    if (noted === 'changed') this.judged = undefined;
    return noted;
  }

  /**
   * A snapshot as readers see it: the same object where nothing of it is withheld.
   * @throws RoutesUnsettledError right after a start, while what happened before it is still being decided on
   */
  async shown(model: Model, view: RouteView): Promise<RouteView> {
    await this.judge(model);
    return this.settling.shown(view);
  }

  /**
   * Every alias whose name was published, as readers see it.
   * @throws RoutesUnsettledError as {@link shown}
   */
  async all(model: Model): Promise<readonly RouteView[]> {
    await this.judge(model);
    return (await readViews(model)).map((view) => this.settling.shown(view));
  }

  /**
   * Those of which targets are withheld; nothing is read while none are.
   * @throws RoutesUnsettledError as {@link shown}
   */
  async withheld(model: Model): Promise<readonly RouteView[]> {
    await this.judge(model);
    return this.settling.withholds ? (await this.all(model)).filter(({ withheld }) => withheld !== undefined) : [];
  }

  private judge(model: Model): Promise<void> {
    if (this.dueInMs === 0 && !this.isReading) this.judged = undefined;
    const judged = (this.judged ??= this.read(model));
    return judged.catch((error: unknown) => {
      if (this.judged === judged) this.judged = undefined;
      throw error;
    });
  }

  private async read(model: Model): Promise<void> {
    this.isReading = true;
    try {
      const position = await model.position();
      const [views, replicas] = await Promise.all([readViews(model), readReplicas(model)]);
      this.settling.judge(views, replicas, position);
    } finally {
      this.isReading = false;
    }
  }
}
