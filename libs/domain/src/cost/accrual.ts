import type { HourlyPrice } from '@davit/contracts';
import type { Meter, RatePeriod } from '../lifecycle/meter.js';
import { addAmounts, divideAmount, multiplyAmount } from '../money.js';

const HOUR_MS = 3_600_000;
/** A millionth of the currency. */
const DECIMALS = 6;

export type PriceKind = HourlyPrice['kind'];
export type Stretch = { readonly from: string; readonly until: string | null };

/** Amounts by currency and kind of price, rounded, and the time without a price. */
export type Accrued = { readonly amounts: ReadonlyMap<Slot, string>; readonly unpricedMs: number };
/** `USD billed`. */
export type Slot = `${string} ${PriceKind}`;

/**
 * All that has come together on one machine up to an instant. It is rounded here and nowhere else, machine by machine, so that
 * differences of it add up to the last digit over any days and any machines.
 */
export function accruedUpTo(rates: readonly RatePeriod[], stretches: readonly Stretch[], endMs: number): Accrued {
  const exact = new Map<Slot, string>();
  let unpricedMs = 0;
  for (const [index, { from, price }] of rates.entries()) {
    const rateEndMs = Math.min(endMs, instantMs(rates[index + 1]?.from ?? null));
    const ms = stretches.reduce((sum, stretch) => sum + overlapMs(stretch, Date.parse(from), rateEndMs), 0);
    if (price === null) unpricedMs += ms;
    else if (ms > 0) {
      const slot: Slot = `${price.currency} ${price.kind}`;
      exact.set(slot, addAmounts(exact.get(slot) ?? '0', multiplyAmount(price.amount, ms)));
    }
  }
  const rounded = [...exact].map(([slot, amountMs]) => [slot, divideAmount(amountMs, HOUR_MS, DECIMALS)] as const);
  return { amounts: new Map(rounded), unpricedMs };
}

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

/** An end that did not come lies after everything. */
export const instantMs = (instant: string | null): number => (instant === null ? Infinity : Date.parse(instant));

export const overlapMs = ({ from, until }: Stretch, startMs: number, endMs: number): number =>
  Math.max(0, Math.min(instantMs(until), endMs) - Math.max(Date.parse(from), startMs));
