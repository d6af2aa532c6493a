import type { HourlyPrice } from '@davit/contracts';
import { compareAmounts, divideDecimal, subtractAmounts, timesDecimal } from '../money.js';

/** How far one amount lies from another: `sign` says on which side, `percent` how far, decimal text of two places. */
export type Deviation = {
  readonly sign: -1 | 0 | 1;
  readonly percent: string;
  readonly billed: string;
  readonly estimate: string;
  readonly currency: string;
};

type Rate = Pick<HourlyPrice, 'amount' | 'currency'>;

/**
 * Billed against estimated amount of the same machine and time. Null where there is nothing to compare: either is missing, the
 * currencies differ, or the estimate is zero, of which nothing is a percentage.
 */
export function deviationOf(billed: Rate | null, estimate: Rate | null): Deviation | null {
  if (!billed || !estimate || billed.currency !== estimate.currency) return null;
  if (compareAmounts(estimate.amount, '0') === 0) return null;
  const order = compareAmounts(billed.amount, estimate.amount);
  const sign = order < 0 ? -1 : order > 0 ? 1 : 0;
  const apart =
    sign < 0 ? subtractAmounts(estimate.amount, billed.amount) : subtractAmounts(billed.amount, estimate.amount);
  const percent = divideDecimal(timesDecimal(apart, '100'), estimate.amount, 2);
  return { sign, percent, billed: billed.amount, estimate: estimate.amount, currency: billed.currency };
}

/** `+12.50 %`, `-30.23 %`, `0.00 %`. */
export const describeDeviation = ({ sign, percent }: Deviation): string =>
  `${sign < 0 ? '-' : sign > 0 ? '+' : ''}${percent} %`;
