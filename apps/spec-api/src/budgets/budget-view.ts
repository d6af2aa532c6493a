import type { BudgetView } from '@davit/contracts';
import { type BudgetAccount, type DeploymentState, budgetRoom, describeBalance, judgeBudget } from '@davit/domain';

/** A budget as `GET /v1/budgets` has it. */
export function budgetView(
  account: BudgetAccount,
  deployments: readonly DeploymentState[],
  nowMs: number,
  position: number,
): BudgetView {
  const { of, name, limits, since } = account;
  const { balance, state, exhaustedAtMs } = judgeBudget(account, nowMs);
  const { hourlyLeft, totalLeft } = budgetRoom(account, nowMs, balance);
  return {
    ...{ of, name, limits, since, state, position },
    tenant: name.split('/')[0] ?? name,
    heldHourly: balance.hourly,
    heldTotal: balance.total,
    confirmedTotal: balance.confirmed,
    machines: balance.machines,
    unjudged: balance.unjudged,
    hourlyLeft: hourlyLeft?.amount ?? null,
    totalLeft: totalLeft?.amount ?? null,
    exhaustedAt: exhaustedAtMs === null ? null : new Date(exhaustedAtMs).toISOString(),
    heldBack: deployments.flatMap((deployment) => heldBackIn(deployment, account)),
    why: describeBalance(account, balance),
  };
}

/** What this very budget ended. */
const heldBackIn = ({ key, heldBack }: DeploymentState, { of, name }: BudgetAccount): readonly string[] =>
  Object.entries(heldBack).flatMap(([slot, { budget }]) =>
    budget.of === of && budget.name === name ? [`${key} ${slot}`] : [],
  );
