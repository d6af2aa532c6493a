import type { NewEvent, RolloutApproval, RolloutEndReason, ScalingBounds, TemplateIdentity } from '@davit/contracts';
import type { DeploymentState, ReplicaState } from '../lifecycle/state.js';
import type { RolloutPhase, RolloutState } from './state.js';

/**
 * Something that asks or changes the outside world. What changes it is announced by the event in brackets before it is done; what only
 * looks is not.
 */
export type EffectStep =
  /** Finds the declared template, or creates one of its content [template-attempted]. */
  | { readonly do: 'prepare-template'; readonly attempt: number }
  | { readonly do: 'resolve-template'; readonly attempt: number }
  /** Ensures the canary endpoint [endpoint.launch-attempted]. */
  | { readonly do: 'launch-canary'; readonly externalKey: string; readonly template: TemplateIdentity }
  | { readonly do: 'resolve-canary'; readonly externalKey: string }
  | { readonly do: 'prove-candidate'; readonly externalKey: string; readonly template: TemplateIdentity }
  | { readonly do: 'work-out-bounds' }
  /** The bounds-set or paused event has named them. */
  | { readonly do: 'apply-bounds'; readonly to: 'canary' | 'production'; readonly bounds: ScalingBounds }
  /** [load-attempted] */
  | { readonly do: 'run-load'; readonly ramp: number; readonly attempt: number }
  | { readonly do: 'record-baseline' }
  /** Gathers what an operator needs to read, and asks [approval-requested]. */
  | { readonly do: 'request-approval'; readonly required: boolean; readonly deadlineAt: string }
  /**
   * Reads both templates again, points production at the candidate, reads back [update-attempted]. Where the template to go back to is
   * not what it was, it writes `withdrawn` with reason `rollback-target-lost` and changes nothing.
   */
  | {
      readonly do: 'update';
      readonly attempt: number;
      readonly from: TemplateIdentity;
      readonly to: TemplateIdentity;
      readonly bounds: ScalingBounds;
      readonly approval: RolloutApproval;
    }
  | { readonly do: 'resolve-update'; readonly attempt: number }
  | { readonly do: 'observe-workers' }
  | { readonly do: 'report-not-converged'; readonly detail: string }
  | { readonly do: 'judge' }
  /** [rollback-attempted] */
  | {
      readonly do: 'roll-back';
      readonly attempt: number;
      readonly to: TemplateIdentity;
      readonly reason: RolloutEndReason;
      readonly detail: string;
    }
  | { readonly do: 'resolve-rollback'; readonly attempt: number }
  | { readonly do: 'observe-rollback' }
  /** Deletes the canary endpoint and proves its absence [canary-removal-requested, endpoint.delete-attempted]. */
  | { readonly do: 'remove-canary'; readonly externalKey: string; readonly overdue: boolean };

/** What a rollout does next. The same log and the same instant always name the same step. */
export type NextStep =
  /** A decision: events for the rollout's own stream, and nothing to be done outside. */
  | { readonly kind: 'append'; readonly events: readonly [NewEvent, ...NewEvent[]] }
  /** `deadlineAt`: what follows then if it does not succeed; null where it is tried for ever, visibly. */
  | { readonly kind: 'perform'; readonly step: EffectStep; readonly deadlineAt: string | null }
  | { readonly kind: 'wait'; readonly reason: string; readonly since: string; readonly deadlineAt: string | null }
  | { readonly kind: 'done' };

export type RolloutView = {
  readonly nowMs: number;
  readonly deployment: DeploymentState;
  /** The replica whose endpoint is rolled; undefined where it is proven gone. */
  readonly replica: ReplicaState | undefined;
  readonly installation: string;
};

export type Plan = NonNullable<RolloutState['plan']>;
/** A rollout in one of its phases, with what decides it. */
export type In<Name extends RolloutPhase['name']> = {
  readonly state: RolloutState;
  readonly phase: Extract<RolloutPhase, { readonly name: Name }>;
  readonly plan: Plan;
  readonly view: RolloutView;
};

export const append = (...events: readonly [NewEvent, ...NewEvent[]]): NextStep => ({ kind: 'append', events });
export const perform = (step: EffectStep, deadlineAt: string | null): NextStep => ({
  kind: 'perform',
  step,
  deadlineAt,
});
export const after = (since: string, ms: number): string => new Date(Date.parse(since) + ms).toISOString();
export const hasPassed = (deadlineAt: string, { nowMs }: RolloutView): boolean => nowMs >= Date.parse(deadlineAt);

/** While its deployment is paused a rollout begins nothing that costs or changes production; what it began, it ends. */
export function heldByPause({ deployment: { key, paused } }: RolloutView, deadlineAt: string): NextStep | undefined {
  if (!paused) return undefined;
  const reason = `${key} is paused (${paused.reason}): davit resume ${key}`;
  return { kind: 'wait', reason, since: paused.since, deadlineAt };
}

/** The candidate goes, and production stays as it is. */
export const withdraw = ({ id }: RolloutState, reason: RolloutEndReason, detail: string): NextStep =>
  append({ type: 'davit.rollout.withdrawn', data: { rolloutId: id, reason, detail: detail.slice(0, 2_000) } });

/** Production goes back to the template that served before. */
export const rollBack = (plan: Plan, attempt: number, reason: RolloutEndReason, detail: string): NextStep =>
  perform({ do: 'roll-back', attempt, to: plan.rollback, reason, detail: detail.slice(0, 2_000) }, null);
