import type { ErrorClass, NewEvent } from '@davit/contracts';
import type { ReplicaState } from '../lifecycle/state.js';

export type Failure = NonNullable<ReplicaState['failure']>;

export const isRefusal = (failure: ErrorClass): boolean => failure === 'capacity' || failure === 'quota';

const showedMachine = ({ meter }: ReplicaState): boolean => (meter?.seen.length ?? 0) > 0;

/**
 * Money may have been spent on it: its launch was accepted, or nobody knows. A launch that was accepted and then found no
 * capacity cost nothing, unless the provider showed a machine. What is only adopted is not paid for here.
 */
function mayHaveCost(replica: ReplicaState, failure: ErrorClass): boolean {
  const { mode, launch } = replica;
  if (mode === 'direct' || launch === null || launch.outcome === 'requested' || launch.outcome === 'refused')
    return false;
  return !isRefusal(failure) || launch.outcome !== 'accepted' || showedMachine(replica);
}

export const failed = (replica: ReplicaState, failure: Failure): NewEvent => ({
  type: 'davit.replica.failed',
  data: {
    replicaId: replica.id,
    ...failure,
    placement: replica.placement,
    hadServed: replica.everReady,
    paid: mayHaveCost(replica, failure.class),
    machine: showedMachine(replica),
  },
});

/** What the provider shows that ends a replica, whether it starts or serves. */
export function providerFailure({ absence, resource }: ReplicaState): Failure | undefined {
  if (absence.confirmedAt !== null)
    return { class: 'not-found', reason: 'vanished', detail: 'the provider proves it gone' };
  if (resource?.phase !== 'failed' && resource?.phase !== 'stopped') return undefined;
  return { class: resource.class ?? 'unknown', reason: `resource ${resource.phase}`, detail: resource.detail };
}

/** What ends a replica that starts. */
export function startFailure(replica: ReplicaState): Failure | undefined {
  const { launch, runtime } = replica;
  if (launch?.outcome === 'refused') {
    return { class: launch.class ?? 'unknown', reason: 'launch refused', detail: launch.detail };
  }
  if (runtime?.reason === 'model-mismatch') return { class: 'config', reason: 'wrong model', detail: runtime.detail };
  return providerFailure(replica);
}
