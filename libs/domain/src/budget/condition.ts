import type { Condition } from '../lifecycle/state.js';
import { describeHourly, describeUnknown, nameOf } from './describe.js';
import { BUDGET_STATES, type BudgetVerdict, shareOf } from './verdict.js';

type Told = Omit<Condition, 'since'>;

/**
 * Whether what a deployment holds is within its budgets, its own and its tenant's: the gravest of them counts. Undefined where
 * there is none, and none was told of. Says nothing that changes with the clock alone.
 * @param heldBack slots that stay empty for want of budget
 */
export function withinBudget(
  verdicts: readonly BudgetVerdict[],
  heldBack: number,
  told: Condition | undefined,
): Told | undefined {
  const [worst] = [...verdicts].sort((a, b) => BUDGET_STATES.indexOf(a.state) - BUDGET_STATES.indexOf(b.state));
  if (!worst) return told && { status: 'true', reason: 'NoBudget', message: 'no budget is set' };
  const { account, balance, state } = worst;
  const { maxTotal, currency, onExceed } = account.limits;
  switch (state) {
    case 'total-exhausted':
      return {
        status: 'false',
        reason: 'TotalExhausted',
        message: `the ${maxTotal ?? ''} ${currency} of ${nameOf(account)} are used up: ${WHAT_FOLLOWS[onExceed]}`,
      };
    case 'hourly-exceeded':
      return {
        status: 'false',
        reason: 'HourlyExceeded',
        message: `${describeHourly(account, balance)}: ${WHAT_FOLLOWS[onExceed]}`,
      };
    case 'unknown':
    case 'near':
    case 'within':
  }
  if (heldBack > 0) {
    const waiting = heldBack === 1 ? '1 replica waits' : `${heldBack} replicas wait`;
    return { status: 'false', reason: 'HeldBack', message: `${waiting} for room in a budget` };
  }
  if (state === 'unknown') {
    return { status: 'unknown', reason: 'PriceUnknown', message: describeUnknown(balance) ?? 'a price is unknown' };
  }
  return state === 'near'
    ? { status: 'true', reason: 'NearLimit', message: `near a ceiling of ${nameOf(account)}: ${nearest(worst)}` }
    : { status: 'true', reason: 'WithinLimits', message: `within the budget of ${nameOf(account)}` };
}

const WHAT_FOLLOWS = {
  refuse: 'nothing more is rented',
  drain: 'what came last is drained first',
} as const;

/** The ceilings and the share of them at which it is told, which do not move with the clock. */
export const nearest = ({ account }: BudgetVerdict): string => {
  const { maxHourly, maxTotal, currency } = account.limits;
  return [
    ...(maxHourly === undefined ? [] : [`${shareOf(maxHourly, account)} of ${maxHourly} ${currency} an hour`]),
    ...(maxTotal === undefined ? [] : [`${shareOf(maxTotal, account)} of ${maxTotal} ${currency} in all`]),
  ].join(', or ');
};
