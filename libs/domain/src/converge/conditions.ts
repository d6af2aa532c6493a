import type { NewEvent } from '@davit/contracts';
import { type Condition, type DeploymentState, type ReplicaState, isGone } from '../lifecycle/state.js';

type Wanted = { readonly condition: 'Available' | 'Progressing' } & Omit<Condition, 'since'>;

/** Whether requests can be served, and whether a change is under way: two facts, two conditions. Only changes become events. */
export function conditionChanges(
  deployment: DeploymentState,
  replicas: readonly ReplicaState[],
  desired: number,
): NewEvent[] {
  return [availability(replicas, desired), progress(deployment, replicas, desired)]
    .filter(({ condition, status, reason }) => {
      const present = deployment.conditions[condition];
      return present?.status !== status || present.reason !== reason;
    })
    .map((data) => ({
      type: 'davit.deployment.condition-changed',
      data: { ...data, generation: deployment.generation },
    }));
}

const isServing = (replica: ReplicaState): boolean => replica.status === 'ready' && replica.route.registered;

function availability(replicas: readonly ReplicaState[], desired: number): Wanted {
  const serving = replicas.filter(isServing).length;
  const message = `${serving} of ${desired} replicas serve`;
  if (desired === 0)
    return { condition: 'Available', status: 'false', reason: 'ScaledToZero', message: 'no replica is wanted' };
  if (serving >= desired) return { condition: 'Available', status: 'true', reason: 'AllReplicasServe', message };
  if (serving > 0) return { condition: 'Available', status: 'true', reason: 'SomeReplicasServe', message };
  return { condition: 'Available', status: 'false', reason: 'NoReplicaServes', message };
}

function progress(deployment: DeploymentState, replicas: readonly ReplicaState[], desired: number): Wanted {
  const present = replicas.filter((replica) => !isGone(replica));
  const current = present.filter(({ revision, ordinal }) => revision === deployment.revision && ordinal < desired);
  const serving = current.filter(isServing).length;
  if (serving === desired && present.length === desired) {
    return {
      condition: 'Progressing',
      status: 'false',
      reason: 'Converged',
      message: `revision ${deployment.revision} is as declared`,
    };
  }
  const message = `revision ${deployment.revision}: ${serving} of ${desired} serve, ${present.length - current.length} others still to go`;
  const waiting = current.some(({ status }) => status === 'deferred');
  return { condition: 'Progressing', status: 'true', reason: waiting ? 'WaitingForCapacity' : 'Converging', message };
}
