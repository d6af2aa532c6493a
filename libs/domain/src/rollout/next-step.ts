import { type DeploymentState, isLive } from '../lifecycle/state.js';
import { bound, prove, ramp } from './next-proving.js';
import { awaitApproval, observe, judge, update } from './next-changing.js';
import { finishRollback, finishWithdrawal, removeCanary } from './next-ending.js';
import { type NextStep, type Plan, type RolloutView, after, hasPassed, perform, rollBack, withdraw } from './step.js';
import { type RolloutState, touchedProduction } from './state.js';

/**
 * What a rollout does next, from everything the log says of it. Level-triggered: whoever crashed at any point, or saw an event twice, is told
 * the same. An outcome that is not known is looked for, never tried again blindly; and a deadline that passed leads to the way back.
 */
export function nextStep(state: RolloutState, view: RolloutView): NextStep {
  const { plan, phase } = state;
  if (!plan || phase.name === 'over') return { kind: 'done' };
  return interrupted(state, plan, view) ?? proceed(state, plan, view);
}

/** What ends a rollout from outside, whatever it is doing. */
function interrupted(state: RolloutState, plan: Plan, view: RolloutView): NextStep | undefined {
  const { phase, aborted } = state;
  if (phase.name === 'withdrawing') return undefined;
  const { deployment, replica } = view;
  if (deployment.status !== 'active') return withdraw(state, 'deployment-deleted', `${deployment.key} is deleted`);
  if (!replica || !isLive(replica))
    return withdraw(state, 'replica-lost', `${state.replicaId}, whose endpoint was rolled, is on its way out`);
  if (phase.name === 'rolling-back') return undefined;
  if (touchedProduction(state)) {
    if (aborted) return rollBack(plan, 1, 'operator-aborted', aborted.reason);
    if (deployment.revision !== state.fromRevision) return undefined;
    return rollBack(plan, 1, 'superseded', `revision ${state.fromRevision} is declared again`);
  }
  if (aborted) return withdraw(state, 'operator-aborted', aborted.reason);
  if (deployment.revision !== state.revision || deployment.spec.spec.rollout.strategy !== 'evidence')
    return withdraw(state, 'superseded', `revision ${deployment.revision} is declared now`);
  const overspent = isCanaryUp(state) ? overBudget(deployment) : undefined;
  return overspent === undefined ? undefined : withdraw(state, 'canary-spend', overspent);
}

const isCanaryUp = ({ canary }: RolloutState): boolean => canary !== null && !canary.removed;

/** What is over its ceiling may not be spent on what serves nobody. */
function overBudget({ conditions }: DeploymentState): string | undefined {
  const told = conditions['WithinBudget'];
  return told?.reason === 'HourlyExceeded' || told?.reason === 'TotalExhausted' ? told.message : undefined;
}

function proceed(state: RolloutState, plan: Plan, view: RolloutView): NextStep {
  const { phase } = state;
  switch (phase.name) {
    case 'proving':
      return prove({ state, phase, plan, view });
    case 'bounding':
      return bound({ state, phase, plan, view });
    case 'ramping':
      return ramp({ state, phase, plan, view });
    case 'baselining':
      return baseline(state, phase.recorded, plan, view);
    case 'awaiting-approval':
      return awaitApproval({ state, phase, plan, view });
    case 'updating':
      return update({ state, phase, plan, view });
    case 'observing':
      return observe({ state, phase, plan, view });
    case 'judging':
      return judge({ state, phase, plan, view });
    case 'withdrawing':
      return finishWithdrawal({ state, phase, plan, view });
    case 'rolling-back':
      return finishRollback({ state, phase, plan, view });
    case 'over':
      return { kind: 'done' };
  }
}

/** The canary is no longer needed, and the question to the operator may wait for hours: it goes before anything is asked. */
function baseline(state: RolloutState, recorded: string | null, plan: Plan, view: RolloutView): NextStep {
  const removal = removeCanary(state, plan, view);
  if (removal) return removal;
  const deadlineAt = after(state.since, plan.policy.canary.removalDeadlineMs + plan.policy.acceptance.deadlineMs);
  if (hasPassed(deadlineAt, view)) return withdraw(state, 'deadline', 'no baseline of production was recorded in time');
  if (recorded === null) return perform({ do: 'record-baseline' }, deadlineAt);
  const { approval, approvalDeadlineMs } = plan.policy;
  const untilAt = new Date(view.nowMs + approvalDeadlineMs).toISOString();
  return perform({ do: 'request-approval', required: approval === 'required', deadlineAt: untilAt }, deadlineAt);
}
