import { budgetsTable } from '../output/budget-views.js';
import type { Session } from '../session.js';
import { conclude, whoAsks } from './orders.js';

export interface BudgetFilter {
  readonly tenant?: string;
}
export interface BudgetOptions {
  readonly tenant: string;
  readonly maxHourly?: string;
  readonly maxTotal?: string;
  readonly currency?: string;
  readonly onExceed?: string;
  readonly alarmAt?: string;
}

/** How every budget stands, of tenants and of deployments. */
export async function getBudgets(session: Session, { tenant }: BudgetFilter): Promise<void> {
  const rows = await session.client.budgets(tenant);
  await session.printAged(rows, (nowMs) => (rows.length === 0 ? 'no budgets' : budgetsTable(rows, nowMs)));
}

/** Sets what all deployments of a tenant may spend together. What is wrong about it is said by the server. */
export async function setBudget(session: Session, { tenant, alarmAt, ...limits }: BudgetOptions): Promise<void> {
  const budget = { ...limits, ...(alarmAt === undefined ? {} : { alarmAt: numberOr(alarmAt) }) };
  const answer = await session.client.setBudget({ tenant, budget, ...whoAsks(session) });
  conclude(
    session,
    answer,
    () => `all deployments of tenant ${tenant} share it from now on. See: davit budget get`,
    ', it was so before',
  );
}

export async function clearBudget(session: Session, { tenant }: { readonly tenant: string }): Promise<void> {
  const answer = await session.client.clearBudget({ tenant, ...whoAsks(session) });
  conclude(session, answer, () => `tenant ${tenant} has no ceiling any more; those of its deployments stay`);
}

/** What is no number goes as it is, so that the answer shows what was written. */
const numberOr = (text: string): number | string => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);
