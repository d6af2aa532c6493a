import type { ReplicaState } from '../lifecycle/state.js';
import type {
  EventData,
  EvidencePolicy,
  RolloutApproval,
  RolloutEndReason,
  ScalingBounds,
  TemplateIdentity,
  WorkerView,
} from '@davit/contracts';
import type { Meter } from '../lifecycle/meter.js';

/** Whether something that was asked of the provider happened. */
export type Answer = 'attempted' | 'done' | 'refused' | 'unknown';
export type AskedStep = { readonly attempt: number; readonly answer: Answer; readonly detail: string };

/** The endpoint that proves the candidate. It bills from its request until it is proven gone. */
export type Canary = {
  readonly externalKey: string;
  readonly launch: Answer | null;
  readonly launchDetail: string;
  /** When its removal was asked for, and until when that should be done; null before. */
  readonly removal: { readonly since: string; readonly deadlineAt: string } | null;
  /** The event that confirmed its absence. */
  readonly absence: { readonly eventId: string; readonly since: string } | null;
  readonly removed: boolean;
  /** What it costs its deployment; null while nothing was launched. */
  readonly meter: Meter | null;
  /** The same endpoint as whoever drives resources sees it. */
  readonly resource: ReplicaState;
};

export type RampRun = {
  readonly ramp: number;
  readonly attempt: number;
  readonly converged: boolean;
  readonly evidenceDigest: string;
};

/** What load has used of its caps. A run that was cut off counts as if it had used all that it might have. */
export type LoadUsed = { readonly requests: number; readonly spend: string; readonly elapsedMs: number };

export type PresentRun = {
  readonly ramp: number;
  readonly attempt: number;
  readonly aborted: string | null;
  readonly beganAt: string;
  readonly maxRequests: number;
  readonly maxSpend: string;
};

export type ApprovalRequest = {
  readonly at: string;
  readonly required: boolean;
  readonly evidenceDigest: string;
  readonly deadlineAt: string;
};

export type Why = { readonly reason: RolloutEndReason; readonly detail: string };

/** What a rollout is doing. A field that means nothing in a phase does not exist in it. */
export type RolloutPhase =
  | {
      readonly name: 'proving';
      readonly templating: AskedStep | null;
      readonly failed: Pick<EventData<'davit.rollout.candidate-failed'>, 'step' | 'detail'> | null;
    }
  | { readonly name: 'bounding'; readonly set: ScalingBounds | null; readonly refused: string | null }
  | {
      readonly name: 'ramping';
      /** Ramps that were run to their end. */
      readonly run: readonly RampRun[];
      readonly present: PresentRun | null;
      readonly used: LoadUsed;
    }
  | { readonly name: 'baselining'; readonly recorded: string | null }
  | { readonly name: 'awaiting-approval'; readonly request: ApprovalRequest; readonly approval: RolloutApproval | null }
  | {
      readonly name: 'updating';
      readonly update: AskedStep;
      /** Production was read back, and holds the former template: the change was not carried out. */
      readonly wasNotChanged: boolean;
    }
  | { readonly name: 'observing'; readonly triggeredAt: string; readonly notConverged: string | null }
  | {
      readonly name: 'judging';
      readonly convergedAt: string;
      readonly verdict: EventData<'davit.rollout.verdict-reached'> | null;
      /** When the latest verdict was told, or before the first, when there could be one. */
      readonly toldAt: string;
    }
  | ({ readonly name: 'withdrawing' } & Why)
  | ({
      readonly name: 'rolling-back';
      readonly rollback: AskedStep;
      /** From when on the provider may hold the old template again. */
      readonly takenBackAt: string;
      /** Workers that were on the old template, by records that are known to move, when the way back began: when each had loaded. */
      readonly stayed: Readonly<Record<string, string | null>>;
      /** Production never held the candidate, so that no worker can be on it. */
      readonly wasNotChanged: boolean;
      readonly observed: number | null;
    } & Why)
  | { readonly name: 'over'; readonly outcome: 'accepted' }
  | ({ readonly name: 'over'; readonly outcome: 'rejected' | 'rolled-back' } & Why)
  | {
      readonly name: 'over';
      readonly outcome: 'refused';
      readonly code: string;
      readonly detail: string;
      readonly remedy: string;
    };

/** Acceptance waits because requests queue for too long. */
export type Pause = {
  readonly since: string;
  readonly deadlineAt: string;
  /** Bounds still to be written to production. */
  readonly raiseTo: ScalingBounds | null;
};

/** An operator's word. */
export type RolloutOrder = { readonly eventId: string; readonly at: string; readonly reason: string };

/** Everything the log says of one rollout. */
export type RolloutState = {
  readonly id: string;
  readonly tenant: string;
  readonly deployment: string;
  readonly revision: number;
  readonly fromRevision: number;
  readonly replicaId: string;
  readonly startedAt: string;
  /** When the present phase began. */
  readonly since: string;
  readonly phase: RolloutPhase;
  /** Null for one that was refused before it began. */
  readonly plan: {
    readonly workergroupId: number;
    readonly rollback: TemplateIdentity;
    readonly policy: EvidencePolicy;
    /** Events that led to it; the first of them is the declaration. */
    readonly because: readonly string[];
  } | null;
  readonly template: TemplateIdentity | null;
  readonly bounds: ScalingBounds | null;
  /** Bounds that production may have because of it, once it was touched: those that were worked out, and each raise of them. */
  readonly mayHold: readonly ScalingBounds[];
  readonly canary: Canary | null;
  /** How the candidate proved itself; null before. */
  readonly proof: Pick<EventData<'davit.rollout.candidate-proved'>, 'outputs' | 'evidenceDigest'> | null;
  /** Digest of how production served before; null before it was recorded. */
  readonly baseline: string | null;
  /** When production was first asked to change; null before. */
  readonly touchedAt: string | null;
  /** Workers as they were last seen since production began to change, by id. */
  readonly workers: Readonly<Record<string, WorkerView>>;
  /** Workers whose record was the former template's at some time since then; one that was rented later never had it. */
  readonly formerly: readonly number[];
  /** The record of one of them became the candidate's: records tell templates apart. */
  readonly recordsMove: boolean;
  readonly paused: Pause | null;
  /** When requests were last seen to queue no longer; what was seen before that judges nothing. */
  readonly resumedAt: string | null;
  readonly rejected: RolloutOrder | null;
  readonly aborted: RolloutOrder | null;
  readonly correlationId: string | null;
  /** Version of the stream `rollout/<id>`. */
  readonly version: number;
};

export const isOver = ({ phase }: RolloutState): boolean => phase.name === 'over';

/** While it is not proven gone, and its rollout not over, nobody else may end the endpoint of this name. */
export const isCanaryOf = (state: RolloutState, externalKey: string): boolean =>
  !isOver(state) && state.canary?.externalKey === externalKey && !state.canary.removed;

const TOUCHED: readonly RolloutPhase['name'][] = ['updating', 'observing', 'judging', 'rolling-back'];
/** True once production may have been changed: from then on only a rollback leads back. */
export const touchedProduction = ({ phase }: RolloutState): boolean => TOUCHED.includes(phase.name);

/** Workers that are not proven to be on the candidate; unknown is not proof. */
export const strays = ({ workers }: Pick<RolloutState, 'workers'>): readonly WorkerView[] =>
  Object.values(workers).filter(({ on }) => on !== 'candidate');

/** Production goes with its replica, so there is nothing to be taken back there. */
export const leavesNothingBehind = (reason: RolloutEndReason): boolean =>
  reason === 'deployment-deleted' || reason === 'replica-lost';
