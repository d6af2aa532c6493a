import { type NewEvent, stream } from '@davit/contracts';
import { type Decision, type Write, earliest } from '../decision.js';
import { externalKeyOf, replicaIdOf } from '../identity.js';
import { type DeploymentState, type ReplicaState, isGone, isLive } from '../lifecycle/state.js';
import { conditionChanges, isServing } from './conditions.js';

/** First wait after a failed start; doubles with each further one. */
const START_BACKOFF_MS = 5_000;
const START_BACKOFF_CAP_MS = 30 * 60_000;
/** Lives of one slot that are not proven gone, beyond which no further one is paid for. */
const MAX_LIVES = 2;

/**
 * Orchestrator's next step for a whole deployment: which replicas must come, which must go, which revision serves.
 * Capacity first, traffic second: an old revision keeps serving until the new one has routes for all its replicas.
 * @param replicas every replica of the deployment that is not yet proven gone
 */
export function decideDeployment(
  deployment: DeploymentState,
  replicas: readonly ReplicaState[],
  nowMs: number,
  installation: string,
): Decision {
  const view = new Convergence(deployment, replicas, nowMs, installation);
  return view.decide();
}

class Convergence {
  private readonly writes: Write[] = [];
  private wakeAtMs: number | null = null;
  private readonly own: NewEvent[] = [];
  private readonly heldBack: string[] = [];

  constructor(
    private readonly deployment: DeploymentState,
    private readonly replicas: readonly ReplicaState[],
    private readonly nowMs: number,
    private readonly installation: string,
  ) {}

  decide(): Decision {
    const { deployment } = this;
    if (deployment.status === 'deleted') return { writes: [], wakeAtMs: null };
    if (deployment.status === 'deleting') this.deleteAll();
    else this.converge();
    const [first, ...rest] = this.own;
    if (first) {
      this.writes.push({
        stream: stream.deployment(deployment.key),
        expectedVersion: deployment.version,
        events: [first, ...rest],
      });
    }
    return { writes: this.writes, wakeAtMs: this.wakeAtMs };
  }

  private deleteAll(): void {
    if (this.replicas.every(isGone)) {
      this.own.push({ type: 'davit.deployment.deleted', data: { generation: this.deployment.generation } });
      return;
    }
    for (const replica of this.replicas) {
      if (isLive(replica) || replica.status === 'quarantined') this.retire(replica, 'the deployment is deleted');
    }
    this.tellConditions(0);
  }

  private converge(): void {
    const current = this.replicas.filter(({ revision }) => revision === this.deployment.revision);
    const older = this.replicas.filter(({ revision }) => revision !== this.deployment.revision);
    this.request(current, older);
    for (const replica of current) {
      if (isLive(replica) && replica.ordinal >= this.desired) this.retire(replica, 'scaled down');
    }
    this.roll(current, older);
    this.tellConditions(this.desired);
  }

  private tellConditions(desired: number): void {
    const { deployment, replicas, heldBack } = this;
    this.own.push(...conditionChanges({ deployment, replicas, desired, heldBack }));
  }

  private get desired(): number {
    return this.deployment.spec.spec.scaling.replicas;
  }

  /** Asks for every missing replica at once, so that n replicas cost one cold start. */
  private request(current: readonly ReplicaState[], older: readonly ReplicaState[]): void {
    for (let ordinal = 0; ordinal < this.desired; ordinal++) {
      const lives = current.filter((replica) => replica.ordinal === ordinal);
      if (lives.some(isLive)) continue;
      if (this.mustWaitFor(ordinal, lives)) continue;
      if (this.deployment.spec.spec.rollout.strategy === 'in-place' && !this.hasRoom(ordinal, current, older)) continue;
      this.requestReplica(ordinal);
    }
  }

  /**
   * A failed start is proven gone, and its back-off over, before the next incarnation is paid for; and lives that cannot be
   * proven gone do not pile up beside it.
   */
  private mustWaitFor(ordinal: number, lives: readonly ReplicaState[]): boolean {
    if (lives.length >= MAX_LIVES) {
      this.heldBack.push(`replica ${ordinal} waits until ${lives.map(({ id }) => id).join(' or ')} is proven gone`);
      return true;
    }
    if (lives.some((replica) => !replica.everReady)) return true;
    const failures = this.deployment.failedStarts[`${this.deployment.revision}/${ordinal}`];
    if (!failures) return false;
    const backoffMs = Math.min(START_BACKOFF_CAP_MS, START_BACKOFF_MS * 2 ** Math.min(failures.count - 1, 30));
    const dueMs = Date.parse(failures.lastAt) + backoffMs;
    if (this.nowMs >= dueMs) return false;
    this.wakeAtMs = earliest(this.wakeAtMs, dueMs);
    this.heldBack.push(
      `replica ${ordinal} failed to start ${failures.count} times in a row, next try at ${new Date(dueMs).toISOString()} (${failures.reason})`,
    );
    return true;
  }

  /** Without spare capacity an ordinal is emptied before it is filled, lowest first, one at a time. */
  private hasRoom(ordinal: number, current: readonly ReplicaState[], older: readonly ReplicaState[]): boolean {
    const occupants = older.filter((replica) => replica.ordinal === ordinal && !isGone(replica));
    if (occupants.length === 0) return true;
    const lowerDone = Array.from({ length: ordinal }, (_, lower) =>
      current.some((replica) => replica.ordinal === lower && isServing(replica)),
    ).every(Boolean);
    if (lowerDone)
      for (const replica of occupants) if (isLive(replica)) this.retire(replica, 'makes room for its successor');
    return false;
  }

  private requestReplica(ordinal: number): void {
    const { deployment } = this;
    const { revision, spec, key } = deployment;
    const incarnation = (deployment.incarnations[`${revision}/${ordinal}`] ?? 0) + 1;
    const identity = { deployment: key, revision, ordinal, incarnation };
    const replicaId = replicaIdOf(identity);
    const replaces = incarnation > 1 ? replicaIdOf({ ...identity, incarnation: incarnation - 1 }) : null;
    const { compute, model } = spec.spec;
    this.writes.push({
      stream: stream.replica(replicaId),
      expectedVersion: 0,
      events: [
        {
          type: 'davit.replica.requested',
          data: {
            replicaId,
            deployment: key,
            revision,
            ordinal,
            incarnation,
            externalKey: externalKeyOf(identity, this.installation),
            mode: compute.mode,
            adapter: compute.adapter,
            servedName: model.servedName,
            reason:
              replaces === null ? `revision ${revision} needs replica ${ordinal}` : `takes the place of ${replaces}`,
            replaces,
          },
        },
        { type: 'davit.replica.discovery-requested', data: { replicaId, attempt: 1 } },
      ],
    });
  }

  private roll(current: readonly ReplicaState[], older: readonly ReplicaState[]): void {
    const serving = current.filter((replica) => replica.ordinal < this.desired && isServing(replica));
    const complete = serving.length >= this.desired;
    if (complete && this.deployment.activeRevision !== this.deployment.revision) {
      const { revision, activeRevision } = this.deployment;
      this.own.push({ type: 'davit.deployment.revision-activated', data: { revision, previous: activeRevision } });
    }
    for (const replica of older) {
      // A superseded candidate that never served holds no traffic: it goes at once.
      if (isLive(replica) && (complete || !replica.everReady))
        this.retire(replica, `revision ${this.deployment.revision} took over`);
    }
  }

  private readonly retired = new Set<string>();

  /** A replica with traffic is drained; one without is deleted. */
  private retire(replica: ReplicaState, reason: string): void {
    if (this.retired.has(replica.id)) return;
    this.retired.add(replica.id);
    const drainMs = this.deployment.spec.spec.rollout.drainDeadlineMs;
    const event: NewEvent =
      replica.status === 'ready'
        ? {
            type: 'davit.replica.drain-requested',
            data: { replicaId: replica.id, reason, deadlineAt: new Date(this.nowMs + drainMs).toISOString() },
          }
        : { type: 'davit.replica.delete-requested', data: { replicaId: replica.id, reason } };
    this.writes.push({
      stream: stream.replica(replica.id),
      expectedVersion: replica.versions.replica,
      events: [event],
    });
  }
}
