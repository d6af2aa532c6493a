import type { NormalisedDeployment } from '@davit/contracts';
import type { DeploymentState } from '../lifecycle/state.js';
import { failedSlotsOf } from '../converge/slots.js';
import { type Accepted, type Refused, declare } from './declare.js';

/** A refusal of what a user asks for. */
export const refused = (code: string, detail: string, remedy: string): Refused => ({
  outcome: 'refused',
  code,
  detail,
  remedy,
});

const notThere = (state: DeploymentState | undefined): Refused =>
  refused(
    'not-found',
    state ? `${state.key} is already deleted` : 'there is no such deployment',
    'See `davit get deployments` for the names that exist.',
  );

/** The deployment if it is there to stay; else why nothing can be ordered of it. */
export function activeOr(state: DeploymentState | undefined): DeploymentState | Refused {
  if (!state || state.status === 'deleted') return notThere(state);
  if (state.status === 'active') return state;
  return refused(
    'being-deleted',
    `${state.key} is being deleted`,
    'Declare it again if it is to stay; what is not yet gone is then counted in.',
  );
}

/**
 * Decides on a wish to stop a rollout: what serves stays, the candidate goes. Replicas are made of what the active revision is
 * made of again; everything else, scaling among it, stays as it was declared last.
 */
export function cancelRollout(present: DeploymentState | undefined, intentId: string): Accepted | Refused {
  const state = activeOr(present);
  if ('outcome' in state) return state;
  const { key, revision, activeRevision } = state;
  if (activeRevision === revision) {
    return refused(
      'nothing-under-way',
      `revision ${revision} of ${key} is active; no rollout is under way`,
      'To return to an earlier specification, declare that specification.',
    );
  }
  const active = activeRevision === null ? undefined : state.revisions[activeRevision];
  if (!active) {
    return refused(
      'never-active',
      `no revision of ${key} is active, so there is none to go back to`,
      'Declare another specification, or delete the deployment.',
    );
  }
  return declare(state, backTo(active, state.spec), intentId);
}

function backTo(active: NormalisedDeployment, present: NormalisedDeployment): NormalisedDeployment {
  const { model, runtime, compute, secrets } = active.spec;
  const wanted = present.spec.scaling.replicas;
  const replicas = compute.mode === 'direct' ? Math.min(wanted, compute.endpoints.length) : wanted;
  return { ...present, spec: { ...present.spec, model, runtime, compute, secrets, scaling: { replicas } } };
}

/** Decides on a wish to try again at once what waits after failed starts or for capacity, was given up, or is quarantined. */
export function requestRetry(present: DeploymentState | undefined, intentId: string): Accepted | Refused {
  const state = activeOr(present);
  if ('outcome' in state) return state;
  const { key, revision, generation } = state;
  const waits = failedSlotsOf(state).length > 0 || Object.keys(state.waits).length > 0;
  if (!waits && state.conditions['Progressing']?.reason !== 'Quarantined') {
    return refused(
      'nothing-to-retry',
      `no replica of ${key} waits after a failed start or for capacity`,
      'See `davit get replicas` for what each waits for.',
    );
  }
  const events = [{ type: 'davit.deployment.retry-requested', data: { intentId } }] as const;
  return { outcome: 'accepted', revision, generation, changed: true, events };
}

/** Decides on a wish to delete. Asking again while it is being deleted changes nothing and succeeds. */
export function requestDeletion(state: DeploymentState | undefined, intentId: string): Accepted | Refused {
  if (!state || state.status === 'deleted') return notThere(state);
  const { revision, generation } = state;
  if (state.status === 'deleting') return { outcome: 'accepted', revision, generation, changed: false, events: [] };
  const events = [{ type: 'davit.deployment.deletion-requested', data: { intentId } }] as const;
  return { outcome: 'accepted', revision, generation, changed: true, events };
}
