import type { HourlyPrice } from '@davit/contracts';
import { addAmounts, divideAmount, multiplyAmount } from '../money.js';

const HOUR_MS = 3_600_000;
/** A millionth of the currency. */
const DECIMALS = 6;

export type PriceKind = HourlyPrice['kind'];
export type Stretch = { readonly from: string; readonly until: string | null };

/** Price of the whole machine for an hour, and what that rests on. */
export type MachineRate = {
  readonly amount: string;
  readonly currency: string;
  readonly kind: PriceKind;
  readonly source: string;
};

/** From here until the next of its like the machine had this price; null while nobody said one. */
export type RatePeriod = { readonly from: string; readonly position: number; readonly price: MachineRate | null };

/** Amounts by currency and kind of price, rounded, and the time without a price. */
export type Accrued = { readonly amounts: ReadonlyMap<Slot, string>; readonly unpricedMs: number };
/** `USD billed`. */
export type Slot = `${string} ${PriceKind}`;

/**
 * All that has come together on one machine up to an instant. It is rounded here and nowhere else, machine by machine and kind
 * by kind, so that differences of it add up to the last digit over any days and any machines, and that a budget and a report of
 * costs never differ by it.
 */
export function accruedUpTo(rates: readonly RatePeriod[], stretches: readonly Stretch[], momentMs: number): Accrued {
  // A clock may tell parts of a millisecond, which no event does.
  const endMs = Math.floor(momentMs);
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

export const currencyOf = (slot: Slot): string => slot.slice(0, slot.indexOf(' '));

/** An end that did not come lies after everything. */
export const instantMs = (instant: string | null): number => (instant === null ? Infinity : Date.parse(instant));

export const overlapMs = ({ from, until }: Stretch, startMs: number, endMs: number): number =>
  Math.max(0, Math.min(instantMs(until), endMs) - Math.max(Date.parse(from), startMs));
