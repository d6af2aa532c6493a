import { counted } from '@davit/contracts';
import type { Balance, BudgetAccount } from './account.js';
import { divideAmount } from '../money.js';

/** `deployment default/qwen`, `tenant default`. */
export const nameOf = ({ of, name }: Pick<BudgetAccount, 'of' | 'name'>): string => `${of} ${name}`;

const machinesOf = (count: number): string => counted(count, 'machine');

/** `2 machines of deployment default/qwen hold 1.58 of 2.00 USD an hour; 12.3400 of 50 USD are spent`. */
export function describeBalance(account: BudgetAccount, balance: Balance): string {
  const { maxHourly, maxTotal, currency } = account.limits;
  const unknown = describeUnknown(balance);
  return [
    ...(maxHourly === undefined ? [] : [describeHourly(account, balance)]),
    ...(maxTotal === undefined
      ? []
      : [`at most ${told(balance.total)} of ${maxTotal} ${currency} of ${nameOf(account)} are spent`]),
    ...(unknown === null ? [] : [unknown]),
  ].join('; ');
}

/** The part of it that changes only when machines or prices do. */
export const describeHourly = (account: BudgetAccount, { machines, hourly, currency }: Balance): string =>
  `${machinesOf(machines)} of ${nameOf(account)} ${machines === 1 ? 'holds' : 'hold'} ${hourly} of ${account.limits.maxHourly ?? 'any'} ${currency} an hour`;

/** What makes a balance unknown; null where nothing does. */
export function describeUnknown({ unjudged, unjudgedMs, currency }: Balance): string | null {
  if (unjudged > 0)
    return `${machinesOf(unjudged)} ${unjudged === 1 ? 'bills' : 'bill'} at a price that is unknown or not in ${currency}`;
  if (unjudgedMs === 0) return null;
  return `${Math.ceil(unjudgedMs / 60_000)} minutes of a machine that is gone had a price that is unknown or not in ${currency}`;
}

const TOLD_DECIMALS = 4;
/** An amount as sentences have it. */
export const told = (amount: string): string => divideAmount(amount, 1, TOLD_DECIMALS);
