import type { Meter } from '../lifecycle/meter.js';
import { compareAmounts } from '../money.js';
import { type Deviation, describeDeviation, deviationOf } from '../prices/deviation.js';
import { nearest } from './condition.js';
import { describeHourly, describeUnknown, nameOf } from './describe.js';
import type { BudgetVerdict } from './verdict.js';

/** A bill that differs from the estimate by more than this share of it is told. */
export const PRICE_DEVIATION_PERCENT = '10';

export type BudgetAlarm = {
  readonly alarm: 'budget-near' | 'budget-exceeded' | 'budget-unknown';
  readonly about: string;
  readonly tenant: string;
  readonly severity: 'warning' | 'critical';
  readonly detail: string;
};

/** What is to be told of a budget; undefined while it is well within its ceilings. */
export function budgetAlarm(verdict: BudgetVerdict): BudgetAlarm | undefined {
  const { account, balance, state } = verdict;
  const about = account.name;
  const tenant = account.name.split('/')[0] ?? account.name;
  const { maxTotal, currency, onExceed } = account.limits;
  const follows = onExceed === 'drain' ? 'what came last is drained first' : 'nothing more is rented';
  switch (state) {
    case 'total-exhausted': {
      const detail = `${nameOf(account)} has used up its ${maxTotal ?? ''} ${currency}: ${follows}`;
      return { alarm: 'budget-exceeded', about, tenant, severity: 'critical', detail };
    }
    case 'hourly-exceeded': {
      const detail = `${describeHourly(account, balance)}: ${follows}`;
      return { alarm: 'budget-exceeded', about, tenant, severity: 'critical', detail };
    }
    case 'unknown': {
      const detail = `the budget of ${nameOf(account)} cannot be kept: ${describeUnknown(balance) ?? 'a price is unknown'}; nothing more is rented until that is known`;
      return { alarm: 'budget-unknown', about, tenant, severity: 'warning', detail };
    }
    case 'near': {
      const detail = `${nameOf(account)} has come near a ceiling: ${nearest(verdict)}`;
      return { alarm: 'budget-near', about, tenant, severity: 'warning', detail };
    }
    case 'within':
      return undefined;
  }
}

/** How far the bill of a machine is from what was estimated before; null while it is near enough, or nothing is billed. */
export function billedDeviation({ rates }: Meter): Deviation | null {
  const billed = rates.at(-1)?.price;
  if (billed?.kind !== 'billed') return null;
  const estimate = rates.findLast(({ price }) => price !== null && price.kind !== 'billed')?.price ?? null;
  const deviation = deviationOf(billed, estimate);
  return deviation && compareAmounts(deviation.percent, PRICE_DEVIATION_PERCENT) > 0 ? deviation : null;
}

/** `billed 0.30 USD an hour, estimated 0.43: -30.23 %`. */
export const describeBilled = (deviation: Deviation): string =>
  `billed ${deviation.billed} ${deviation.currency} an hour, estimated ${deviation.estimate}: ${describeDeviation(deviation)}`;
