import type { RatePeriod, Stretch } from '../lifecycle/accrual.js';
import type { Meter } from '../lifecycle/meter.js';

/**
 * The time for which a machine was held, as far as was known at an instant. What is learnt later about an earlier time is not in
 * it: so the figures of a day that is over never change, and the correction counts on the day on which it was learnt (law 14).
 */
export function heldAsKnown({ since, ends }: Meter, atMs: number): readonly Stretch[] {
  const known = ends.findLast(({ at }) => Date.parse(at) <= atMs);
  return [{ from: since, until: known?.until ?? null }];
}

/** The rates as they would have been had the estimate held wherever something was billed; other times count nothing. */
export function estimatedRates(rates: readonly RatePeriod[]): readonly RatePeriod[] | null {
  const billed = rates.findIndex(({ price }) => price?.kind === 'billed');
  const estimate = rates.slice(0, Math.max(billed, 0)).findLast(({ price }) => price !== null)?.price;
  if (!estimate) return null;
  return rates.map((period) => ({
    ...period,
    price: period.price?.kind === 'billed' && period.price.currency === estimate.currency ? estimate : null,
  }));
}
