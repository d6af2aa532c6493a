import { stream } from '@davit/contracts';
import { type Decision, NOTHING, type Writer, waitUntil } from '../decision.js';
import type { DeploymentState, ReplicaState } from '../lifecycle/state.js';
import { failed, providerFailure } from '../replica/failure.js';
import { type FleetView, illSince, isBelieved, isDoubtful, recheckMs, servingFailure, standingOf } from './illness.js';

/**
 * A replica that serves is given up on what was observed only while few are (law 12). The loss is counted in the same append,
 * under the version of the stream of losses, so that however many controllers see deaths at once, each decides with all the
 * losses before its own in view.
 */
export function serving(replica: ReplicaState, fleet: FleetView, nowMs: number, write: Writer): Decision {
  const failure = servingFailure(replica);
  if (!failure) return NOTHING;
  const { state, limits } = fleet;
  const later = waitUntil(nowMs + recheckMs(limits));
  if (state.frozen) return later;
  const since = illSince(replica);
  if (!isBelieved(state, replica)) {
    const { lost, tooMany, serving: size, allowed } = standingOf(fleet, nowMs);
    // Whether the fleet is to be frozen is its own controller's to say; nothing is given up meanwhile.
    if (tooMany || lost + 1 > allowed || isDoubtful(replica, fleet, nowMs)) return later;
    const settledMs = Date.parse(since ?? '') + limits.settleMs;
    if (size > limits.floor && nowMs < settledMs) return waitUntil(settledMs);
  }
  const lost = {
    type: 'davit.fleet.replica-lost',
    data: {
      replicaId: replica.id,
      deployment: replica.deployment,
      reason: failure.reason,
      ...(since === undefined ? {} : { illSince: since }),
    },
  } as const;
  const decision = write(failed(replica, failure));
  return {
    ...decision,
    writes: [{ stream: stream.fleetLosses, expectedVersion: state.version, events: [lost] }, ...decision.writes],
  };
}

/**
 * True for what a freeze holds back: the deletion of a replica that was given up just before it, unless its deployment is to
 * go anyway, and the end of one that starts, where the provider shows it dead. A refused launch and a passed deadline are no
 * observations.
 */
export function isHeld(replica: ReplicaState, deployment: DeploymentState | undefined, { state }: FleetView): boolean {
  if (!state.frozen || deployment?.status !== 'active') return false;
  if (replica.status === 'failed') return replica.everReady;
  return (
    replica.status === 'launching' && replica.launch?.outcome === 'accepted' && providerFailure(replica) !== undefined
  );
}
