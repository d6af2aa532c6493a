import { compareAmounts, divideDecimal, multiplyAmount } from '../money.js';
import { type Money } from '../placement/limits.js';

/** How many at this price an hour stay within the budget, to the last decimal; undefined: the price is nothing, or of another currency. */
export function affordableWorkers(budget: Money, worker: Money): number | undefined {
  if (budget.currency !== worker.currency || compareAmounts(worker.amount, '0') === 0) return undefined;
  const rounded = Number.parseInt(divideDecimal(budget.amount, worker.amount, 0), 10);
  return compareAmounts(multiplyAmount(worker.amount, rounded), budget.amount) > 0 ? rounded - 1 : rounded;
}
