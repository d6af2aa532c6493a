import type { NewEvent, ScalingBounds } from '@davit/contracts';
import { REMEDIES, remedied } from './remedies.js';
import { canaryKeyOf, parseRolloutId } from './identity.js';
import { type In, type NextStep, after, append, hasPassed, heldByPause, perform, withdraw } from './step.js';
import type { RolloutState } from './state.js';

const RAMPS = 3;

/** The candidate on an endpoint of its own: template, endpoint, proof. */
export function prove({ state, phase, plan, view }: In<'proving'>): NextStep {
  const deadlineAt = after(state.startedAt, plan.policy.canary.deadlineMs);
  if (phase.failed) return withdraw(state, 'candidate-failed', remedied(phase.failed));
  if (hasPassed(deadlineAt, view))
    return withdraw(state, 'deadline', `the candidate did not prove itself in time; ${REMEDIES[reached(state)]}`);
  const { template, canary } = state;
  const pause = canary?.launch == null && !phase.templating ? heldByPause(view, deadlineAt) : undefined;
  if (pause) return pause;
  if (!template) {
    const { templating } = phase;
    return templating
      ? perform({ do: 'resolve-template', attempt: templating.attempt }, deadlineAt)
      : perform({ do: 'prepare-template', attempt: 1 }, deadlineAt);
  }
  if (!canary) {
    const requested = canaryRequested({ state, phase, plan, view });
    return requested ? append(requested) : withdraw(state, 'superseded', 'its specification is not known any more');
  }
  const { externalKey, launch, launchDetail } = canary;
  switch (launch) {
    case null:
      return perform({ do: 'launch-canary', externalKey, template }, deadlineAt);
    case 'attempted':
    case 'unknown':
      return perform({ do: 'resolve-canary', externalKey }, deadlineAt);
    case 'refused':
      return append({
        type: 'davit.rollout.candidate-failed',
        data: { rolloutId: state.id, step: 'launch', detail: launchDetail, evidenceDigest: null },
      });
    case 'done':
      return perform({ do: 'prove-candidate', externalKey, template }, deadlineAt);
  }
}

/** The step that the candidate was at. */
function reached({ template, canary }: RolloutState): keyof typeof REMEDIES {
  if (!template) return 'template';
  return canary?.launch === 'done' ? 'load' : 'launch';
}

function canaryRequested({ state, plan, view }: In<'proving'>): NewEvent | undefined {
  const identity = parseRolloutId(state.id);
  const compute = view.deployment.revisions[state.revision]?.spec.compute;
  if (!identity || !state.template || compute?.mode !== 'serverless') return undefined;
  const { workers } = compute;
  const { maxWorkers, maxSpend } = plan.policy.canary;
  const bounds: ScalingBounds = {
    // At least one active worker, so that there is something to be proved.
    minLoad: Math.max(1, workers.minLoad),
    coldWorkers: Math.min(maxWorkers, Math.max(1, workers.cold)),
    maxWorkers,
    inactivityTimeoutS: workers.inactivityTimeoutMs / 1_000,
    targetQueueTimeS: workers.targetQueueTimeMs / 1_000,
    maxQueueTimeS: workers.maxQueueTimeMs / 1_000,
    targetUtil: workers.targetUtilisation,
    coldMult: workers.coldMultiplier,
    minColdLoad: 0,
  };
  const externalKey = canaryKeyOf(identity, view.installation);
  return {
    type: 'davit.rollout.canary-requested',
    data: { rolloutId: state.id, externalKey, template: state.template, bounds, maxSpend },
  };
}

/** Bounds from what the candidate was seen to bear. */
export function bound({ state, phase, plan, view }: In<'bounding'>): NextStep {
  const deadlineAt = after(state.since, plan.policy.load.maxDurationMs);
  if (phase.refused !== null) return withdraw(state, 'bounds-infeasible', phase.refused);
  if (hasPassed(deadlineAt, view)) return withdraw(state, 'deadline', 'no bounds were set in time');
  if (!phase.set) return perform({ do: 'work-out-bounds' }, deadlineAt);
  return perform({ do: 'apply-bounds', to: 'canary', bounds: phase.set }, deadlineAt);
}

/**
 * Three ramps, each begun and ended in the log. One that nobody ended was cut off with whoever sent it, which says nothing of the candidate:
 * it is run anew, within the time, the requests and the money that there are for all of them.
 */
export function ramp({ state, phase, plan, view }: In<'ramping'>): NextStep {
  const deadlineAt = after(state.since, plan.policy.load.maxDurationMs);
  const { present, run } = phase;
  if (present && present.aborted === null) return append(interruptedLoad(state, present));
  if (present && present.aborted !== 'interrupted') {
    const reason = present.aborted === 'cap-spend' ? 'canary-spend' : 'load-failed';
    return withdraw(state, reason, `ramp ${present.ramp} was aborted: ${present.aborted}`);
  }
  if (hasPassed(deadlineAt, view)) return withdraw(state, 'deadline', 'the ramps took too long');
  if (present) return perform({ do: 'run-load', ramp: present.ramp, attempt: present.attempt + 1 }, deadlineAt);
  const next = (run.at(-1)?.ramp ?? 0) + 1;
  if (next > RAMPS) return withdraw(state, 'load-not-converged', 'three ramps did not converge');
  return perform({ do: 'run-load', ramp: next, attempt: 1 }, deadlineAt);
}

const interruptedLoad = (
  { id }: RolloutState,
  present: { readonly ramp: number; readonly attempt: number },
): NewEvent => ({
  type: 'davit.rollout.load-aborted',
  data: {
    rolloutId: id,
    ramp: present.ramp,
    attempt: present.attempt,
    reason: 'interrupted',
    detail: 'whoever sent it was gone before it ended',
  },
});
