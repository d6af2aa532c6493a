import { type BudgetView, type QueryOf, operations } from '@davit/contracts';
import {
  type BudgetAccount,
  type DeploymentState,
  type ReplicaState,
  type RolloutState,
  type TenantState,
  deploymentAccount,
  groupOf,
  tenantAccount,
} from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import type { Listing } from '../queries/listing.js';
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
      ...tenants.map((stored) => ofTenant(model, stored.document)),
      ...deployments
        .filter(({ document }) => tenant === undefined || document.tenant === tenant)
        .map(async ({ key, document }) => ({
          account: deploymentAccount(
            document,
            await replicasIn(model, groupOf.deployment(key)),
            await rolloutsIn(model, groupOf.rolloutsOf(key)),
          ),
          deployments: [document],
        })),
    ]);
    const items = accounts.flatMap(({ account, deployments: of }) =>
      account ? [budgetView(account, of, nowMs, position)] : [],
    );
    return { position, items, next: null };
  }
}

interface Found {
  readonly account: BudgetAccount | undefined;
  readonly deployments: readonly DeploymentState[];
}

type Lists = Pick<ReadModel, 'list'>;

async function ofTenant(model: Lists, document: TenantState): Promise<Found> {
  const of = groupOf.tenant(document.tenant);
  const deployments = await model.list<DeploymentState>('deployment', of);
  const account = document.budget
    ? tenantAccount(document, await replicasIn(model, of), new Map(), await rolloutsIn(model, of))
    : undefined;
  return { account, deployments: deployments.map((stored) => stored.document) };
}

const rolloutsIn = async (model: Lists, group: string): Promise<readonly RolloutState[]> =>
  (await model.list<RolloutState>('rollout', group)).map(({ document }) => document);

const replicasIn = async (model: Lists, group: string): Promise<readonly ReplicaState[]> =>
  (await model.list<ReplicaState>('replica', group)).map(({ document }) => document);
