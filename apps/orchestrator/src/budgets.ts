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

/** Reads budgets with all that counts against them; nothing of it where none is set. */
export class BudgetReader {
  /** Of tenants: their deployments are looked at one after the other, mostly with nothing new between two of them. */
  private readonly known = new Map<string, { readonly position: number; readonly account: Promise<Account> }>();

  /** The budgets that hold for a deployment: its own, and its tenant's. */
  async accountsOf(model: ReadModel, deployment: DeploymentState): Promise<readonly BudgetAccount[]> {
    const [own, shared] = await Promise.all([ownAccount(model, deployment), this.ofTenant(model, deployment.tenant)]);
    return [own, shared].flatMap((account) => account ?? []);
  }

  /** Every budget that is set. */
  async all(model: ReadModel): Promise<readonly BudgetAccount[]> {
    const [deployments, tenants] = await Promise.all([
      model.list<DeploymentState>('deployment', groupOf.budgeted),
      model.list<TenantState>('tenant'),
    ]);
    const accounts = await Promise.all([
      ...deployments.map(({ document }) => ownAccount(model, document)),
      ...tenants.map(({ key }) => this.ofTenant(model, key)),
    ]);
    return accounts.flatMap((account) => account ?? []);
  }

  private async ofTenant(model: ReadModel, tenant: string): Promise<Account> {
    if (!(await model.get<TenantState>('tenant', tenant))?.document.budget) return undefined;
    // Before the documents are read, so that they are never older than what they are kept for.
    const position = await model.position();
    const known = this.known.get(tenant);
    if (known?.position === position) return known.account;
    const account = sharedAccount(model, tenant);
    this.known.set(tenant, { position, account });
    account.catch(() => this.known.delete(tenant));
    return account;
  }
}

type Account = BudgetAccount | undefined;

async function ownAccount(model: ReadModel, deployment: DeploymentState): Promise<Account> {
  const { key, spec } = deployment;
  const limits = spec.spec.budget;
  if (!limits) return undefined;
  // What is gone counts against a total only.
  const group = limits.maxTotal === undefined ? groupOf.present(key) : groupOf.deployment(key);
  return deploymentAccount(deployment, await replicasIn(model, group));
}

async function sharedAccount(model: ReadModel, tenant: string): Promise<Account> {
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
