import type { EvidencePolicy, NewEvent, ScalingBounds } from '@davit/contracts';
import { type RolloutState, touchedProduction } from './state.js';

export type Breach = {
  /** What was seen, for people. */
  readonly detail: string;
  /** More capacity that still fits objectives and budget; null where there is none. */
  readonly affordable: ScalingBounds | null;
  readonly nowMs: number;
};

/**
 * What follows when requests queue for longer than the bounds allow while production changes: acceptance waits for it to end, with more
 * capacity where that was asked for and fits the budget; or the way back begins at once. Nothing before production changed, and nothing twice.
 */
export function onQueueBreach(state: RolloutState, { detail, affordable, nowMs }: Breach): NewEvent | undefined {
  const { plan, phase, paused, id: rolloutId } = state;
  if (!plan || paused || !touchedProduction(state) || phase.name === 'rolling-back') return undefined;
  const { onQueueBreach: policy, acceptance } = plan.policy;
  const raiseTo = policy === 'raise' ? affordable : null;
  const deadlineAt = new Date(nowMs + patienceMs(policy, acceptance)).toISOString();
  return { type: 'davit.rollout.paused', data: { rolloutId, reason: 'queue-breach', raiseTo, detail, deadlineAt } };
}

/** A share of the time there is for a verdict; what was to be rolled back at once has none. */
const patienceMs = (policy: EvidencePolicy['onQueueBreach'], { deadlineMs }: EvidencePolicy['acceptance']): number =>
  policy === 'rollback' ? 0 : Math.ceil(deadlineMs / 4);
