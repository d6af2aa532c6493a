import type { NewEvent } from '@davit/contracts';
import { type Condition, type DeploymentState, type ReplicaState, isGone } from '../lifecycle/state.js';

type Wanted = { readonly condition: 'Available' | 'Progressing' } & Omit<Condition, 'since'>;

/** What decides the conditions beside the replicas themselves. */
export type ConvergenceView = {
  readonly deployment: DeploymentState;
  /** Those not proven gone. */
  readonly replicas: readonly ReplicaState[];
  readonly desired: number;
  /** Slots that stay empty for now, each with its reason and until when. */
  readonly heldBack: readonly string[];
};

/** Whether requests can be served, and whether a change is under way: two facts, two conditions. Only changes become events. */
export function conditionChanges(view: ConvergenceView): NewEvent[] {
  const { conditions, generation } = view.deployment;
  return [availability(view), progress(view)]
    .filter(({ condition, status, reason, message }) => {
      const present = conditions[condition];
      return present?.status !== status || present.reason !== reason || present.message !== message;
    })
    .map((data) => ({ type: 'davit.deployment.condition-changed', data: { ...data, generation } }));
}

export const isServing = (replica: ReplicaState): boolean => replica.status === 'ready' && replica.route.registered;

function availability({ replicas, desired }: ConvergenceView): Wanted {
  const serving = replicas.filter(isServing).length;
  const message = `${serving} of ${desired} replicas serve`;
  const available = (status: 'true' | 'false', reason: string): Wanted => ({
    condition: 'Available',
    status,
    reason,
    message,
  });
  if (desired === 0) return { ...available('false', 'ScaledToZero'), message: 'no replica is wanted' };
  if (serving >= desired) return available('true', 'AllReplicasServe');
  return serving > 0 ? available('true', 'SomeReplicasServe') : available('false', 'NoReplicaServes');
}

function progress({ deployment, replicas, desired, heldBack }: ConvergenceView): Wanted {
  const progressing = (reason: string, message: string): Wanted => ({
    condition: 'Progressing',
    status: 'true',
    reason,
    message,
  });
  const present = replicas.filter((replica) => !isGone(replica));
  if (deployment.status === 'deleting') {
    return progressing('Deleting', `${present.length} replicas are not yet proven gone`);
  }
  const current = present.filter(({ revision, ordinal }) => revision === deployment.revision && ordinal < desired);
  const serving = current.filter(isServing).length;
  if (serving === desired && present.length === desired) {
    const message = `revision ${deployment.revision} is as declared`;
    return { condition: 'Progressing', status: 'false', reason: 'Converged', message };
  }
  const counts = `revision ${deployment.revision}: ${serving} of ${desired} serve, ${present.length - current.length} others still to go`;
  if (heldBack.length > 0) return progressing('BackingOff', [counts, ...heldBack].join('; '));
  const waiting = current.some(({ waitsSince }) => waitsSince !== null);
  return progressing(waiting ? 'WaitingForCapacity' : 'Converging', counts);
}
