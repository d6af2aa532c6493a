import type {
  DrainingTarget,
  ErrorClass,
  EventData,
  HourlyPrice,
  NormalisedDeployment,
  OverBudget,
  Placement,
  ResourcePhase,
  RouteTarget,
  StockSignal,
  TrafficCounts,
  UnreadyReason,
} from '@davit/contracts';
import type { KeyState } from '../access/key-state.js';
import type { WebhookState } from '../webhook/state.js';
import type { RolloutState } from '../rollout/state.js';
import type { FirstPrices } from '../placement/first-prices.js';
import type { OfferState } from './evolve-offer.js';
import type { TenantState } from './evolve-tenant.js';
import type { Meter } from './meter.js';

/** Everything the log says of one deployment. */
export type DeploymentState = {
  readonly key: string;
  readonly tenant: string;
  readonly name: string;
  readonly status: 'active' | 'deleting' | 'deleted';
  readonly generation: number;
  readonly revision: number;
  readonly activeRevision: number | null;
  readonly templateDigest: string;
  /** The latest declared specification. */
  readonly spec: NormalisedDeployment;
  /** The specification each revision was declared with. */
  readonly revisions: Readonly<Record<string, NormalisedDeployment>>;
  /** Highest incarnation used, by `<revision>/<ordinal>`. */
  readonly incarnations: Readonly<Record<string, number>>;
  /** Starts in a row that failed, by `<revision>/<ordinal>`; a replica that served for {@link STABLE_MS} clears its slot. */
  readonly failedStarts: Readonly<Record<string, FailedStarts>>;
  /** Since when the latest replica of a slot to become ready has been so, by `<revision>/<ordinal>`. */
  readonly readySince: Readonly<Record<string, string>>;
  /** When the user last asked to try again what had been given up. */
  readonly retriedAt: string | null;
  /** Every alias, with its tenant, that it was ever to serve under: one that is no longer wanted loses its routes. */
  readonly aliases: readonly string[];
  readonly conditions: Readonly<Record<string, Condition>>;
  /** Placements that refused a launch, newest last; evidence against the same rung for a while. */
  readonly refusals: readonly Refusal[];
  /** See `firstPriceOf`. */
  readonly firstPrices: FirstPrices;
  /** Slots that wait for capacity, however many replicas they lost over it, by `<revision>/<ordinal>`. */
  readonly waits: Readonly<Record<string, SlotWait>>;
  /** Slots whose replica a budget ended, by `<revision>/<ordinal>`; the next one of the slot is asked for when there is room. */
  readonly heldBack: Readonly<Record<string, HeldBack>>;
  /** The event that declared the present revision; absent in documents that were folded before it was kept. */
  readonly declaration?: string;
  /** Spend before this counts against no total: when it was declared, and anew after a deletion. */
  readonly declaredAt: string;
  /** Until it is resumed or deleted nothing is started, replaced or deleted; absent while it is not paused. */
  readonly paused?: Pause;
  /** Position of the latest event that a user asked for: who wants to change what they read names it. */
  readonly orderPosition: number;
  /** The latest rollout on evidence; absent while there was none. */
  readonly rollout?: RolloutNote;
  readonly intentId: string;
  readonly correlationId: string | null;
  /** Version of the stream `deployment/<key>`. */
  readonly version: number;
};

export type Pause = { readonly since: string; readonly reason: string; readonly actor: string | null };

/** What a deployment remembers of its latest rollout; the rest stands in the rollout itself. */
export type RolloutNote = {
  readonly id: string;
  readonly revision: number;
  readonly attempt: number;
  readonly status: 'under-way' | 'accepted' | 'rejected' | 'rolled-back' | 'refused';
  readonly replicaId: string;
  readonly since: string;
  /** Why it ended so, for people; empty while it goes on, and where it was accepted. */
  readonly detail: string;
};

/** What is lacking where a replica finds no place. */
export type WaitsFor = 'capacity' | 'budget';

export type SlotWait = {
  readonly waitsFor: WaitsFor;
  /** When the first replica of the slot found no place, or lost it to a refusal, since one of it was last ready. */
  readonly since: string;
  /** Launches refused meanwhile. */
  readonly refusals: number;
  /** The last replica that failed over it: its end is no wish to have the slot empty. */
  readonly lastRefused: string | null;
};

export type FailedStarts = {
  readonly count: number;
  /** Those of them whose launch was accepted or of unknown outcome: each may have cost money. The latest come last. */
  readonly paid: readonly string[];
  readonly lastAt: string;
  readonly lastReplica: string;
  /** Whether that one had become ready: a single death is no crash loop yet, and is healed at once. */
  readonly lastServed: boolean;
  readonly reason: string;
};

export type HeldBack = { readonly replicaId: string; readonly since: string; readonly budget: OverBudget };

/** A replica that dies sooner than this after it became ready has not started well: a crash loop is a row of failed starts. */
export const STABLE_MS = 10 * 60_000;

export type Condition = {
  readonly status: 'true' | 'false' | 'unknown';
  readonly reason: string;
  readonly message: string;
  readonly since: string;
};

export type Refusal = { readonly placement: Placement | null; readonly class: ErrorClass; readonly at: string };

export type ReplicaStatus =
  | 'requested'
  | 'deferred'
  | 'launching'
  | 'ready'
  | 'draining'
  | 'drained'
  | 'failed'
  | 'deleting'
  | 'deleted'
  | 'quarantined';

/** One life of one replica: what was decided (by orchestrator) and what was seen (by everybody else), in log order. */
export type ReplicaState = {
  readonly id: string;
  /** Only of the canary of a rollout, which is driven like a replica and is none. */
  readonly rolloutId?: string;
  readonly tenant: string;
  readonly deployment: string;
  readonly revision: number;
  readonly ordinal: number;
  readonly incarnation: number;
  readonly externalKey: string;
  readonly mode: 'elastic' | 'serverless' | 'direct';
  readonly adapter: string;
  readonly servedName: string;
  readonly correlationId: string | null;

  readonly status: ReplicaStatus;
  readonly since: string;
  readonly reason: string;
  /** True once it has been ready; decides whether its death is a failed start. */
  readonly everReady: boolean;
  /** Since when it has been ready; null before. */
  readonly readyAt: string | null;
  /** The latest thing that showed that its start moves on; null while there was none. */
  readonly progress: Progress | null;
  /** What it costs at the provider; null before a launch was accepted or lost its answer. */
  readonly meter: Meter | null;
  readonly retryAt: string | null;
  /** Since when it has been waiting for capacity, however often it was looked at in between; null when it does not. */
  readonly waitsSince: string | null;
  /** What it lacked when it last found no place; absent while it always found one. */
  readonly waitsFor?: WaitsFor;

  readonly discovery: Discovery;
  /** Signals for the present discovery, by rung. */
  readonly assessments: Readonly<Record<string, StockSignal>>;
  readonly placement: Placement | null;
  readonly rung: number | null;
  readonly price: HourlyPrice | null;
  readonly launch: Launch | null;
  readonly resource: ResourceView | null;
  readonly absence: Absence;
  readonly runtime: RuntimeView | null;
  /** The latest summary; null until one arrives, and again when the route is withdrawn. */
  readonly load: LoadView | null;
  /** The latest report of each gateway whose requests to it failed, the newest last; absent while there was none. */
  readonly traffic?: readonly TrafficReport[];
  readonly route: RouteView;
  readonly drain: Drain | null;
  readonly failure: { readonly class: ErrorClass; readonly reason: string; readonly detail: string } | null;
  readonly deletion: Attempt | null;
  /** Versions of the streams `replica/`, `resource/` or `endpoint/`, and `runtime/` of this replica. */
  readonly versions: { readonly replica: number; readonly resource: number; readonly runtime: number };
};

export type Drain = {
  readonly deadlineAt: string;
  readonly reason: string;
  /** How it ended; absent while it goes on. */
  readonly ended?: Pick<EventData<'davit.replica.drained'>, 'outcome' | 'cutRequests'>;
};

export type Progress = { readonly at: string; readonly what: string };

export type Discovery = {
  readonly attempt: number;
  readonly outcome: 'pending' | 'present' | 'absent' | 'unknown';
  readonly at: string | null;
  readonly detail: string;
  /** Of the event that answered it; absent while there is no answer. */
  readonly position?: number;
};

/** Something was asked of the provider; law 3 gives each attempt an outcome. */
export type Attempt = {
  readonly attempt: number;
  readonly outcome: 'requested' | 'attempted' | 'accepted' | 'refused' | 'unknown';
  readonly since: string;
  readonly class: ErrorClass | null;
  readonly detail: string;
};

export type Launch = Attempt & {
  readonly requestedAt: string;
  readonly deadlineAt: string;
  readonly handle: string | null;
};

export type ResourceView = {
  readonly phase: ResourcePhase;
  readonly url: string | null;
  readonly providerId: string | null;
  readonly class: ErrorClass | null;
  readonly detail: string;
  readonly at: string;
  /** Where its start is stuck and what a person can do; absent while nothing is known, and again once it is up. */
  readonly diagnosis?: DiagnosisView;
  /** The latest change that nobody here asked for. */
  readonly drift?: DriftView;
};

export type DriftView = {
  readonly what: 'vanished' | 'replaced' | 'stopped' | 'reappeared' | 'record-lost' | 'changed';
  readonly was: string;
  readonly is: string;
  readonly since: string;
};

export type DiagnosisView = {
  readonly boundary: string;
  readonly class: ErrorClass;
  readonly detail: string;
  readonly remedy: string;
  readonly since: string;
};

/** Evidence that the resource is gone (law 5); any sight of it starts anew. */
export type Absence = {
  readonly observedAt: readonly string[];
  readonly confirmedAt: string | null;
  /** True when the resource was let go without being deleted. */
  readonly released: boolean;
  /** When it was seen again after it had been seen absent; a deletion asked for before that did not end it. */
  readonly reappearedAt?: string;
};

export type RuntimeView = {
  readonly status: 'probing' | 'ready' | 'unready';
  readonly url: string;
  readonly servedModel: string | null;
  /** Names of adapters that it serves beside the model; absent while it was not asked. */
  readonly adapters?: readonly string[];
  /** Tokens that it was started for; absent where it does not tell. */
  readonly contextLength?: number;
  readonly engineVersion?: string;
  readonly reason: UnreadyReason | null;
  readonly detail: string;
  readonly since: string;
};

/** What one gateway said last of its requests to a replica, of which some failed. */
export type TrafficReport = TrafficCounts & { readonly reporter: string; readonly at: string };

export type LoadView = { readonly running: number | null; readonly waiting: number | null; readonly at: string };

export type RouteView = {
  readonly registered: boolean;
  /** Aliases that lead to it. */
  readonly aliases: readonly string[];
  /** Null while it never had a route. */
  readonly changedAt: string | null;
  readonly snapshot: number | null;
};

/** The present targets of one model alias. */
export type RouteState = {
  readonly alias: string;
  readonly tenant: string;
  readonly snapshot: number;
  /** Where new requests go. */
  readonly targets: readonly RouteTarget[];
  /** Where requests that began may end. */
  readonly draining: readonly DrainingTarget[];
  /** Of the present snapshot; null before the first. */
  readonly digest: string | null;
  /** Version of the stream `route/<alias>`. */
  readonly version: number;
};

/** Something at a provider that carries our prefix and that no live replica owns. */
export type OrphanState = {
  /** Key of its stream; see {@link orphanKeyOf}. */
  readonly key: string;
  readonly tenant: string;
  readonly externalKey: string;
  readonly adapter: string;
  readonly category: 'resource' | 'endpoint';
  readonly providerId: string | null;
  /** Its replica, where the log knows one. */
  readonly replicaId: string | null;
  readonly reason: 'no-owner' | 'owner-gone' | 'duplicate' | 'canary-left';
  readonly policy: 'report' | 'approve' | 'auto';
  readonly status: 'quarantined' | 'reaping' | 'cleared' | 'gone';
  readonly foundAt: string;
  readonly quarantinedUntil: string;
  readonly price: HourlyPrice | null;
  readonly approved: { readonly intentId: string; readonly at: string } | null;
  readonly deletion: Attempt | null;
  /** Deletions asked for so far, also before it was cleared and found again. */
  readonly attempts?: number;
  /** Absent in documents that were folded before orphans had one. */
  readonly meter?: Meter;
  readonly absence: Absence;
  readonly detail: string;
  /** Version of the orphan's stream. */
  readonly version: number;
};

/** What law 12 counts: one document for the whole fleet. */
export type FleetState = {
  readonly tenant: string;
  /** Replicas that are ready and not on their way out. */
  readonly serving: number;
  /** The latest losses that count, oldest first. */
  readonly losses: readonly { readonly replicaId: string; readonly at: string }[];
  readonly frozen: { readonly since: string; readonly detail: string } | null;
  /** An order to thaw that came after the freeze began. */
  readonly thawOrdered: { readonly at: string; readonly reason: string } | null;
  /** Illness seen up to here was believed by a thaw: it counts no more, neither against the limits nor as a reason to freeze. */
  readonly believedBefore: string | null;
  /** Version of the stream `fleet/losses`. */
  readonly version: number;
};

/** An alarm that is up. */
export type AlarmState = {
  readonly tenant: string;
  readonly alarm: string;
  readonly about: string;
  readonly severity: 'warning' | 'critical';
  readonly detail: string;
  readonly since: string;
};

export type LifecycleDocument =
  | DeploymentState
  | ReplicaState
  | RouteState
  | OrphanState
  | FleetState
  | AlarmState
  | OfferState
  | TenantState
  | KeyState
  | WebhookState
  | RolloutState;

/** States in which a replica is or may become useful; the others are on their way out. */
const LIVE_STATUSES: readonly ReplicaStatus[] = ['requested', 'deferred', 'launching', 'ready'];
export const isLive = (replica: ReplicaState): boolean => LIVE_STATUSES.includes(replica.status);
/** Serving as far as was decided, and seen ill: what is about to be given up unless too many are at once (law 12). */
export const isSuspect = (replica: ReplicaState): boolean =>
  replica.status === 'ready' &&
  (replica.runtime?.status === 'unready' ||
    replica.absence.observedAt.length > 0 ||
    replica.resource?.phase === 'failed' ||
    replica.resource?.phase === 'stopped');
/** Its resource was seen again after it had been proven gone: the deletion has to begin anew. */
export const isReopened = ({ status, absence }: ReplicaState): boolean =>
  status === 'deleted' && absence.confirmedAt === null && !absence.released && absence.reappearedAt !== undefined;
export const isGone = (replica: ReplicaState): boolean => replica.status === 'deleted';
export const aliasOf = (replica: ReplicaState): string => `${replica.tenant}/${replica.servedName}`;
