import {
  type BudgetAccount,
  type DeploymentState,
  type ReplicaState,
  type TenantState,
  deploymentAccount,
  groupOf,
  tenantAccount,
} from '@davit/domain';
import type { ReadModel } from '@davit/projection';

/** The budgets that hold for a deployment, with all that counts against them; none of it is read where none is set. */
export async function budgetAccounts(model: ReadModel, deployment: DeploymentState): Promise<readonly BudgetAccount[]> {
  const [own, shared] = await Promise.all([ownAccount(model, deployment), sharedAccount(model, deployment.tenant)]);
  return [own, shared].flatMap((account) => account ?? []);
}

/** Every budget that is set. */
export async function allAccounts(model: ReadModel): Promise<readonly BudgetAccount[]> {
  const [deployments, tenants] = await Promise.all([
    model.list<DeploymentState>('deployment', groupOf.budgeted),
    model.list<TenantState>('tenant'),
  ]);
  const accounts = await Promise.all([
    ...deployments.map(({ document }) => ownAccount(model, document)),
    ...tenants.map(({ key }) => sharedAccount(model, key)),
  ]);
  return accounts.flatMap((account) => account ?? []);
}

async function ownAccount(model: ReadModel, deployment: DeploymentState): Promise<BudgetAccount | undefined> {
  const { key, spec } = deployment;
  const limits = spec.spec.budget;
  if (!limits) return undefined;
  // What is gone counts against a total only.
  const group = limits.maxTotal === undefined ? groupOf.present(key) : groupOf.deployment(key);
  return deploymentAccount(deployment, await replicasIn(model, group));
}

async function sharedAccount(model: ReadModel, tenant: string): Promise<BudgetAccount | undefined> {
  const state = (await model.get<TenantState>('tenant', tenant))?.document;
  if (!state?.budget) return undefined;
  const group = state.budget.maxTotal === undefined ? groupOf.presentIn(tenant) : groupOf.tenant(tenant);
  const [replicas, deployments] = await Promise.all([
    replicasIn(model, group),
    model.list<DeploymentState>('deployment', groupOf.tenant(tenant)),
  ]);
  const active = new Map(deployments.map(({ key, document }) => [key, document.activeRevision]));
  return tenantAccount(state, replicas, active);
}

async function replicasIn(model: ReadModel, group: string): Promise<readonly ReplicaState[]> {
  const found = await model.list<ReplicaState>('replica', group);
  return found.map(({ document }) => document);
}
