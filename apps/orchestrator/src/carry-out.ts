import type { RecordedEvent } from '@davit/contracts';
import type { Decision } from '@davit/domain';
import type { ReconcileContext, ReconcileResult } from '@davit/reconcile';

/** Appends what was decided, as one append, and says when to look again. A conflict is looked at again by the loop. */
export async function carryOut(
  context: ReconcileContext,
  decision: Decision,
  about: { readonly tenant: string; readonly correlationId: string | null },
  onAppended: (event: RecordedEvent) => void = () => undefined,
): Promise<ReconcileResult> {
  const [first, ...rest] = decision.writes;
  if (first) {
    const { tenant, correlationId } = about;
    const result = await context.append([first, ...rest], {
      tenant,
      ...(correlationId === null ? {} : { correlationId }),
    });
    if (result.outcome === 'appended') for (const event of result.events) onAppended(event);
    const types = decision.writes.flatMap(({ events }) => events.map(({ type }) => type));
    context.logger.info({ key: context.key, outcome: result.outcome, events: types, correlationId }, 'decided');
  }
  return decision.wakeAtMs === null ? {} : { requeueAfterMs: Math.max(0, decision.wakeAtMs - context.nowMs()) };
}
