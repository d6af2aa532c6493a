import type { RecordedEvent } from '@davit/contracts';
import type { Decision } from '@davit/domain';
import type { AppendOptions, ReconcileContext, ReconcileResult } from '@davit/reconcile';

/** Whose decision it is, and what it rests on beside the streams that it writes. */
export type About = Pick<AppendOptions, 'tenant' | 'requires'> & { readonly correlationId: string | null };

/** Appends what was decided, as one append, and says when to look again. A conflict is looked at again by the loop. */
export async function carryOut(
  context: ReconcileContext,
  decision: Decision,
  { tenant, correlationId, requires = [] }: About,
  onAppended: (events: readonly RecordedEvent[]) => void = () => undefined,
): Promise<ReconcileResult> {
  const [first, ...rest] = decision.writes;
  if (first) {
    const result = await context.append([first, ...rest], {
      tenant,
      requires,
      ...(correlationId === null ? {} : { correlationId }),
    });
    if (result.outcome === 'appended') onAppended(result.events);
    const types = decision.writes.flatMap(({ events }) => events.map(({ type }) => type));
    context.logger.info({ key: context.key, outcome: result.outcome, events: types, correlationId }, 'decided');
  }
  return decision.wakeAtMs === null ? {} : { requeueAfterMs: Math.max(0, decision.wakeAtMs - context.nowMs()) };
}
