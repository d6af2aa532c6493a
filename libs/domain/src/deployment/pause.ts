import type { NewEvent } from '@davit/contracts';
import { servingFailure } from '../fleet/illness.js';
import type { DeploymentState, ReplicaState } from '../lifecycle/state.js';
import type { Accepted, Refused } from './declare.js';
import { activeOr } from './orders.js';

/**
 * Decides on a wish to pause: what serves stays, and nothing is started, replaced or deleted until somebody resumes or deletes it.
 * Asking again changes nothing and succeeds; the first reason stays.
 */
export function pause(present: DeploymentState | undefined, reason: string, intentId: string): Accepted | Refused {
  return order(present, (state) =>
    state.paused ? undefined : { type: 'davit.deployment.paused', data: { intentId, reason } },
  );
}

/** Decides on a wish to go on. One that is not paused stays as it is. */
export function resume(present: DeploymentState | undefined, intentId: string): Accepted | Refused {
  return order(present, (state) =>
    state.paused ? { type: 'davit.deployment.resumed', data: { intentId } } : undefined,
  );
}

function order(
  present: DeploymentState | undefined,
  eventFor: (state: DeploymentState) => NewEvent | undefined,
): Accepted | Refused {
  const state = activeOr(present);
  if ('outcome' in state) return state;
  const { revision, generation } = state;
  const event = eventFor(state);
  return { outcome: 'accepted', revision, generation, changed: event !== undefined, events: event ? [event] : [] };
}

/**
 * True for what a pause holds back: a replica that has not been launched, and one that serves and would be given up. What is on its
 * way out, or starts at a provider, goes on: it may bill, and a deadline that passes ends it (law 9).
 */
export function isHeldByPause(replica: ReplicaState, deployment: DeploymentState | undefined): boolean {
  if (!deployment?.paused || deployment.status !== 'active') return false;
  const { status } = replica;
  if (status === 'requested' || status === 'deferred') return true;
  return status === 'ready' && servingFailure(replica) !== undefined;
}
