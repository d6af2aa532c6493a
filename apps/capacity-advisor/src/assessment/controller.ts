import type { DeploymentState, ReplicaState } from '@davit/domain';
import type { Document, DocumentRef } from '@davit/projection';
import type { Controller, ReconcileContext, ReconcileResult } from '@davit/reconcile';
import { type FailureMemory, assessmentWrites } from './assessment-events.js';
import type { Assessor } from './assessor.js';
import type { QuoteNews } from '../prices/quote-news.js';
import { historyIn } from './confidence.js';
import { type WaitingRung, mayNeedAdvice, waitingRungs } from './waiting-rungs.js';

/** Gives every replica that is about to be rented a signal for each rung of its ladder. */
export class AssessmentController implements Controller {
  readonly name = 'assessments';
  private readonly failures: FailureMemory = new Map();

  constructor(
    private readonly assessor: Assessor,
    private readonly quotes: QuoteNews,
    readonly concurrency: number,
  ) {}

  keysOf({ kind, key }: DocumentRef, document: Document | undefined): readonly string[] {
    if (kind !== 'replica' || document === undefined) return [];
    return mayNeedAdvice(document as ReplicaState) ? [key] : []; // the lifecycle fold keeps replicas under this kind
  }

  async reconcile(context: ReconcileContext): Promise<ReconcileResult> {
    const { waiting } = await present(context);
    if (waiting.length === 0) return {};
    const history = historyIn(context.model);
    const advice = await this.assessor.assess(waiting, { history });

    const after = await present(context);
    const stillWaits = waiting.flatMap((rung, index) => {
      const answer = advice[index];
      return answer && after.waiting.some((other) => other.rung === rung.rung) ? [{ ...rung, advice: answer }] : [];
    });
    const assessed = await Promise.all(
      stillWaits.map(async (rung) => ({
        ...rung,
        news: await this.quotes.of(rung.placement, rung.advice.prices ?? [], history, context.nowMs()),
      })),
    );
    if (!after.replica || assessed.length === 0) return {};
    const [first, ...rest] = assessmentWrites(after.replica, assessed, this.failures);
    if (!first) return {};
    const { tenant, correlationId, id } = after.replica;
    const result = await context.append(
      [first, ...rest],
      correlationId === null ? { tenant } : { tenant, correlationId },
    );
    if (result.outcome !== 'appended') for (const { placement } of assessed) this.quotes.forget(placement);
    context.logger.info(
      {
        replicaId: id,
        outcome: result.outcome,
        states: assessed.map(({ rung, advice: { signal } }) => [rung, signal.state]),
      },
      'placements assessed',
    );
    return {};
  }
}

type Present = { readonly replica: ReplicaState | undefined; readonly waiting: readonly WaitingRung[] };

async function present({ key, model }: ReconcileContext): Promise<Present> {
  const replica = (await model.get<ReplicaState>('replica', key))?.document;
  if (!replica) return { replica, waiting: [] };
  const deployment = (await model.get<DeploymentState>('deployment', replica.deployment))?.document;
  return { replica, waiting: waitingRungs(replica, deployment) };
}
