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

export type Lists = Pick<ReadModel, 'list'>;

/** `all`: what is gone as well, so that every figure can be told; `needed`: what is gone only where a total ceiling counts it. */
export type Counted = 'all' | 'needed';

/** The budget of a deployment with all that counts against it; undefined, and nothing read, where it has none. */
export async function accountOfDeployment(
  model: Lists,
  deployment: DeploymentState,
  counted: Counted,
): Promise<BudgetAccount | undefined> {
  const { key, spec } = deployment;
  const limits = spec.spec.budget;
  if (!limits) return undefined;
  const isWhole = counted === 'all' || limits.maxTotal !== undefined;
  const [replicas, rollouts] = await Promise.all([
    replicasIn(model, isWhole ? groupOf.deployment(key) : groupOf.present(key)),
    rolloutsIn(model, groupOf.rolloutsOf(key)),
  ]);
  return deploymentAccount(deployment, replicas, rollouts);
}

/** The budget of a tenant with all that counts against it; undefined, and nothing read, where it has none. */
export async function accountOfTenant(
  model: Lists,
  state: TenantState,
  counted: Counted,
): Promise<BudgetAccount | undefined> {
  const { tenant, budget } = state;
  if (!budget) return undefined;
  const ofTenant = groupOf.tenant(tenant);
  const isWhole = counted === 'all' || budget.maxTotal !== undefined;
  const [replicas, rollouts, deployments] = await Promise.all([
    replicasIn(model, isWhole ? ofTenant : groupOf.presentIn(tenant)),
    rolloutsIn(model, ofTenant),
    model.list<DeploymentState>('deployment', ofTenant),
  ]);
  const active = new Map(deployments.map(({ key, document }) => [key, document.activeRevision]));
  return tenantAccount(state, replicas, active, rollouts);
}

export async function replicasIn(model: Lists, group: string): Promise<readonly ReplicaState[]> {
  return (await model.list<ReplicaState>('replica', group)).map(({ document }) => document);
}

export async function rolloutsIn(model: Lists, group: string): Promise<readonly RolloutState[]> {
  return (await model.list<RolloutState>('rollout', group)).map(({ document }) => document);
}
