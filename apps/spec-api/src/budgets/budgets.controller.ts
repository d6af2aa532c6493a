import { type BudgetView, type QueryOf, operations } from '@davit/contracts';
import { type DeploymentState, type TenantState, groupOf } from '@davit/domain';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import type { Listing } from '../queries/listing.js';
import { foundOfDeployment, foundOfTenant } from './accounts.js';
import { budgetView } from './budget-view.js';

/** How the budgets stand, of deployments and of tenants: folded from the log as enforcement folds them. */
@Controller()
export class BudgetsController {
  /** Those of tenants first. */
  @Serves(operations.listBudgets)
  async budgets(
    @Asked() asking: Asking,
    @ReadQuery() { tenant }: QueryOf<typeof operations.listBudgets>,
  ): Promise<Listing<BudgetView>> {
    const { model, position, nowMs } = await asking.view();
    const [tenants, deployments] = await Promise.all([
      model.list<TenantState>('tenant', tenant === undefined ? undefined : groupOf.tenant(tenant)),
      model.list<DeploymentState>('deployment', groupOf.budgeted),
    ]);
    const accounts = await Promise.all([
      ...tenants.map((stored) => foundOfTenant(model, stored.document)),
      ...deployments
        .filter(({ document }) => tenant === undefined || document.tenant === tenant)
        .map(({ document }) => foundOfDeployment(model, document)),
    ]);
    const items = accounts.flatMap(({ account, deployments: of }) =>
      account ? [budgetView(account, of, nowMs, position)] : [],
    );
    return { position, items, next: null };
  }
}
