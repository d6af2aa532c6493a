import type { RolloutApproval } from '@davit/contracts';
import { type In, type NextStep, after, append, hasPassed, heldByPause, perform, rollBack, withdraw } from './step.js';
import { strays } from './state.js';

/** No effect on production without a word that names this very evidence; where none is asked for, the declaration is it. */
export function awaitApproval({ state, phase, plan, view }: In<'awaiting-approval'>): NextStep {
  const { request } = phase;
  if (state.rejected) return withdraw(state, 'operator-rejected', state.rejected.reason);
  const approval = approvalOf({ state, phase, plan, view });
  if (hasPassed(request.deadlineAt, view))
    return withdraw(state, 'not-approved', approval ? 'approved, but not begun in time' : 'nobody approved it in time');
  if (!approval) {
    const reason = `waits for approval: davit approve ${state.id}`;
    return { kind: 'wait', reason, since: request.at, deadlineAt: request.deadlineAt };
  }
  const pause = heldByPause(view, request.deadlineAt);
  if (pause) return pause;
  const { template, bounds } = state;
  if (!template || !bounds) return withdraw(state, 'bounds-infeasible', 'neither template nor bounds were recorded');
  return perform({ do: 'update', attempt: 1, from: plan.rollback, to: template, bounds, approval }, request.deadlineAt);
}

function approvalOf({ phase, plan }: In<'awaiting-approval'>): RolloutApproval | null {
  const { request, approval } = phase;
  if (request.required) return approval;
  const [declaration] = plan.because;
  return declaration === undefined
    ? approval
    : { by: 'declaration', eventId: declaration, evidenceDigest: request.evidenceDigest };
}

/** Production was asked to change: what is not known is looked for, and what was refused is taken back to be sure. */
export function update({ state, phase, plan, view }: In<'updating'>): NextStep {
  const { attempt, answer, detail } = phase.update;
  const deadlineAt = after(state.since, plan.policy.acceptance.convergeDeadlineMs);
  if (answer === 'refused') return rollBack(plan, 1, 'update-refused', detail);
  if (hasPassed(deadlineAt, view))
    return rollBack(plan, 1, 'deadline', 'the change of production is of unknown outcome');
  return perform({ do: 'resolve-update', attempt }, deadlineAt);
}

/** Worker by worker, until all are on the candidate. */
export function observe(at: In<'observing'>): NextStep {
  const { phase, plan, view } = at;
  const deadlineAt = after(phase.triggeredAt, plan.policy.acceptance.convergeDeadlineMs);
  if (phase.notConverged !== null) return rollBack(plan, 1, 'not-converged', phase.notConverged);
  const paused = whilePaused(at);
  if (paused) return paused;
  if (hasPassed(deadlineAt, view)) {
    const late = strays(at.state).map(({ workerId }) => workerId);
    const detail = `${late.length} workers are not proven to be on the candidate: ${late.slice(0, 20).join(', ')}`;
    return perform({ do: 'report-not-converged', detail }, null);
  }
  return perform({ do: 'observe-workers' }, deadlineAt);
}

/** Accepted only while every worker is proven to be on the candidate and the verdict says so. */
export function judge(at: In<'judging'>): NextStep {
  const { state, phase, plan, view } = at;
  const { verdict, convergedAt } = phase;
  const deadlineAt = after(convergedAt, plan.policy.acceptance.deadlineMs);
  if (verdict?.verdict === 'reject') {
    const [first] = verdict.reasons;
    return rollBack(plan, 1, 'verdict-reject', first ? `${first.rule}: ${first.detail}` : 'the verdict is reject');
  }
  const paused = whilePaused(at);
  if (paused) return paused;
  const { workers, template } = state;
  const count = Object.keys(workers).length;
  if (verdict?.verdict === 'accept' && template && count > 0 && strays(state).length === 0) {
    const { id: rolloutId, deployment, revision, replicaId } = state;
    const { bundleDigest } = verdict;
    return append({
      type: 'davit.rollout.accepted',
      data: { rolloutId, deployment, revision, replicaId, template, workers: count, bundleDigest },
    });
  }
  if (hasPassed(deadlineAt, view)) return rollBack(plan, 1, 'no-verdict', 'no verdict accepted it in time');
  return verdict?.verdict === 'accept'
    ? perform({ do: 'observe-workers' }, deadlineAt)
    : perform({ do: 'judge' }, deadlineAt);
}

/** Requests queue for too long: more capacity where it was ordered, and the way back at the end of patience. */
function whilePaused({ state, plan, view }: Pick<In<'observing'>, 'state' | 'plan' | 'view'>): NextStep | undefined {
  const { paused } = state;
  if (!paused) return undefined;
  if (hasPassed(paused.deadlineAt, view))
    return rollBack(plan, 1, 'queue-breach', `requests queued for too long since ${paused.since}`);
  if (paused.raiseTo)
    return perform({ do: 'apply-bounds', to: 'production', bounds: paused.raiseTo }, paused.deadlineAt);
  return perform({ do: 'observe-workers' }, paused.deadlineAt);
}
