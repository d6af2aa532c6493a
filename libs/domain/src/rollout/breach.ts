import type { EvidencePolicy, NewEvent, ScalingBounds } from '@davit/contracts';
import { compareAmounts, multiplyAmount } from '../money.js';
import type { Money } from '../placement/limits.js';
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

export type Raise = {
  readonly bounds: ScalingBounds | null;
  /** Workers that are there. */
  readonly workers: number;
  /** What all of them cost an hour; null where nobody knows. */
  readonly hourly: Money | null;
  /** What was promised at most; without it nothing may be added. */
  readonly maxHourly: Money | undefined;
};

/**
 * Bounds with one worker more, where as many workers as they allow stay within the promise; null where they do not, or where a price is not
 * known or in another currency. Those that are there tell the price, rounded up to the whole of them.
 */
export function affordableRaise({ bounds, workers, hourly, maxHourly }: Raise): ScalingBounds | null {
  if (!bounds || !maxHourly || hourly?.currency !== maxHourly.currency) return null;
  const maxWorkers = bounds.maxWorkers + 1;
  const most = multiplyAmount(hourly.amount, Math.ceil(maxWorkers / Math.max(1, workers)));
  if (compareAmounts(most, maxHourly.amount) > 0) return null;
  return { ...bounds, maxWorkers, coldWorkers: Math.min(maxWorkers, bounds.coldWorkers + 1) };
}
