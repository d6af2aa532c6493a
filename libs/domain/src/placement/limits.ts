import type { SpendLimits } from '@davit/contracts';

/** Decimal text with its currency. Never negative: what is overspent leaves "0". */
export type Money = { readonly amount: string; readonly currency: string };

/**
 * What one budget still allows for what is rented next: one of these for the deployment's budget and one for its tenant's, as
 * far as they are set. Everything that may bill is already taken off, what was placed and not launched yet included.
 */
export type BudgetRoom = {
  /** What may be added per hour; null where the budget has no hourly ceiling. */
  readonly hourlyLeft: Money | null;
  /** What may still be spent; null where the budget has no total ceiling. */
  readonly totalLeft: Money | null;
  /** Whose budget, its ceilings, and what is taken off, in words: `2 machines of default/qwen hold 1.58 of 2.00 USD an hour`. */
  readonly why: string;
};

/** All that a budget allows while nothing is rented. */
export const wholeBudget = ({ maxHourly, maxTotal, currency }: SpendLimits, why: string): BudgetRoom => ({
  hourlyLeft: maxHourly === undefined ? null : { amount: maxHourly, currency },
  totalLeft: maxTotal === undefined ? null : { amount: maxTotal, currency },
  why,
});
