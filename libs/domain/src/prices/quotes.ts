import type { HourlyPrice } from '@davit/contracts';
import { quoteKeyOf } from '../lifecycle/evolve-offer.js';
import { compareAmounts } from '../money.js';
import { judgePrice } from './judge.js';

/**
 * Those of the prices of one offer that say something else than the last told of the same source, kind and market. A price
 * seen again, however much later, is no news; one that contradicts itself or the clock is told by nobody.
 *
 * @param known `OfferState.quotes`
 */
export function changedQuotes(
  prices: readonly HourlyPrice[],
  known: Readonly<Record<string, HourlyPrice>> | undefined,
  nowMs: number,
): readonly HourlyPrice[] {
  const latest = new Map(prices.map((price) => [quoteKeyOf(price), price]));
  return [...latest].flatMap(([key, price]) => {
    if (judgePrice(price, nowMs).status === 'refused') return [];
    const before = known?.[key];
    return before && saysTheSame(before, price) ? [] : [price];
  });
}

const saysTheSame = (a: HourlyPrice, b: HourlyPrice): boolean =>
  compareAmounts(a.amount, b.amount) === 0 &&
  a.currency === b.currency &&
  a.unit === b.unit &&
  a.storage === b.storage &&
  a.workerState === b.workerState &&
  a.guaranteedUntil === b.guaranteedUntil;
