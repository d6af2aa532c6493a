import { stream, type NewEvent } from '@davit/contracts';
import { type Decision, NOTHING, waitUntil } from '../decision.js';
import type { DeploymentState, ReplicaState } from '../lifecycle/state.js';
import { choosePlacement } from '../placement/choose.js';

export type ReplicaTimings = {
  /** Without an advisor's answer for this long after the discovery, stock counts as unknown. */
  readonly adviceDeadlineMs: number;
  /** How long a replica without stock waits before it is looked at again; longer each time, up to eight times this. */
  readonly deferMs: number;
};

const MAX_DEFER_DOUBLINGS = 3;

export const DEFAULT_REPLICA_TIMINGS: ReplicaTimings = { adviceDeadlineMs: 15_000, deferMs: 30_000 };

/** Orchestrator's next step for one replica. `deployment` is undefined only for a replica whose deployment was never seen. */
export function decideReplica(
  replica: ReplicaState,
  deployment: DeploymentState | undefined,
  nowMs: number,
  timings: ReplicaTimings = DEFAULT_REPLICA_TIMINGS,
): Decision {
  const write = (...events: readonly [NewEvent, ...NewEvent[]]): Decision => ({
    writes: [{ stream: stream.replica(replica.id), expectedVersion: replica.versions.replica, events }],
    wakeAtMs: null,
  });
  switch (replica.status) {
    case 'requested':
      return deployment ? place(replica, deployment, nowMs, timings, write) : NOTHING;
    case 'deferred':
      return retry(replica, nowMs, write);
    case 'launching':
      return launching(replica, nowMs, write);
    case 'ready':
      return serving(replica, write);
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
    case 'quarantined':
      return NOTHING;
  }
}

type Writer = (...events: readonly [NewEvent, ...NewEvent[]]) => Decision;

const deleteRequested = ({ id }: ReplicaState, reason: string): NewEvent => ({
  type: 'davit.replica.delete-requested',
  data: { replicaId: id, reason },
});

const failed = (replica: ReplicaState, failure: NonNullable<ReplicaState['failure']>): NewEvent => ({
  type: 'davit.replica.failed',
  data: { replicaId: replica.id, ...failure, placement: replica.placement, hadServed: replica.everReady },
});

function place(
  replica: ReplicaState,
  deployment: DeploymentState,
  nowMs: number,
  timings: ReplicaTimings,
  write: Writer,
): Decision {
  const { discovery, id } = replica;
  const spec = (deployment.revisions[replica.revision] ?? deployment.spec).spec;
  const launchRequested: NewEvent = {
    type: 'davit.replica.launch-requested',
    data: {
      replicaId: id,
      attempt: (replica.launch?.attempt ?? 0) + 1,
      deadlineAt: new Date(nowMs + spec.readiness.startDeadlineMs).toISOString(),
    },
  };
  if (discovery.outcome === 'pending' || discovery.outcome === 'unknown' || discovery.at === null) return NOTHING;
  if (discovery.outcome === 'present' || spec.compute.mode !== 'elastic') {
    const adopted = discovery.outcome === 'present';
    const data = { replicaId: id, rung: null, placement: null, adopted, price: null, evidence: [] };
    return write({ type: 'davit.replica.placed', data }, launchRequested);
  }
  const adviceDueMs = Date.parse(discovery.at) + timings.adviceDeadlineMs;
  const rungs = spec.compute.placements.map((placement, rung) => ({
    rung,
    placement,
    signal: replica.assessments[rung],
  }));
  if (rungs.some(({ signal }) => signal === undefined) && nowMs < adviceDueMs) return waitUntil(adviceDueMs);

  const limits = {
    budget: deployment.spec.spec.budget,
    replicas: deployment.spec.spec.scaling.replicas,
  };
  const choice = choosePlacement(rungs, deployment.refusals, limits, nowMs);
  if (choice.outcome === 'none') {
    const doublings = choice.permanent ? MAX_DEFER_DOUBLINGS : Math.min(discovery.attempt - 1, MAX_DEFER_DOUBLINGS);
    const retryAt = new Date(nowMs + timings.deferMs * 2 ** doublings).toISOString();
    const reason = choice.permanent ? `waiting will not help, change the placements: ${choice.reason}` : choice.reason;
    return write({
      type: 'davit.replica.deferred',
      data: { replicaId: id, reason, retryAt, evidence: choice.evidence },
    });
  }
  const { rung, placement, price, evidence } = choice;
  return write(
    { type: 'davit.replica.placed', data: { replicaId: id, rung, placement, adopted: false, price, evidence } },
    launchRequested,
  );
}

function retry(replica: ReplicaState, nowMs: number, write: Writer): Decision {
  const retryAtMs = replica.retryAt === null ? nowMs : Date.parse(replica.retryAt);
  if (nowMs < retryAtMs) return waitUntil(retryAtMs);
  const attempt = replica.discovery.attempt + 1;
  return write({ type: 'davit.replica.discovery-requested', data: { replicaId: replica.id, attempt } });
}

type Failure = NonNullable<ReplicaState['failure']>;

/** What the provider shows that ends a replica, whether it starts or serves. */
function providerFailure({ absence, resource }: ReplicaState): Failure | undefined {
  if (absence.confirmedAt !== null)
    return { class: 'not-found', reason: 'vanished', detail: 'the provider proves it gone' };
  if (resource?.phase !== 'failed' && resource?.phase !== 'stopped') return undefined;
  return { class: resource.class ?? 'unknown', reason: `resource ${resource.phase}`, detail: resource.detail };
}

function startFailure(replica: ReplicaState): Failure | undefined {
  const { launch, runtime } = replica;
  if (launch?.outcome === 'refused') {
    return { class: launch.class ?? 'unknown', reason: 'launch refused', detail: launch.detail };
  }
  if (runtime?.reason === 'model-mismatch') return { class: 'config', reason: 'wrong model', detail: runtime.detail };
  return providerFailure(replica);
}

function launching(replica: ReplicaState, nowMs: number, write: Writer): Decision {
  const { launch, resource, runtime } = replica;
  const failure = startFailure(replica);
  if (failure) return write(failed(replica, failure));
  if (runtime?.status === 'ready' && runtime.servedModel !== null) {
    const data = { replicaId: replica.id, url: runtime.url, servedModel: runtime.servedModel };
    return write({ type: 'davit.replica.ready', data });
  }
  const deadlineMs = launch ? Date.parse(launch.deadlineAt) : nowMs;
  if (nowMs < deadlineMs) return waitUntil(deadlineMs);
  const seen = runtime?.detail ?? resource?.detail ?? 'nothing was seen of it';
  const detail = `not ready by ${launch?.deadlineAt ?? 'its deadline'}; ${seen}`;
  return write(failed(replica, { class: 'transient', reason: 'start deadline passed', detail }));
}

function serving(replica: ReplicaState, write: Writer): Decision {
  const { runtime } = replica;
  const failure = providerFailure(replica);
  if (failure) return write(failed(replica, failure));
  if (runtime?.status !== 'unready') return NOTHING;
  return write(
    failed(replica, { class: 'transient', reason: `runtime ${runtime.reason ?? 'unready'}`, detail: runtime.detail }),
  );
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
