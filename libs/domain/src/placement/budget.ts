import { compareAmounts, subtractAmounts } from '../money.js';
import { describeMoney } from './describe.js';
import type { BudgetRoom, Money } from './limits.js';
import { type Cost, fits } from './pricing.js';
import type { Objection } from './ranking.js';

/** What one budget allows a candidate, and who of those ahead already took of it. */
export type Room = BudgetRoom & { readonly takenBy: number };

export const roomsOf = (budgets: readonly BudgetRoom[]): readonly Room[] =>
  budgets
    .filter(({ hourlyLeft, totalLeft }) => hourlyLeft !== null || totalLeft !== null)
    .map((budget) => ({ ...budget, takenBy: 0 }));

const OF_BUDGETS: ReadonlySet<Objection['kind']> = new Set([
  'hourly-budget',
  'total-budget',
  'price-unknown',
  'other-currency',
]);
/** True for what only a budget has against a candidate. */
export const isOfBudget = ({ kind }: Objection): boolean => OF_BUDGETS.has(kind);

const NONE: readonly Objection[] = [];

const allows = ({ hourlyLeft, totalLeft }: Room, cost: Cost): boolean =>
  (hourlyLeft === null || fits(cost, hourlyLeft)) && (totalLeft === null || fits(cost, totalLeft));

/** What budgets have against a machine of this cost. A total must pay for at least an hour of it. */
export function objectionsOfBudgets(cost: Cost | null, rooms: readonly Room[]): readonly Objection[] {
  if (cost !== null && rooms.every((room) => allows(room, cost))) return NONE;
  return rooms.flatMap((room): readonly Objection[] => {
    const { hourlyLeft, totalLeft } = room;
    const left = hourlyLeft ?? totalLeft;
    if (left === null) return [];
    if (cost === null) {
      const reason = `no price is known and a budget is set, which leaves ${describeMoney(left)} (${whyOf(room)}); a maxHourlyPrice for this placement would say what it may cost`;
      return [{ kind: 'price-unknown', reason, permanent: false, changesAtMs: null }];
    }
    if (cost.currency !== null && cost.currency !== left.currency) {
      const reason = `${cost.amount} ${cost.currency} an hour is priced in ${cost.currency}, which a budget in ${left.currency} cannot judge`;
      return [{ kind: 'other-currency', reason, permanent: true, changesAtMs: null }];
    }
    return [
      ...(hourlyLeft === null || fits(cost, hourlyLeft) ? [] : [above('hourly-budget', cost, hourlyLeft, room)]),
      ...(totalLeft === null || fits(cost, totalLeft) ? [] : [above('total-budget', cost, totalLeft, room)]),
    ];
  });
}

function above(kind: 'hourly-budget' | 'total-budget', cost: Cost, left: Money, room: Room): Objection {
  const what = kind === 'hourly-budget' ? 'an hour' : 'for its first hour';
  const whole = kind === 'hourly-budget' ? 'an hour' : 'in all';
  const reason = `${cost.amount} ${left.currency} ${what} is above what the budget leaves, ${describeMoney(left)} ${whole} (${whyOf(room)})`;
  return { kind, reason, permanent: false, changesAtMs: null };
}

const whyOf = ({ why, takenBy }: Room): string =>
  takenBy === 0 ? why : `${why}; ${takenBy} of its own replicas come before it`;

/** What is left once a machine of this cost is taken. */
export const takeFrom = (rooms: readonly Room[], cost: Cost | null): readonly Room[] =>
  cost === null
    ? rooms
    : rooms.map((room) => ({
        ...room,
        hourlyLeft: less(room.hourlyLeft, cost),
        totalLeft: less(room.totalLeft, cost),
        takenBy: room.takenBy + 1,
      }));

function less(left: Money | null, { amount }: Cost): Money | null {
  if (left === null) return null;
  const { amount: had, currency } = left;
  return { amount: compareAmounts(had, amount) > 0 ? subtractAmounts(had, amount) : '0', currency };
}
