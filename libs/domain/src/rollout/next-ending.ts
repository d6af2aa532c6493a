import {
  type In,
  type NextStep,
  type Plan,
  type RolloutView,
  after,
  append,
  hasPassed,
  perform,
  rollBack,
} from './step.js';
import type { RolloutState } from './state.js';

/** Undefined once the canary is proven gone, or never was. Past its deadline it is looked for all the same: it may bill. */
export function removeCanary(state: RolloutState, plan: Plan, view: RolloutView): NextStep | undefined {
  const { canary, id: rolloutId } = state;
  if (!canary || canary.removed) return undefined;
  const { externalKey, removal, absence } = canary;
  if (!removal) {
    const deadlineAt = new Date(view.nowMs + plan.policy.canary.removalDeadlineMs).toISOString();
    return append({ type: 'davit.rollout.canary-removal-requested', data: { rolloutId, externalKey, deadlineAt } });
  }
  if (absence && absence.since >= removal.since) {
    const data = { rolloutId, externalKey, absence: absence.eventId, absentSince: absence.since };
    return append({ type: 'davit.rollout.canary-removed', data });
  }
  const overdue = hasPassed(removal.deadlineAt, view);
  return perform({ do: 'remove-canary', externalKey, overdue }, overdue ? null : removal.deadlineAt);
}

/** Production was not touched, or is gone: the candidate is rejected once nothing of it bills. */
export function finishWithdrawal({ state, phase, plan, view }: In<'withdrawing'>): NextStep {
  const removal = removeCanary(state, plan, view);
  if (removal) return removal;
  const { id: rolloutId, deployment, revision, replicaId } = state;
  const { reason, detail } = phase;
  return append({
    type: 'davit.rollout.rejected',
    data: { rolloutId, deployment, revision, replicaId, reason, detail },
  });
}

/** Back to the old template, seen to its end. What does not follow in time is asked again: it is never given up. */
export function finishRollback({ state, phase, plan, view }: In<'rolling-back'>): NextStep {
  const { rollback, observed, reason, detail } = phase;
  const { attempt, answer } = rollback;
  const deadlineAt = after(state.since, plan.policy.acceptance.convergeDeadlineMs);
  if (observed !== null) {
    const removal = removeCanary(state, plan, view);
    if (removal) return removal;
    const { id: rolloutId, deployment, revision, replicaId } = state;
    return append({
      type: 'davit.rollout.rolled-back',
      data: { rolloutId, deployment, revision, replicaId, reason, detail, workers: observed },
    });
  }
  if (hasPassed(deadlineAt, view)) return rollBack(plan, attempt + 1, reason, detail);
  switch (answer) {
    case 'refused': {
      const dueMs = Date.parse(state.since) + retryMs(attempt);
      if (view.nowMs >= dueMs) return rollBack(plan, attempt + 1, reason, detail);
      const dueAt = new Date(dueMs).toISOString();
      return {
        kind: 'wait',
        reason: `the way back was refused: ${rollback.detail}`,
        since: state.since,
        deadlineAt: dueAt,
      };
    }
    case 'attempted':
    case 'unknown':
      return perform({ do: 'resolve-rollback', attempt }, deadlineAt);
    case 'done':
      return perform({ do: 'observe-rollback' }, deadlineAt);
  }
}

const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 5 * 60_000;
const retryMs = (attempt: number): number => Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempt - 1, 10));
