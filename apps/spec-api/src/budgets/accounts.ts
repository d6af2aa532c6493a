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

/** A budget, where one is set, with the deployments that spend from it. */
export interface FoundAccount {
  readonly account: BudgetAccount | undefined;
  readonly deployments: readonly DeploymentState[];
}

type Lists = Pick<ReadModel, 'list'>;

export async function accountOfTenant(model: Lists, document: TenantState): Promise<FoundAccount> {
  const of = groupOf.tenant(document.tenant);
  const deployments = await model.list<DeploymentState>('deployment', of);
  const account = document.budget
    ? tenantAccount(document, await replicasIn(model, of), new Map(), await rolloutsIn(model, of))
    : undefined;
  return { account, deployments: deployments.map((stored) => stored.document) };
}

export async function accountOfDeployment(model: Lists, document: DeploymentState): Promise<FoundAccount> {
  const [replicas, rollouts] = await Promise.all([
    replicasIn(model, groupOf.deployment(document.key)),
    rolloutsIn(model, groupOf.rolloutsOf(document.key)),
  ]);
  return { account: deploymentAccount(document, replicas, rollouts), deployments: [document] };
}

const rolloutsIn = async (model: Lists, group: string): Promise<readonly RolloutState[]> =>
  (await model.list<RolloutState>('rollout', group)).map(({ document }) => document);

const replicasIn = async (model: Lists, group: string): Promise<readonly ReplicaState[]> =>
  (await model.list<ReplicaState>('replica', group)).map(({ document }) => document);
