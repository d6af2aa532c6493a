import { type NewEvent, type OverBudget, stream } from '@davit/contracts';
import type { BudgetAccount } from '../budget/account.js';
import { budgetHold, isPlacing } from '../budget/hold.js';
import { budgetRoom, roomWithout } from '../budget/room.js';
import { type BudgetVerdict, judgeBudget } from '../budget/verdict.js';
import { budgetVictims } from '../budget/victims.js';
import { type Decision, type Write, earliest } from '../decision.js';
import { type DeploymentState, type ReplicaState, isGone, isLive } from '../lifecycle/state.js';
import type { BudgetRoom } from '../placement/limits.js';
import { conditionChanges, isServing } from './conditions.js';
import { requestReplica } from './request.js';
import { type Room, UNLIMITED, makingRoom, roomIn } from './room.js';
import { type HeldSlot, emptySlots, holdOf } from './slots.js';
import { shortfallOf, upheldOf } from './uphold.js';
import { victimsOf } from './victims.js';

/**
 * Orchestrator's next step for a whole deployment: which replicas must come, which must go, which revision serves.
 * Capacity first, traffic second: an old revision keeps serving until the new one has routes for all its replicas.
 * @param replicas every replica of the deployment that is not yet proven gone
 * @param budgets those that hold for it: its own, and its tenant's
 */
export function decideDeployment(
  deployment: DeploymentState,
  replicas: readonly ReplicaState[],
  nowMs: number,
  installation: string,
  budgets: readonly BudgetAccount[] = [],
): Decision {
  const verdicts = budgets.map((account) => judgeBudget(account, nowMs));
  const view = new Convergence(deployment, replicas, nowMs, installation, verdicts, upheldOf(deployment));
  return view.decide();
}

/** Slots to be filled, beside all replicas of their revision. */
type Empty = { readonly replicas: readonly ReplicaState[]; readonly ordinals: readonly number[] };

function byOrdinal(replicas: readonly ReplicaState[]): ReadonlyMap<number, readonly ReplicaState[]> {
  const lives = new Map<number, ReplicaState[]>();
  for (const replica of replicas) {
    const same = lives.get(replica.ordinal);
    if (same) same.push(replica);
    else lives.set(replica.ordinal, [replica]);
  }
  return lives;
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
    private readonly budgets: readonly BudgetVerdict[],
    /** What its replicas are made of now; the deployment itself where no rollout stands between. */
    private readonly subject: DeploymentState,
  ) {
    for (const { changesAtMs } of budgets) this.wakeAtMs = earliest(this.wakeAtMs, changesAtMs);
  }

  decide(): Decision {
    const { deployment } = this;
    if (deployment.status === 'deleted') return { writes: [], wakeAtMs: null };
    if (deployment.status === 'deleting') this.deleteAll();
    // What is on its way out ends; the replicas' own steps see to that.
    else if (deployment.paused) this.tellConditions(this.desired);
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
    const current = this.replicas.filter(({ revision }) => revision === this.subject.revision);
    const older = this.replicas.filter(({ revision }) => revision !== this.subject.revision);
    const live = current.filter(isLive);
    const victims = victimsOf(live, this.desired);
    for (const { replica, reason } of victims) this.retire(replica, reason);
    const kept = live.filter(({ id }) => !this.retired.has(id));
    const empty = { replicas: current, ordinals: emptySlots(kept, this.desired) };
    this.request(this.subject, empty, this.isInPlace ? roomIn(this.desired, current, older) : UNLIMITED);
    const shortfall = shortfallOf(this.subject, kept, older);
    if (shortfall) this.request(shortfall.deployment, shortfall, UNLIMITED);
    this.roll(kept, older);
    this.endQuarantines();
    this.drainOverBudget();
    this.tellConditions(this.desired);
  }

  private tellConditions(desired: number): void {
    const { deployment, replicas, held, budgets, nowMs } = this;
    this.own.push(...conditionChanges({ deployment, replicas, desired, held, budgets, nowMs }));
  }

  private get desired(): number {
    return this.deployment.spec.spec.scaling.replicas;
  }

  private get isInPlace(): boolean {
    return this.deployment.spec.spec.rollout.strategy === 'in-place';
  }

  /** Asks for every missing replica at once, so that n replicas cost one cold start. */
  private request(deployment: DeploymentState, { replicas, ordinals }: Empty, room: Room): void {
    const lives = byOrdinal(replicas.filter(({ id }) => !this.retired.has(id)));
    const rooms = this.budgets.map(({ account, balance }) => budgetRoom(account, this.nowMs, balance));
    const emptied = room.occupant ? this.roomsOnceEmptied(room) : rooms;
    let placing = this.replicas.some(isPlacing);
    let asked = 0;
    for (const ordinal of ordinals) {
      const fits = asked < room.places;
      const hold =
        holdOf(deployment, ordinal, lives.get(ordinal) ?? [], this.nowMs) ??
        budgetHold({ deployment, rooms: fits ? rooms : emptied, isPlacing: placing, nowMs: this.nowMs }, ordinal) ??
        (fits ? undefined : this.makeRoom(deployment, ordinal, room));
      if (hold) {
        this.held.push(hold);
        if (hold.deadline !== null) this.wakeAtMs = earliest(this.wakeAtMs, Date.parse(hold.deadline));
        continue;
      }
      this.writes.push(requestReplica(deployment, ordinal, this.installation));
      asked += 1;
      placing = true;
    }
  }

  /** The machine that makes room in place makes it in the budgets too: a fleet that fits exactly is rolled all the same. */
  private roomsOnceEmptied({ evict }: Room): readonly BudgetRoom[] {
    const leaving = this.replicas.filter((replica) => !isLive(replica) || replica === evict);
    const gone = new Set(leaving.map(({ id }) => id));
    return this.budgets.map((verdict) => roomWithout(verdict, gone, this.nowMs));
  }

  private makeRoom({ revision }: DeploymentState, ordinal: number, room: Room): HeldSlot {
    if (room.evict) this.retire(room.evict, 'makes room for its successor');
    return makingRoom(revision, ordinal, room, this.nowMs);
  }

  private roll(kept: readonly ReplicaState[], older: readonly ReplicaState[]): void {
    const complete = kept.filter(isServing).length >= this.desired;
    if (complete && this.subject.activeRevision !== this.subject.revision) {
      const { revision, activeRevision } = this.subject;
      this.own.push({ type: 'davit.deployment.revision-activated', data: { revision, previous: activeRevision } });
    }
    const { activeRevision } = this.subject;
    for (const replica of older) {
      // A superseded candidate that never served holds no traffic: it goes at once. One that heals what serves is none.
      const heals = replica.revision === activeRevision && !this.isInPlace;
      if (isLive(replica) && (complete || (!replica.everReady && !heals)))
        this.retire(replica, `revision ${this.subject.revision} took over`);
    }
  }

  /** What is quarantined may bill: it goes with its revision, with the last replica, or when a user asks to try again. */
  private endQuarantines(): void {
    const { revision, retriedAt } = this.subject;
    for (const replica of this.replicas) {
      if (replica.status !== 'quarantined') continue;
      if (replica.revision !== revision) this.retire(replica, `revision ${revision} took over`);
      else if (this.desired === 0) this.retire(replica, 'scaled down to 0');
      else if (retriedAt !== null && retriedAt >= replica.since) this.retire(replica, 'tried again as asked for');
    }
  }

  /** Last, so that what goes anyway is counted as gone. Each deployment of a tenant ends its own part of what is too much. */
  private drainOverBudget(): void {
    const own = new Map(this.replicas.map((replica) => [replica.id, replica]));
    for (const verdict of this.budgets) {
      for (const { replica, reason, budget } of budgetVictims(verdict, this.retired)) {
        const present = own.get(replica.id);
        if (present) this.retire(present, reason, budget);
      }
    }
  }

  /** A replica with traffic is drained; one without is deleted. */
  private retire(replica: ReplicaState, reason: string, budget?: OverBudget): void {
    if (this.retired.has(replica.id)) return;
    this.retired.add(replica.id);
    const evidence = budget ? { budget } : {};
    const drainMs = this.deployment.spec.spec.rollout.drainDeadlineMs;
    const event: NewEvent =
      replica.status === 'ready'
        ? {
            type: 'davit.replica.drain-requested',
            data: {
              replicaId: replica.id,
              reason,
              deadlineAt: new Date(this.nowMs + drainMs).toISOString(),
              ...evidence,
            },
          }
        : { type: 'davit.replica.delete-requested', data: { replicaId: replica.id, reason, ...evidence } };
    this.writes.push({
      stream: stream.replica(replica.id),
      expectedVersion: replica.versions.replica,
      events: [event],
    });
  }
}
