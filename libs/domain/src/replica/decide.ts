import { stream, type NewEvent } from '@davit/contracts';
import { type Decision, NOTHING, type Writer, waitUntil } from '../decision.js';
import { isHeldByPause } from '../deployment/pause.js';
import { isHeld, serving } from '../fleet/give-up.js';
import { type FleetView, QUIET_FLEET, recheckMs } from '../fleet/illness.js';
import { type DeploymentState, type ReplicaState, isReopened } from '../lifecycle/state.js';
import { NOTHING_KNOWN, type PlacementView } from '../placement/ask.js';
import { launching } from './launching.js';
import { place } from './place.js';

export type ReplicaTimings = {
  /** Without an advisor's answer for this long after the discovery, stock counts as unknown. */
  readonly adviceDeadlineMs: number;
  /** How long a replica without stock waits before it is looked at again; longer each time, up to eight times this. */
  readonly deferMs: number;
};

export const DEFAULT_REPLICA_TIMINGS: ReplicaTimings = { adviceDeadlineMs: 15_000, deferMs: 30_000 };

/** Orchestrator's next step for one replica. `deployment` is undefined only for a replica whose deployment was never seen. */
export function decideReplica(
  replica: ReplicaState,
  deployment: DeploymentState | undefined,
  nowMs: number,
  timings: ReplicaTimings = DEFAULT_REPLICA_TIMINGS,
  fleet: FleetView = QUIET_FLEET,
  view: PlacementView = NOTHING_KNOWN,
): Decision {
  if (isHeld(replica, deployment, fleet) || isHeldByPause(replica, deployment))
    return waitUntil(nowMs + recheckMs(fleet.limits));
  const write = (...events: readonly [NewEvent, ...NewEvent[]]): Decision => ({
    writes: [{ stream: stream.replica(replica.id), expectedVersion: replica.versions.replica, events }],
    wakeAtMs: null,
  });
  switch (replica.status) {
    case 'requested':
      return deployment ? place(replica, deployment, view, nowMs, timings, write) : NOTHING;
    case 'deferred':
      return retry(replica, deployment, nowMs, write);
    case 'launching':
      return launching(replica, deployment, nowMs, write);
    case 'ready':
      return serving(replica, fleet, nowMs, write);
    case 'draining':
      return draining(replica, nowMs, write);
    case 'drained':
      return write(deleteRequested(replica, replica.reason));
    case 'failed':
      // Nothing that may bill stays in "failed"; the route goes first, so that no request is sent to its death.
      return replica.route.registered ? NOTHING : write(deleteRequested(replica, replica.reason));
    case 'deleting':
      return deleting(replica, write);
    case 'deleted':
      // Seen again after it had been proven gone: it may bill, so the same machinery ends it once more (law 5).
      return isReopened(replica)
        ? write(deleteRequested(replica, 'seen again after it had been proven gone'))
        : NOTHING;
    case 'quarantined':
      return NOTHING;
  }
}

const deleteRequested = ({ id }: ReplicaState, reason: string): NewEvent => ({
  type: 'davit.replica.delete-requested',
  data: { replicaId: id, reason },
});

/** It looks again when its wait is over, or at once when a user asks to try again. */
function retry(replica: ReplicaState, deployment: DeploymentState | undefined, nowMs: number, write: Writer): Decision {
  const asked = deployment?.retriedAt != null && deployment.retriedAt >= replica.since;
  const retryAtMs = replica.retryAt === null || asked ? nowMs : Date.parse(replica.retryAt);
  if (nowMs < retryAtMs) return waitUntil(retryAtMs);
  const attempt = replica.discovery.attempt + 1;
  return write({ type: 'davit.replica.discovery-requested', data: { replicaId: replica.id, attempt } });
}

function draining(replica: ReplicaState, nowMs: number, write: Writer): Decision {
  if (replica.route.registered) return NOTHING;
  const drained = (outcome: 'idle' | 'deadline' | 'not-serving', cutRequests: number | null): Decision =>
    write({ type: 'davit.replica.drained', data: { replicaId: replica.id, outcome, cutRequests } });
  if (replica.runtime?.status !== 'ready') return drained('not-serving', null);
  // Without a route so far, one may still be on its way: only a reading taken since the drain began says that it is idle.
  const running = replica.load?.running ?? null;
  if (running === 0) return drained('idle', 0);
  const deadlineMs = replica.drain ? Date.parse(replica.drain.deadlineAt) : nowMs;
  return nowMs < deadlineMs ? waitUntil(deadlineMs) : drained('deadline', running);
}

function deleting(replica: ReplicaState, write: Writer): Decision {
  const { absence } = replica;
  if (absence.confirmedAt === null && !absence.released) return NOTHING;
  const reason = absence.released ? 'released; it keeps running elsewhere' : 'proven gone';
  return write({ type: 'davit.replica.deleted', data: { replicaId: replica.id, reason } });
}
