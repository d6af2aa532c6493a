import { counted } from '@davit/contracts';
import { compareAmounts, subtractAmounts } from '../money.js';
import { describeMoney } from './describe.js';
import type { BudgetRoom, Money } from './limits.js';
import { NO_OBJECTIONS, joined } from './objections.js';
import { type Cost, fits } from './pricing.js';
import type { Objection } from './ranking.js';

/** What one budget allows a candidate, and who of those ahead already took of it. */
export type Room = BudgetRoom & {
  readonly takenBy: number;
  /** Its ceilings, at least one, with what is left under each and the words for what goes above. */
  readonly ceilings: readonly Ceiling[];
  /** What it has against every candidate of unknown cost. */
  readonly priceUnknown: Objection;
};

type Ceiling = { readonly kind: 'hourly-budget' | 'total-budget'; readonly left: Money; readonly above: string };

export const roomsOf = (budgets: readonly BudgetRoom[]): readonly Room[] =>
  budgets.flatMap((budget) => roomOf(budget, 0) ?? []);

/** The words are made once for each room: thousands of candidates are told the same. */
function roomOf(budget: BudgetRoom, takenBy: number): Room | null {
  const { hourlyLeft, totalLeft } = budget;
  const left = hourlyLeft ?? totalLeft;
  if (left === null) return null;
  const why =
    takenBy === 0
      ? budget.why
      : `${budget.why}; ${counted(takenBy, 'replica')} of its own ${takenBy === 1 ? 'comes' : 'come'} before it`;
  const reason = `no price is known and a budget is set, which leaves ${describeMoney(left)} (${why}); a maxHourlyPrice for this placement would say what it may cost`;
  return {
    ...budget,
    takenBy,
    ceilings: [
      ...(hourlyLeft === null ? [] : [ceiling('hourly-budget', hourlyLeft, why)]),
      ...(totalLeft === null ? [] : [ceiling('total-budget', totalLeft, why)]),
    ],
    priceUnknown: { kind: 'price-unknown', reason, permanent: false, changesAtMs: null },
  };
}

function ceiling(kind: Ceiling['kind'], left: Money, why: string): Ceiling {
  const [what, whole] = kind === 'hourly-budget' ? ['an hour', 'an hour'] : ['for its first hour', 'in all'];
  const above = `${left.currency} ${what} is above what the budget leaves, ${describeMoney(left)} ${whole} (${why})`;
  return { kind, left, above };
}

const OF_BUDGETS: ReadonlySet<Objection['kind']> = new Set([
  'hourly-budget',
  'total-budget',
  'price-unknown',
  'other-currency',
]);
/** True for what only a budget has against a candidate. */
export const isOfBudget = ({ kind }: Objection): boolean => OF_BUDGETS.has(kind);

/** What budgets have against a machine of this cost. A total must pay for at least an hour of it. */
export function objectionsOfBudgets(cost: Cost | null, rooms: readonly Room[]): readonly Objection[] {
  let objections = NO_OBJECTIONS;
  for (const room of rooms) objections = joined(objections, objectionsOf(room, cost));
  return objections;
}

function objectionsOf(room: Room, cost: Cost | null): readonly Objection[] {
  if (cost === null) return [room.priceUnknown];
  let objections = NO_OBJECTIONS;
  for (const { kind, left, above } of room.ceilings) {
    if (fits(cost, left)) continue;
    if (cost.currency !== null && cost.currency !== left.currency) return [otherCurrency(cost, left)];
    objections = joined(objections, [{ kind, reason: `${cost.amount} ${above}`, permanent: false, changesAtMs: null }]);
  }
  return objections;
}

function otherCurrency({ amount, currency }: Cost, left: Money): Objection {
  const reason = `${amount} ${currency} an hour is priced in ${currency}, which a budget in ${left.currency} cannot judge`;
  return { kind: 'other-currency', reason, permanent: true, changesAtMs: null };
}

/** What is left once a machine of this cost is taken. */
export const takeFrom = (rooms: readonly Room[], cost: Cost | null): readonly Room[] =>
  cost === null ? rooms : rooms.flatMap((room) => roomOf(less(room, cost), room.takenBy + 1) ?? []);

const less = ({ hourlyLeft, totalLeft, why }: BudgetRoom, cost: Cost): BudgetRoom => ({
  hourlyLeft: reduced(hourlyLeft, cost),
  totalLeft: reduced(totalLeft, cost),
  why,
});

function reduced(left: Money | null, { amount }: Cost): Money | null {
  if (left === null) return null;
  const { amount: had, currency } = left;
  return { amount: compareAmounts(had, amount) > 0 ? subtractAmounts(had, amount) : '0', currency };
}
