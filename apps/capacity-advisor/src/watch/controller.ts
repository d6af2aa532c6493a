import type { DeploymentState } from '@davit/domain';
import type { DocumentRef } from '@davit/projection';
import type { Controller, ReconcileContext, ReconcileResult } from '@davit/reconcile';
import { capacityWrites } from '../assessment/assessment-events.js';
import type { Assessor } from '../assessment/assessor.js';
import { historyIn } from '../assessment/confidence.js';
import { type Sample, sampleEvents } from './sample-events.js';
import { type Planned, SPACING_MS, roundsMs, turnOf } from './turns.js';
import { dueAtMs, leastPauseMs, watchedOffers } from './watched.js';

const KEY = 'offers';

/** Samples are of no tenant and serve no intent. */
const ABOUT = { tenant: 'default' };

/**
 * Takes samples of stock and price of every offer that some deployment allows, so that history can be read and replayed. Its
 * one key has one lease, so that one instance of all takes them. It works by the clock alone: no event hurries it, so what a
 * new deployment allows is sampled at the next walk, after its replicas had their answers.
 */
export class WatchController implements Controller {
  readonly name = 'capacity-watch';
  readonly standingKeys = [KEY];
  readonly concurrency = 1;
  /** Until then nothing is due, unless deployments change. */
  private restUntilMs = Number.NEGATIVE_INFINITY;
  private changes = 0;

  constructor(
    private readonly assessor: Assessor,
    /** Pause between two samples of one offer. */
    private readonly everyMs: number,
  ) {}

  keysOf({ kind }: DocumentRef): readonly string[] {
    if (kind === 'deployment') {
      this.changes += 1;
      this.restUntilMs = Number.NEGATIVE_INFINITY;
    }
    return [];
  }

  async reconcile(context: ReconcileContext): Promise<ReconcileResult> {
    const restMs = this.restUntilMs - context.nowMs();
    if (restMs > 0) return Number.isFinite(restMs) ? { requeueAfterMs: restMs } : {};
    const { changes } = this;
    const planned = await this.plan(context);
    const sampled = await this.sample(planned, context);
    const nextMs = this.nextMs(planned, sampled, context.nowMs());
    if (changes === this.changes) this.restUntilMs = nextMs;
    return Number.isFinite(nextMs) ? { requeueAfterMs: nextMs - context.nowMs() } : {};
  }

  /** What is watched, the longest overdue first. */
  private async plan({ model }: ReconcileContext): Promise<readonly Planned[]> {
    const deployments = await model.list<DeploymentState>('deployment');
    const history = historyIn(model);
    const planned = await Promise.all(
      watchedOffers(deployments.map(({ document }) => document)).map(async (watched): Promise<Planned> => {
        const offer = await history(watched.placement);
        const dueMs = dueAtMs(watched.key, offer, this.everyMs);
        return { watched, offer, dueMs, exchange: this.assessor.exchangeOf(watched) };
      }),
    );
    // Two that never were sampled are equally due, and infinities have no difference.
    return planned.toSorted((a, b) => (a.dueMs < b.dueMs ? -1 : a.dueMs > b.dueMs ? 1 : 0));
  }

  /** Keys of the offers that were sampled. */
  private async sample(planned: readonly Planned[], context: ReconcileContext): Promise<ReadonlySet<string>> {
    const turn = turnOf(planned, this.everyMs, context.nowMs());
    const advice = await this.assessor.assess(
      turn.map(({ watched }) => watched),
      { history: historyIn(context.model) },
    );
    const samples = turn.flatMap(({ watched, offer }, index): Sample[] => {
      const answer = advice[index];
      // Nothing was asked, to keep a limit: this is no observation, and its turn comes again.
      if (!answer || answer.failure === 'rate-limited') return [];
      return [{ watched, offer, signal: answer.signal, prices: answer.prices ?? [] }];
    });
    const rounds = roundsMs(planned, this.everyMs);
    const [first, ...rest] = capacityWrites(
      samples.map((sample) => {
        const { placement } = sample.watched;
        const heldMs = rounds.get(placement.cloud) ?? this.everyMs;
        return { placement, events: sampleEvents(sample, heldMs, context.nowMs()) };
      }),
    );
    if (!first) return new Set();
    const { outcome } = await context.append([first, ...rest], ABOUT);
    const states = samples.map(({ watched, signal }) => [watched.key, signal.state]);
    context.logger.debug({ outcome, states }, 'offers sampled');
    return new Set(samples.map(({ watched }) => watched.key));
  }

  /** When the next turn is: as soon as spacing allows where something waits for its turn, else when the next is due. */
  private nextMs(planned: readonly Planned[], sampled: ReadonlySet<string>, nowMs: number): number {
    const due = planned.map(({ watched, dueMs }) =>
      sampled.has(watched.key) ? nowMs + leastPauseMs(this.everyMs) : dueMs,
    );
    return Math.max(nowMs + Math.min(SPACING_MS, this.everyMs / 2), Math.min(...due));
  }
}
