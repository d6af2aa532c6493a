import type { DeploymentSpec, PlanBudget, PlanCandidate, PlanView } from '@davit/contracts';
import {
  type ReplicaState,
  addAmounts,
  compareAmounts,
  describePlacement,
  divideDecimal,
  multiplyAmount,
  rateOf,
  subtractAmounts,
} from '@davit/domain';
import { type Bounds, knownPrice } from './bounds.js';

export interface SpendInput {
  readonly candidates: readonly PlanCandidate[];
  readonly bounds: Bounds;
  /** Where those that are to be placed would go; null: they would wait. */
  readonly places: readonly (number | null)[];
  /** Replicas that stay as they are. */
  readonly kept: readonly ReplicaState[];
  /** Replicas of the revision that hands over. */
  readonly old: readonly ReplicaState[];
  readonly replicas: number;
  readonly strategy: DeploymentSpec['rollout']['strategy'];
  readonly currency: string;
  /** In `currency`. */
  readonly budgets: readonly PlanBudget[];
}

type Spend = Omit<PlanView['spend'], 'failedStarts'>;

/** What it would cost: where replicas would be placed now, on the dearest placement they may end on, and while revisions change. */
export function spend(input: SpendInput): { readonly spend: Spend; readonly notes: readonly string[] } {
  const { bounds, currency, budgets, replicas } = input;
  const own = budgets.find(({ of }) => of === 'deployment');
  const cap = lowestOf(budgets.flatMap(({ limits }) => limits.maxHourly ?? []));
  const dearest = replicas === 0 ? '0' : times(bounds.highest?.amount, replicas);
  const worst = capped(dearest, cap, budgets.length > 0);
  const isCapped = worst !== null && (dearest === null || compareAmounts(worst, dearest) < 0);
  return {
    spend: {
      currency,
      chosenHourly: chosenHourly(input),
      worstCaseHourly: worst,
      worstCaseDaily: times(worst, 24),
      worstCaseRung: isCapped || replicas === 0 ? null : (bounds.highest?.rung ?? null),
      duringRollout: duringRollout(input, cap),
      ceilingHourly: own?.limits.maxHourly ?? null,
      ceilingTotal: own?.limits.maxTotal ?? null,
      hoursUntilTotal: hoursUntilTotal(budgets, worst),
    },
    notes: notesOf(bounds, currency, budgets.length > 0),
  };
}

function chosenHourly({ candidates, places, kept, replicas, currency }: SpendInput): string | null {
  if (replicas === 0) return '0';
  const placed = places.filter((rung) => rung !== null);
  if (placed.length === 0 && places.length > 0 && kept.length === 0) return null;
  const prices = placed.map((rung) => {
    const candidate = candidates.find((one) => one.rung === rung);
    return candidate ? knownPrice(candidate, currency) : null;
  });
  return sum([...prices, ...kept.map((replica) => rateOf(replica, currency)?.amount ?? null)]);
}

/** No machine is rented above a budget, so its ceiling is the worst of all cases; without one, what is not known is not bounded. */
function capped(dearest: string | null, cap: string | null, isBudgeted: boolean): string | null {
  if (cap === null || (dearest === null && !isBudgeted)) return dearest;
  return dearest === null || compareAmounts(dearest, cap) > 0 ? cap : dearest;
}

function duringRollout(
  { old, replicas, bounds, strategy, currency }: SpendInput,
  cap: string | null,
): Spend['duringRollout'] {
  if (old.length === 0) return null;
  const rates = old.map((replica) => rateOf(replica, currency)?.amount ?? null);
  const highest = bounds.highest?.amount ?? null;
  if (strategy === 'surge') {
    const together = sum([...rates, replicas === 0 ? '0' : (times(highest, replicas) ?? null)]);
    return { machines: old.length + replicas, hourly: capped(together, cap, cap !== null) };
  }
  const machines = Math.max(old.length, replicas);
  const dearest =
    rates.includes(null) || highest === null ? null : highestOf([...rates.flatMap((rate) => rate ?? []), highest]);
  return { machines, hourly: capped(times(dearest, machines), cap, cap !== null) };
}

/** The budget whose total is used up first at this rate. */
function hoursUntilTotal(budgets: readonly PlanBudget[], worst: string | null): string | null {
  if (worst === null || compareAmounts(worst, '0') === 0) return null;
  const hours = budgets.flatMap(({ limits, heldTotal }) => {
    if (limits.maxTotal === undefined) return [];
    const left = compareAmounts(limits.maxTotal, heldTotal) > 0 ? subtractAmounts(limits.maxTotal, heldTotal) : '0';
    return [divideDecimal(left, worst, 1)];
  });
  return lowestOf(hours);
}

function notesOf({ unknown, foreign }: Bounds, currency: string, isBudgeted: boolean): string[] {
  const follows = isBudgeted
    ? 'so that it is not taken under a budget; a maxHourlyPrice says what it may cost'
    : 'so the worst case is not known';
  return [
    ...foreign.map(
      ({ placement, price }) =>
        `${describePlacement(placement)} is priced in ${price.price?.currency ?? '?'}, which is not compared with ${currency}.`,
    ),
    ...unknown.map(({ placement }) => `The price of ${describePlacement(placement)} is not known, ${follows}.`),
  ];
}

const sum = (amounts: readonly (string | null)[]): string | null =>
  amounts.includes(null) ? null : amounts.flatMap((amount) => amount ?? []).reduce(addAmounts, '0');

const times = (amount: string | null | undefined, count: number): string | null =>
  amount === null || amount === undefined ? null : multiplyAmount(amount, count);

const lowestOf = (amounts: readonly string[]): string | null =>
  amounts.reduce<string | null>((low, one) => (low === null || compareAmounts(one, low) < 0 ? one : low), null);

const highestOf = (amounts: readonly string[]): string | null =>
  amounts.reduce<string | null>((high, one) => (high === null || compareAmounts(one, high) > 0 ? one : high), null);
