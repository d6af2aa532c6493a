import type { NormalisedDeployment, PlanBudget } from '@davit/contracts';
import {
  type BudgetAccount,
  type DeploymentState,
  type ReplicaState,
  balanceOf,
  budgetRoom,
  compareAmounts,
  deploymentAccount,
  multiplyAmount,
} from '@davit/domain';
import type { Known } from './known.js';

/** The budgets that would hold, with what is held against them; what makes room for its successor is left out. */
export function accountsOf(
  after: DeploymentState | undefined,
  known: Known,
  makesRoom: (replica: ReplicaState) => boolean,
): readonly BudgetAccount[] {
  const stays = (replica: ReplicaState): boolean => !makesRoom(replica);
  const { replicas, rollouts, tenantAccount } = known;
  return [
    after && deploymentAccount(after, replicas.filter(stays), rollouts),
    tenantAccount && { ...tenantAccount, replicas: tenantAccount.replicas.filter(stays) },
  ].flatMap((account) => account ?? []);
}

export interface Addition {
  /** Replicas that are to be placed. */
  readonly count: number;
  /** What one costs an hour at least and at most; null where that is not known. */
  readonly lowest: string | null;
  readonly highest: string | null;
  readonly currency: string;
}

/** What applying this would do to a budget. It is said before; what happens is decided on what is known then. */
export function judgeAddition(account: BudgetAccount, addition: Addition, nowMs: number): PlanBudget {
  const { of, name, limits } = account;
  const balance = balanceOf(account, nowMs);
  const { hourlyLeft, totalLeft, why } = budgetRoom(account, nowMs, balance);
  const { count, currency } = addition;
  const isComparable = currency === limits.currency;
  const certain = count === 0 ? '0' : isComparable ? times(addition.lowest, count) : null;
  const most = count === 0 ? '0' : isComparable ? times(addition.highest, count) : null;
  const above = (amount: string): boolean =>
    [hourlyLeft, totalLeft].some((left) => left !== null && compareAmounts(amount, left.amount) > 0);
  const verdict =
    certain !== null && above(certain)
      ? 'exceeds'
      : certain === null || most === null
        ? 'unknown'
        : above(most)
          ? 'may-exceed'
          : 'within';
  return {
    of,
    name,
    limits,
    heldHourly: balance.hourly,
    heldTotal: balance.total,
    certainHourly: certain,
    verdict,
    detail: `${why}; ${told(verdict, certain, most, limits)}`,
  };
}

const times = (amount: string | null, count: number): string | null =>
  amount === null ? null : multiplyAmount(amount, count);

function told(
  verdict: PlanBudget['verdict'],
  certain: string | null,
  most: string | null,
  { currency, onExceed }: NonNullable<NormalisedDeployment['spec']['budget']>,
): string {
  const follows = onExceed === 'drain' ? 'what came last would be drained' : 'what does not fit would wait';
  switch (verdict) {
    case 'exceeds':
      return `this adds at least ${certain ?? ''} ${currency} an hour, which is above what is left: ${follows}`;
    case 'may-exceed':
      return `this adds ${certain ?? ''} to ${most ?? ''} ${currency} an hour: what would go above is not rented`;
    case 'unknown':
      return 'what this adds is not known; what has no price and no ceiling is not rented under a budget';
    case 'within':
      return `this adds at most ${most ?? ''} ${currency} an hour`;
  }
}
