import { addAmounts, compareAmounts, divideDecimal, multiplyAmount, subtractAmounts, timesDecimal } from '../money.js';
import { DEFAULT_ALARM_AT } from '@davit/contracts';
import { type Meter, isBilling } from '../lifecycle/meter.js';
import { type Balance, type BudgetAccount, balanceOf, ratesOf } from './account.js';

const HOUR_MS = 3_600_000;
/** A ceiling counts as crossed once it surely is. */
const MARGIN_MS = 1_000;
/** Decimals of a share such as `alarmAt`. */
const SHARE_DECIMALS = 6;

/** How a budget stands, gravest first. What is known to be over is over, whatever else is unknown. */
export const BUDGET_STATES = ['total-exhausted', 'hourly-exceeded', 'unknown', 'near', 'within'] as const;
export type BudgetState = (typeof BUDGET_STATES)[number];

export type BudgetVerdict = {
  readonly account: BudgetAccount;
  readonly balance: Balance;
  readonly state: BudgetState;
  /** When the present rate will have used up the next of: the share that alarms, the whole of a total ceiling; null: never. */
  readonly changesAtMs: number | null;
  /** When it will have used up the whole of it. */
  readonly exhaustedAtMs: number | null;
};

export function judgeBudget(account: BudgetAccount, nowMs: number): BudgetVerdict {
  const balance = balanceOf(account, nowMs);
  const { maxTotal } = account.limits;
  const crossing = (target: string): number | null => crossingMs(account, balance, target, nowMs);
  const exhaustedAtMs = maxTotal === undefined ? null : crossing(maxTotal);
  const changesAtMs = (maxTotal === undefined ? null : crossing(shareOf(maxTotal, account))) ?? exhaustedAtMs;
  return { account, balance, state: stateOf(account, balance), changesAtMs, exhaustedAtMs };
}

function stateOf(account: BudgetAccount, { hourly, total, unjudged, unjudgedMs }: Balance): BudgetState {
  const { maxHourly, maxTotal } = account.limits;
  if (maxTotal !== undefined && compareAmounts(total, maxTotal) >= 0) return 'total-exhausted';
  if (maxHourly !== undefined && compareAmounts(hourly, maxHourly) > 0) return 'hourly-exceeded';
  if (unjudged > 0 || (maxTotal !== undefined && unjudgedMs > 0)) return 'unknown';
  const isNear = (ceiling: string | undefined, used: string): boolean =>
    ceiling !== undefined && compareAmounts(used, shareOf(ceiling, account)) >= 0;
  return isNear(maxHourly, hourly) || isNear(maxTotal, total) ? 'near' : 'within';
}

/** The share of a ceiling at which an alarm is raised. */
export const shareOf = (ceiling: string, { limits }: BudgetAccount): string =>
  timesDecimal(ceiling, (limits.alarmAt ?? DEFAULT_ALARM_AT).toFixed(SHARE_DECIMALS));

/** When the machines that bill now will have used up `target`; null when it is used up, or nothing known bills. */
function crossingMs(account: BudgetAccount, { total }: Balance, target: string, nowMs: number): number | null {
  const { replicas, canaries = [] } = account;
  const billing = { replicas: replicas.filter(hasBilling), canaries: canaries.filter(hasBilling) };
  const rates = ratesOf({ ...account, ...billing }).flatMap(({ amount }) => amount ?? []);
  const rate = rates.reduce(addAmounts, '0');
  if (compareAmounts(total, target) >= 0 || compareAmounts(rate, '0') === 0) return null;
  const left = multiplyAmount(subtractAmounts(target, total), HOUR_MS);
  return nowMs + Number(divideDecimal(left, rate, 0)) + MARGIN_MS;
}

const hasBilling = ({ meter }: { readonly meter: Meter | null }): boolean => meter !== null && isBilling(meter);
