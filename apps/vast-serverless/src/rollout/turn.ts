import { type NewEvent, stream } from '@davit/contracts';
import {
  type DeploymentState,
  evolveRollout,
  hourlyLimit,
  type Money,
  type ReplicaState,
  type RolloutState,
  type RolloutView,
  touchedProduction,
} from '@davit/domain';
import type { ReconcileContext, ReconcileResult } from '@davit/reconcile';
import type { Jobs } from './jobs/jobs.js';
import type { RolloutParts } from './parts.js';
import type { NotSeen } from './production/workers.js';

type Events = readonly [NewEvent, ...NewEvent[]];

/** Longest text that an event takes. */
const MAX_DETAIL = 2_000;
export const cut = (detail: string): string => detail.slice(0, MAX_DETAIL);

/** One look at one rollout: what its steps share. */
export class Turn {
  private version: number;
  /** As it is by what this turn wrote; decisions rest on `state`. */
  private seen: RolloutState | undefined;

  constructor(
    readonly parts: RolloutParts,
    readonly context: ReconcileContext,
    readonly state: RolloutState,
    readonly view: RolloutView,
    readonly jobs: Jobs,
  ) {
    this.version = state.version;
    this.seen = state;
  }

  get nowMs(): number {
    return this.context.nowMs();
  }

  get deployment(): DeploymentState {
    return this.view.deployment;
  }

  /** The plan of a rollout that was begun; only such are taken a turn of. */
  get plan(): NonNullable<RolloutState['plan']> {
    const { plan } = this.state;
    if (!plan) throw new Error(`${this.state.id} was refused, and has no plan`);
    return plan;
  }

  /** What production may cost an hour at most, where anybody says. */
  get hourlyLimit(): Money | undefined {
    const { objectives } = this.plan.policy;
    return hourlyLimit(objectives, this.deployment.revisions[this.state.revision]?.spec.budget ?? null);
  }

  /** Name of the endpoint that is rolled. */
  get endpointName(): string {
    return this.view.replica?.externalKey ?? '';
  }

  get servedName(): string {
    return this.view.replica?.servedName ?? this.deployment.spec.spec.model.servedName;
  }

  /** Appends to the rollout's own stream; false when anything that it was decided on has moved on, or the lease has gone. */
  append(...events: Events): Promise<boolean> {
    return this.put(events, restsOn(this.deployment, this.view.replica));
  }

  /** Writes what came of an effect. It is so whatever was declared meanwhile, and rests on nothing but the rollout's own stream. */
  async record(...events: Events): Promise<ReconcileResult> {
    await this.put(events, []);
    return this.soon;
  }

  private async put(events: Events, requires: ReturnType<typeof restsOn>): Promise<boolean> {
    const { tenant, correlationId, id } = this.state;
    const write = { stream: stream.rollout(id), expectedVersion: this.version, events };
    const result = await this.context.append([write], {
      ...{ tenant, requires },
      ...(correlationId === null ? {} : { correlationId }),
    });
    if (result.outcome !== 'appended') return false;
    this.version += events.length;
    this.parts.meters?.(this.seen, result.events);
    this.seen = result.events.reduce<RolloutState | undefined>(evolveRollout, this.seen);
    return true;
  }

  private get isWithdrawable(): boolean {
    return !touchedProduction(this.state) && this.state.phase.name !== 'withdrawing';
  }

  get soon(): ReconcileResult {
    return { requeueAfterMs: this.parts.pace.lookMs };
  }

  /** What was decided is written, and what follows from it can be done at once. */
  async write(...events: Events): Promise<ReconcileResult> {
    await this.append(...events);
    return this.soon;
  }

  /**
   * A look failed, or said nothing: nothing is known, and it is looked again. What may not be looked at ends a rollout that has changed
   * nothing yet: a wider key is for people to give.
   */
  notKnown(what: string, seen: string | NotSeen): ReconcileResult | Promise<ReconcileResult> {
    const { notSeen: detail, isDenied = false } = typeof seen === 'string' ? { notSeen: seen } : seen;
    if (isDenied && this.isWithdrawable) {
      const data = { rolloutId: this.state.id, reason: 'access-denied', detail: cut(`${what}: ${detail}`) } as const;
      return this.write({ type: 'davit.rollout.withdrawn', data });
    }
    this.context.logger.info({ rolloutId: this.state.id, what, detail }, 'not known yet, looked for again');
    return this.soon;
  }
}

/** A decision counts only as long as what was declared, and what was decided of the replica, is what it was made on. */
export const restsOn = (deployment: DeploymentState, replica: ReplicaState | undefined) => [
  { stream: stream.deployment(deployment.key), version: deployment.version },
  ...(replica ? [{ stream: stream.replica(replica.id), version: replica.versions.replica }] : []),
];
