import { compareAmounts } from '../money.js';
import { type Money } from '../placement/limits.js';

/** What a load may use at most. */
export type LoadCaps = {
  readonly maxRequests: number;
  readonly maxDurationMs: number;
  readonly maxSpend: Money;
};

export type LoadUse = {
  readonly requests: number;
  readonly elapsedMs: number;
  /** Null: not known at present. */
  readonly spend: Money | null;
  /** How long ago it was last known. */
  readonly spendAgeMs: number;
};

export type CapAnswer =
  | { readonly kind: 'within' }
  | { readonly kind: 'reached'; readonly cap: 'requests' | 'time' | 'money'; readonly detail: string };

/** Spending that has not been known for so long is taken to have reached its cap: nobody spends blindly. */
const MOST_SPEND_AGE_MS = 5 * 60_000;

/** Whether one more request may be sent. */
export function capReached(use: LoadUse, caps: LoadCaps): CapAnswer {
  const reached = (cap: 'requests' | 'time' | 'money', detail: string): CapAnswer => ({ kind: 'reached', cap, detail });
  if (!(use.requests < caps.maxRequests))
    return reached('requests', `${use.requests} of ${caps.maxRequests} requests are sent`);
  if (!(use.elapsedMs < caps.maxDurationMs))
    return reached('time', `${use.elapsedMs} of ${caps.maxDurationMs} ms are over`);
  const { spend } = use;
  if (spend === null || spend.currency !== caps.maxSpend.currency) {
    if (use.spendAgeMs < MOST_SPEND_AGE_MS) return { kind: 'within' };
    return reached('money', `what is spent has not been known for ${use.spendAgeMs} ms`);
  }
  if (use.spendAgeMs >= MOST_SPEND_AGE_MS)
    return reached('money', `what is spent was last known ${use.spendAgeMs} ms ago`);
  return compareAmounts(spend.amount, caps.maxSpend.amount) >= 0
    ? reached('money', `${spend.amount} of ${caps.maxSpend.amount} ${spend.currency} are spent`)
    : { kind: 'within' };
}
