import { type NewEvent, stream } from '@davit/contracts';
import { type Decision, type Write, earliest } from '../decision.js';
import { type DeploymentState, type ReplicaState, isGone, isLive } from '../lifecycle/state.js';
import { conditionChanges, isServing } from './conditions.js';
import { requestReplica } from './request.js';
import { type HeldSlot, emptySlots, holdOf, roomFor } from './slots.js';
import { victimsOf } from './victims.js';

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
  private readonly held: HeldSlot[] = [];
  private readonly retired = new Set<string>();

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
    const live = current.filter(isLive);
    const victims = victimsOf(live, this.desired);
    for (const { replica, reason } of victims) this.retire(replica, reason);
    const kept = live.filter(({ id }) => !this.retired.has(id));
    this.request(current, kept, older);
    this.roll(kept, older);
    this.endQuarantines();
    this.tellConditions(this.desired);
  }

  private tellConditions(desired: number): void {
    const { deployment, replicas, held, nowMs } = this;
    this.own.push(...conditionChanges({ deployment, replicas, desired, held, nowMs }));
  }

  private get desired(): number {
    return this.deployment.spec.spec.scaling.replicas;
  }

  /** Asks for every missing replica at once, so that n replicas cost one cold start. */
  private request(
    current: readonly ReplicaState[],
    kept: readonly ReplicaState[],
    older: readonly ReplicaState[],
  ): void {
    const { deployment, nowMs } = this;
    const inPlace = deployment.spec.spec.rollout.strategy === 'in-place';
    let asked = 0;
    for (const ordinal of emptySlots(kept, this.desired)) {
      const lives = current.filter((replica) => replica.ordinal === ordinal && !this.retired.has(replica.id));
      const hold =
        holdOf(deployment, ordinal, lives, nowMs) ??
        (inPlace ? this.makeRoom(ordinal, asked, current, older) : undefined);
      if (hold) {
        this.held.push(hold);
        if (hold.deadline !== null) this.wakeAtMs = earliest(this.wakeAtMs, Date.parse(hold.deadline));
        continue;
      }
      this.writes.push(requestReplica(deployment, ordinal, this.installation));
      asked += 1;
    }
  }

  private makeRoom(
    ordinal: number,
    asked: number,
    current: readonly ReplicaState[],
    older: readonly ReplicaState[],
  ): HeldSlot | undefined {
    const occupants = older.filter((replica) => !isGone(replica));
    const { room, evict } = roomFor(this.desired - asked, current, occupants);
    if (room) return undefined;
    if (evict && asked === 0) this.retire(evict, 'makes room for its successor');
    const message = `replica ${ordinal} waits for the room of revision ${occupants[0]?.revision ?? 0}, which is emptied one by one`;
    const since = occupants[0]?.since ?? new Date(this.nowMs).toISOString();
    return { ordinal, reason: 'making-room', since, deadline: null, next: 'an old replica is proven gone', message };
  }

  private roll(kept: readonly ReplicaState[], older: readonly ReplicaState[]): void {
    const complete = kept.filter(isServing).length >= this.desired;
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

  /** What is quarantined may bill: it goes with its revision, with the last replica, or when a user asks to try again. */
  private endQuarantines(): void {
    const { revision, retriedAt } = this.deployment;
    for (const replica of this.replicas) {
      if (replica.status !== 'quarantined') continue;
      if (replica.revision !== revision) this.retire(replica, `revision ${revision} took over`);
      else if (this.desired === 0) this.retire(replica, 'scaled down to 0');
      else if (retriedAt !== null && retriedAt >= replica.since) this.retire(replica, 'tried again as asked for');
    }
  }

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
