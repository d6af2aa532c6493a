import type { PlanCandidate } from '@davit/contracts';
import { compareAmounts } from '@davit/domain';

/** What a replica may cost an hour on each placement that the specification allows. */
export interface Bounds {
  /** The dearest of all, and where; null where one of them is not bounded by anything. */
  readonly highest: Bound | null;
  /** The cheapest of all; null where one of them has no known price, so that nothing is certain. */
  readonly lowest: string | null;
  /** Placements whose price is not known and that have no ceiling of their own. */
  readonly unknown: readonly PlanCandidate[];
  /** Placements that are priced in another currency. */
  readonly foreign: readonly PlanCandidate[];
}

export interface Bound {
  readonly rung: number;
  readonly amount: string;
}

/**
 * No replica is placed above its placement's ceiling, so a ceiling bounds what is not known (law 4). What has no price and no
 * ceiling is never rented under a budget, and bounds nothing then.
 */
export function boundsOf(candidates: readonly PlanCandidate[], currency: string, isBudgeted: boolean): Bounds {
  const foreign = candidates.filter(({ price }) => price.price !== null && price.price.currency !== currency);
  const rest = candidates.filter((candidate) => !foreign.includes(candidate));
  const bounded = rest.flatMap((candidate) => upperBound(candidate) ?? []);
  const unknown = rest.filter((candidate) => upperBound(candidate) === null);
  const prices = candidates.map((candidate) => knownPrice(candidate, currency));
  const isBounded = isBudgeted || (unknown.length === 0 && foreign.length === 0);
  return {
    highest: isBounded ? bounded.reduce<Bound | null>(dearer, null) : null,
    lowest: prices.includes(null) ? null : prices.reduce(cheaper, null),
    unknown,
    foreign,
  };
}

/** A fresh price, for the whole machine. */
export const knownPrice = ({ price }: PlanCandidate, currency: string): string | null =>
  price.status === 'fresh' && price.price?.currency === currency ? price.price.amount : null;

function upperBound({ rung, placement, price }: PlanCandidate): Bound | null {
  const said = price.status === 'fresh' ? (price.price?.amount ?? null) : null;
  const ceiling = placement.maxHourlyPrice;
  const amount = said === null || (ceiling !== null && compareAmounts(ceiling, said) < 0) ? ceiling : said;
  return amount === null ? null : { rung, amount };
}

const dearer = (highest: Bound | null, bound: Bound): Bound =>
  highest === null || compareAmounts(bound.amount, highest.amount) > 0 ? bound : highest;

const cheaper = (lowest: string | null, amount: string | null): string | null =>
  lowest === null || (amount !== null && compareAmounts(amount, lowest) < 0) ? amount : lowest;
