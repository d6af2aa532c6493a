import type { DeploymentSpec, EvidencePolicy } from '@davit/contracts';
import { compareAmounts } from '../money.js';
import type { Money } from '../placement/limits.js';

/**
 * What a deployment may cost an hour while it is rolled out: the least of what the rollout promises and of the deployment's own budget;
 * undefined where neither says. Amounts of two currencies are not compared: there the promise counts.
 */
export function hourlyLimit(
  { maxHourly: promised }: EvidencePolicy['objectives'],
  budget: DeploymentSpec['budget'],
): Money | undefined {
  if (budget?.maxHourly === undefined) return promised;
  const own = { amount: budget.maxHourly, currency: budget.currency };
  if (promised === undefined) return own;
  const isLess = own.currency === promised.currency && compareAmounts(own.amount, promised.amount) < 0;
  return isLess ? own : promised;
}
