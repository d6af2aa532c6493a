import { type HourlyPrice, type Placement, counted } from '@davit/contracts';
import { addAmounts, divideAmount, subtractAmounts } from '../money.js';
import { wholeMachine } from '../prices/machine.js';
import { type MachineRate, type RatePeriod, type Stretch, accruedUpTo, currencyOf } from './accrual.js';

export type { MachineRate, RatePeriod } from './accrual.js';

/** Of amounts in sentences. */
const TOLD_DECIMALS = 4;

/** When something was said, and the position of the event that said it. */
export type Citation = { readonly time: string; readonly position: number };

/** A time in which the provider showed a machine that runs: from the first such sight to the first that contradicts it. */
export type Sight = {
  readonly from: string;
  readonly fromPosition: number;
  /** Null while nothing contradicts it. */
  readonly until: string | null;
  readonly untilPosition: number | null;
};

/**
 * What one machine costs, as facts of the log and no sums (laws 5 and 14). Two times are kept apart:
 * - **held**, from the launch that may have made a machine to proven absence: at most this was spent;
 * - **confirmed**, the times in `seen`: the provider itself showed the machine run.
 *
 * What later events change. Rates and sights are only ever added at the end, so the *confirmed* amount of an interval that the
 * log has passed never changes. The *held* amount of a past interval changes in two ways, both of which are evidence on what
 * was unknown then: it falls to nothing when a launch whose answer was lost turns out to have been refused, and it grows when
 * a machine is seen again after it had been proven gone, since it may have been there all along. Both turns are kept, so that
 * what was held as far as was known at any moment can be told for ever.
 */
export type Meter = {
  /** A launch was accepted, or its answer was lost. */
  readonly since: string;
  readonly position: number;
  /** At least one, the first from `since` on, in order of time. */
  readonly rates: readonly [RatePeriod, ...RatePeriod[]];
  /** In order of time, without overlap. Empty while the provider never showed a machine. */
  readonly seen: readonly Sight[];
  /** When it was proven gone, or let go; null while it counts as billing. */
  readonly until: string | null;
  readonly untilPosition: number | null;
  /** What was known of its end, as it became known: added to, and never changed. */
  readonly ends: readonly End[];
};

/** From `at` on it was known that it was gone since `until`; null: that it was not gone after all. */
export type End = { readonly at: string; readonly position: number; readonly until: string | null };

const rateOf = (price: HourlyPrice | null, placement: Placement | null): MachineRate | null => {
  if (!price || (price.unit === 'gpu-hour' && !placement)) return null;
  const { currency, kind, source } = price;
  return { amount: placement ? wholeMachine(price, placement) : price.amount, currency, kind, source };
};

export function startMeter(
  { time, position }: Citation,
  price: HourlyPrice | null,
  placement: Placement | null,
): Meter {
  const rates = [{ from: time, position, price: rateOf(price, placement) }] as const;
  return { since: time, position, rates, seen: [], until: null, untilPosition: null, ends: [] };
}

/** Writers have clocks of their own: what was said later is never counted as earlier. */
const notBefore = (time: string, earliest: string): string => (time > earliest ? time : earliest);

const isSameRate = (a: MachineRate | null, b: MachineRate | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.amount === b.amount &&
    a.currency === b.currency &&
    a.kind === b.kind &&
    a.source === b.source);

/** The price is another, or rests on something else, from here on. */
export function changeRate(
  meter: Meter,
  { time, position }: Citation,
  price: HourlyPrice | null,
  placement: Placement | null,
): Meter {
  const rate = rateOf(price, placement);
  const last = meter.rates.at(-1) ?? meter.rates[0];
  if (isSameRate(last.price, rate)) return meter;
  return { ...meter, rates: [...meter.rates, { from: notBefore(time, last.from), position, price: rate }] };
}

/** The provider shows that it runs. */
export function startSight(meter: Meter, { time, position }: Citation): Meter {
  const last = meter.seen.at(-1);
  if (last?.until === null) return meter;
  const from = notBefore(time, last?.until ?? meter.since);
  return { ...meter, seen: [...meter.seen, { from, fromPosition: position, until: null, untilPosition: null }] };
}

/** It is stopped, or nowhere to be seen. */
export function endSight(meter: Meter, { time, position }: Citation): Meter {
  const last = meter.seen.at(-1);
  if (last?.until !== null) return meter;
  const ended = { ...last, until: notBefore(time, last.from), untilPosition: position };
  return { ...meter, seen: [...meter.seen.slice(0, -1), ended] };
}

/** Proven gone, or let go. */
export const endMeter = (meter: Meter, end: Citation): Meter => ended(meter, end, notBefore(end.time, meter.since));

/** Not gone after all. */
export const reopenMeter = (meter: Meter, seen: Citation): Meter => ended(meter, seen, null);

/** The launch turned out to have been refused: there never was a machine. */
export const refuteMeter = (meter: Meter, refusal: Citation): Meter => ended(meter, refusal, meter.since);

function ended(meter: Meter, { time, position }: Citation, until: string | null): Meter {
  const at = notBefore(time, meter.ends.at(-1)?.at ?? meter.since);
  return {
    ...meter,
    until,
    untilPosition: until === null ? null : position,
    ends: [...meter.ends, { at, position, until }],
  };
}

/** What several machines cost together in an interval. */
export type Spent = {
  /** Decimal amounts, one for each currency, in order of currency. */
  readonly amounts: readonly { readonly currency: string; readonly amount: string }[];
  /** Machine time whose price is unknown: it comes on top. */
  readonly unpricedMs: number;
  /** How many of the machines counted as billing at the end of the interval. */
  readonly billing: number;
};

/**
 * At most so much was spent from `fromMs` up to `toMs`, on machines that were or may have been there.
 *
 * Amounts are rounded so that they add up: those of adjoining intervals to that of the whole, and those of single machines to
 * that of all, to the last digit.
 */
export const heldOn = (meters: readonly Meter[], fromMs: number, toMs: number): Spent =>
  sumOf(meters, fromMs, toMs, ({ since, until }) => [{ from: since, until }]);

/** So much of it on machines that the provider showed. Adds up as {@link heldOn} does. */
export const confirmedOn = (meters: readonly Meter[], fromMs: number, toMs: number): Spent =>
  sumOf(meters, fromMs, toMs, ({ seen }) => seen);

/** The most that machines may have cost up to `nowMs`. */
export const spentOn = (meters: readonly Meter[], nowMs: number): Spent => heldOn(meters, 0, nowMs);

export const isBilling = ({ until }: Meter): boolean => until === null;

function sumOf(
  meters: readonly Meter[],
  fromMs: number,
  toMs: number,
  stretchesOf: (meter: Meter) => readonly Stretch[],
): Spent {
  const sums = new Map<string, string>();
  let unpricedMs = 0;
  let billing = 0;
  for (const meter of meters) {
    const stretches = stretchesOf(meter);
    const before = accruedUpTo(meter.rates, stretches, fromMs);
    const after = accruedUpTo(meter.rates, stretches, Math.max(fromMs, toMs));
    unpricedMs += after.unpricedMs - before.unpricedMs;
    for (const [slot, amount] of after.amounts) {
      const currency = currencyOf(slot);
      const more = subtractAmounts(amount, before.amounts.get(slot) ?? '0');
      sums.set(currency, addAmounts(sums.get(currency) ?? '0', more));
    }
    if (Date.parse(meter.since) <= toMs && (meter.until === null || Date.parse(meter.until) > toMs)) billing += 1;
  }
  const amounts = [...sums]
    .map(([currency, amount]) => ({ currency, amount }))
    .filter(({ amount }) => /[1-9]/.test(amount))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
  return { amounts, unpricedMs, billing };
}

/** What all machines that count as billing cost an hour. */
export type Rate = {
  readonly amounts: Spent['amounts'];
  /** Machines among `billing` whose price nobody said. */
  readonly unpriced: number;
  readonly billing: number;
};

export function rateNow(meters: readonly Meter[]): Rate {
  const present = meters.filter(isBilling);
  const prices = present.flatMap(({ rates }) => rates.at(-1)?.price ?? []);
  const sums = new Map<string, string>();
  for (const { amount, currency } of prices) sums.set(currency, addAmounts(sums.get(currency) ?? '0', amount));
  const amounts = [...sums]
    .map(([currency, amount]) => ({ currency, amount }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
  return { amounts, unpriced: present.length - prices.length, billing: present.length };
}

/** `1.2300 USD`, `1.2300 USD and 25 minutes at an unknown price`, `an unknown sum`. */
export function describeSpent({ amounts, unpricedMs }: Spent): string {
  const known = amounts.map(({ amount, currency }) => `${divideAmount(amount, 1, TOLD_DECIMALS)} ${currency}`);
  if (unpricedMs === 0) return known.length > 0 ? known.join(' and ') : 'nothing';
  const minutes = counted(Math.ceil(unpricedMs / 60_000), 'minute');
  return known.length > 0
    ? `${known.join(' and ')} and ${minutes} at an unknown price`
    : `an unknown sum (${minutes} at an unknown price)`;
}
