import type { RolloutMoney } from '@davit/contracts';
import { multiplyAmount } from '@davit/domain';
import type { ReconcileResult } from '@davit/reconcile';
import { productionTarget } from '../production/target.js';
import { amountFor, dearest, isNotSeen, workersOf } from '../production/workers.js';
import type { Turn } from '../turn.js';

/** Names exactly what will be changed and what it may cost at most; the digest of all that is what an operator approves. */
export async function requestApproval(turn: Turn, required: boolean, deadlineAt: string): Promise<ReconcileResult> {
  const { state, parts, plan } = turn;
  const { template, bounds } = state;
  const target = await productionTarget(turn);
  if (isNotSeen(target)) return turn.notKnown('approval', target);
  if (!template || !bounds) return turn.notKnown('approval', 'what would change is not known');
  const workers = await workersOf(turn, target.endpointId);
  if (isNotSeen(workers)) return turn.notKnown('approval', workers);
  const change = {
    ...{ rolloutId: state.id, workergroupId: plan.workergroupId, from: plan.rollback, to: template, bounds },
    ...{ worstCaseSpend: worstCase(turn, dearest(workers)?.amount ?? null, bounds.maxWorkers), deadlineAt },
  };
  const digests = [state.proof?.evidenceDigest, state.baseline].flatMap((digest) => digest ?? []);
  const kept = await parts.evidence.put('change', { version: 1, ...change, evidence: digests });
  return turn.write({
    type: 'davit.rollout.approval-requested',
    data: { ...change, required, evidenceDigest: kept.digest },
  });
}

/** Every worker that the bounds allow, at the price of the dearest, from the word to the last deadline: forth, judged, and back. */
function worstCase(turn: Turn, hourly: string | null, most: number): RolloutMoney | null {
  if (hourly === null) return null;
  const { convergeDeadlineMs, deadlineMs } = turn.plan.policy.acceptance;
  const lastsMs = 2 * convergeDeadlineMs + deadlineMs;
  return { amount: amountFor(multiplyAmount(hourly, most), lastsMs), currency: 'USD' };
}
