import { compareAmounts, subtractAmounts } from '../money.js';
import type { BudgetRoom, Money } from '../placement/limits.js';
import type { Balance, BudgetAccount } from './account.js';
import { balanceOf } from './account.js';
import { describeBalance } from './describe.js';
import type { BudgetVerdict } from './verdict.js';

/**
 * What the budget still allows. Nothing, while a machine bills whose price nobody can say: missing is never zero, so what is
 * left is not known either.
 */
export function budgetRoom(
  account: BudgetAccount,
  nowMs: number,
  balance: Balance = balanceOf(account, nowMs),
): BudgetRoom {
  const { maxHourly, maxTotal, currency } = account.limits;
  const { hourly, total, unjudged, unjudgedMs } = balance;
  const left = (ceiling: string | undefined, used: string, isKnown: boolean): Money | null => {
    if (ceiling === undefined) return null;
    const amount = isKnown && compareAmounts(ceiling, used) > 0 ? subtractAmounts(ceiling, used) : '0';
    return { amount, currency };
  };
  return {
    hourlyLeft: left(maxHourly, hourly, unjudged === 0),
    totalLeft: left(maxTotal, total, unjudgedMs === 0),
    why: describeBalance(account, balance),
  };
}

/** What it will allow per hour once some of its machines are gone; of what was spent in all they give nothing back. */
export function roomWithout(
  { account, balance }: Pick<BudgetVerdict, 'account' | 'balance'>,
  gone: ReadonlySet<string>,
  nowMs: number,
): BudgetRoom {
  const replicas = account.replicas.filter(({ id }) => !gone.has(id));
  const { hourly, machines, unjudged } = balanceOf({ ...account, replicas }, nowMs);
  return budgetRoom(account, nowMs, { ...balance, hourly, machines, unjudged });
}

/** True where nothing at all can be rented: not even for an hour, or not at any price. */
export const isExhausted = ({ hourlyLeft, totalLeft }: BudgetRoom): boolean =>
  isNothing(hourlyLeft) || isNothing(totalLeft);

const isNothing = (left: Money | null): boolean => left !== null && compareAmounts(left.amount, '0') === 0;

/** Whether a machine of this cost may be rented: its hour is within what is left per hour, and in all. */
export const hasRoomFor = ({ hourlyLeft, totalLeft }: BudgetRoom, cost: Money): boolean =>
  covers(hourlyLeft, cost) && covers(totalLeft, cost);

const covers = (left: Money | null, { amount, currency }: Money): boolean =>
  left === null || (left.currency === currency && compareAmounts(left.amount, amount) >= 0);
