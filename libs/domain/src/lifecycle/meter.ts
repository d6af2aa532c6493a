import type { HourlyPrice, Placement } from '@davit/contracts';
import { addAmounts, divideAmount, multiplyAmount } from '../money.js';
import { instancePrice } from '../placement/price.js';

const HOUR_MS = 3_600_000;
const DECIMALS = 4;

type Rate = { readonly amount: string; readonly currency: string };

/**
 * What one machine has cost: a sum over price-at-time, from the moment a launch was accepted (or its answer was lost) to proven
 * absence (laws 5 and 14). Time without a known price is kept as time and never counted as free.
 */
export type Meter = {
  readonly since: string;
  /** Price of the whole machine for an hour; null while nobody said it. */
  readonly rate: Rate | null;
  readonly rateSince: string;
  /** When it was proven gone; null while it counts as billing. */
  readonly until: string | null;
  /** Cost of the time before `rateSince`, as amount times milliseconds per hour, so that nothing is rounded on the way. */
  readonly settled: readonly { readonly currency: string; readonly amountMs: string }[];
  readonly unpricedMs: number;
};

const rateOf = (price: HourlyPrice | null, placement: Placement | null): Rate | null => {
  if (!price || (price.unit === 'gpu-hour' && !placement)) return null;
  const amount = placement ? instancePrice(price, placement) : price.amount;
  return { amount, currency: price.currency };
};

export const startMeter = (at: string, price: HourlyPrice | null, placement: Placement | null): Meter => ({
  since: at,
  rate: rateOf(price, placement),
  rateSince: at,
  until: null,
  settled: [],
  unpricedMs: 0,
});

/** The price is another from `at` on. */
export function changeRate(meter: Meter, at: string, price: HourlyPrice | null, placement: Placement | null): Meter {
  const rate = rateOf(price, placement);
  if (rate?.amount === meter.rate?.amount && rate?.currency === meter.rate?.currency) return meter;
  return { ...settle(meter, Date.parse(at)), rate, rateSince: at };
}

function settle(meter: Meter, untilMs: number): Meter {
  const ms = Math.max(0, untilMs - Date.parse(meter.rateSince));
  const { rate } = meter;
  if (!rate) return { ...meter, unpricedMs: meter.unpricedMs + ms };
  const others = meter.settled.filter(({ currency }) => currency !== rate.currency);
  const before = meter.settled.find(({ currency }) => currency === rate.currency)?.amountMs ?? '0';
  const amountMs = addAmounts(before, multiplyAmount(rate.amount, ms));
  return { ...meter, settled: [...others, { currency: rate.currency, amountMs }] };
}

/** What several machines have cost together. */
export type Spent = {
  /** Decimal amounts, one for each currency, in order of currency. */
  readonly amounts: readonly { readonly currency: string; readonly amount: string }[];
  /** Machine time whose price is unknown: it comes on top. */
  readonly unpricedMs: number;
  /** How many of the machines still count as billing. */
  readonly billing: number;
};

/** The sum over machines up to `nowMs`; those proven gone count up to then. */
export function spentOn(meters: readonly Meter[], nowMs: number): Spent {
  const sums = new Map<string, string>();
  let unpricedMs = 0;
  for (const meter of meters) {
    const ended = settle(meter, meter.until === null ? nowMs : Date.parse(meter.until));
    unpricedMs += ended.unpricedMs;
    for (const { currency, amountMs } of ended.settled)
      sums.set(currency, addAmounts(sums.get(currency) ?? '0', amountMs));
  }
  const amounts = [...sums]
    .map(([currency, amountMs]) => ({ currency, amount: divideAmount(amountMs, HOUR_MS, DECIMALS) }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
  return { amounts, unpricedMs, billing: meters.filter(({ until }) => until === null).length };
}

/** `1.2300 USD`, `1.2300 USD and 25 minutes at an unknown price`, `an unknown sum`. */
export function describeSpent({ amounts, unpricedMs }: Spent): string {
  const known = amounts.map(({ amount, currency }) => `${amount} ${currency}`);
  if (unpricedMs === 0) return known.length > 0 ? known.join(' and ') : 'nothing';
  const minutes = Math.ceil(unpricedMs / 60_000);
  return known.length > 0
    ? `${known.join(' and ')} and ${minutes} minutes at an unknown price`
    : `an unknown sum (${minutes} minutes at an unknown price)`;
}
