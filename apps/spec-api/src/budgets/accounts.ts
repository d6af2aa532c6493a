import { type BudgetAccount, type DeploymentState, type TenantState, groupOf } from '@davit/domain';
import { type Lists, accountOfDeployment, accountOfTenant } from '@davit/service-kit';

/** A budget, where one is set, with the deployments that spend from it. */
export interface FoundAccount {
  readonly account: BudgetAccount | undefined;
  readonly deployments: readonly DeploymentState[];
}

export async function foundOfTenant(model: Lists, document: TenantState): Promise<FoundAccount> {
  const [account, deployments] = await Promise.all([
    accountOfTenant(model, document, 'all'),
    model.list<DeploymentState>('deployment', groupOf.tenant(document.tenant)),
  ]);
  return { account, deployments: deployments.map((stored) => stored.document) };
}

export async function foundOfDeployment(model: Lists, document: DeploymentState): Promise<FoundAccount> {
  return { account: await accountOfDeployment(model, document, 'all'), deployments: [document] };
}
