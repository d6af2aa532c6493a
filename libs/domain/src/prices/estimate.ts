import type { HourlyPrice, Placement } from '@davit/contracts';
import { compareAmounts, timesDecimal } from '../money.js';
import { type FreshPrice, isGuaranteed } from './judge.js';
import { machinePrice, mismatchOf, wholeMachine } from './machine.js';

/** A price that nobody guarantees may rise by this factor over the first one before it needs to be accepted anew. */
export const ESTIMATE_TOLERANCE = '1.25';

/** What spend on one offer was accepted for within one revision, for the whole machine and an hour. */
export type Estimate = { readonly placement: Placement } & (
  | { readonly basis: 'none' }
  /** The user's own ceiling: nothing goes above it, guaranteed or not. It is in the currency of whatever price it meets. */
  | { readonly basis: 'ceiling'; readonly limit: string }
  /** The price at which this revision was first placed on it, times {@link ESTIMATE_TOLERANCE}. */
  | {
      readonly basis: 'first-price';
      readonly limit: string;
      readonly first: string;
      readonly currency: string;
      readonly observedAt: string;
    }
);

/** @param firstPlaced `replica.placed.price` of the first placement of this revision on this offer; null without one */
export function estimateOf(placement: Placement, firstPlaced: HourlyPrice | null): Estimate {
  if (placement.maxHourlyPrice !== null) return { placement, basis: 'ceiling', limit: placement.maxHourlyPrice };
  if (firstPlaced === null || mismatchOf(firstPlaced, placement) !== null) return { placement, basis: 'none' };
  const { amount: first, currency, observedAt } = machinePrice(firstPlaced, placement);
  return {
    placement,
    basis: 'first-price',
    limit: timesDecimal(first, ESTIMATE_TOLERANCE),
    first,
    currency,
    observedAt,
  };
}

export type Authorisation =
  | { readonly allowed: true; readonly because: 'no-estimate' | 'within-estimate' | 'guaranteed' }
  | { readonly allowed: false; readonly reason: string };

/** Whether a fresh price may be spent on the estimate's placement: above the estimate only a guaranteed one may. */
export function authorises(price: FreshPrice, estimate: Estimate, nowMs: number): Authorisation {
  const mismatch = mismatchOf(price, estimate.placement);
  if (mismatch !== null) return { allowed: false, reason: `the price of ${price.source} does not apply: ${mismatch}` };
  const amount = wholeMachine(price, estimate.placement);
  switch (estimate.basis) {
    case 'none':
      return { allowed: true, because: 'no-estimate' };
    case 'ceiling':
      if (compareAmounts(amount, estimate.limit) <= 0) return { allowed: true, because: 'within-estimate' };
      return {
        allowed: false,
        reason: `${amount} an hour is above this placement's ceiling of ${estimate.limit}`,
      };
    case 'first-price': {
      const sameCurrency = price.currency === estimate.currency;
      if (sameCurrency && compareAmounts(amount, estimate.limit) <= 0)
        return { allowed: true, because: 'within-estimate' };
      if (isGuaranteed(price, nowMs)) return { allowed: true, because: 'guaranteed' };
      return { allowed: false, reason: aboveEstimate(amount, price.currency, sameCurrency, estimate) };
    }
  }
}

function aboveEstimate(
  amount: string,
  currency: string,
  sameCurrency: boolean,
  { first, limit, currency: accepted, observedAt }: Extract<Estimate, { basis: 'first-price' }>,
): string {
  const what = sameCurrency
    ? `${amount} ${currency} an hour, which nobody guarantees, is above ${limit} (${ESTIMATE_TOLERANCE} times ${first}, the price of ${observedAt} this revision was first placed at)`
    : `${amount} ${currency} an hour cannot be compared with ${first} ${accepted}, the price this revision was first placed at`;
  return `${what}; apply the specification with a maxHourlyPrice for this placement to accept another price`;
}
