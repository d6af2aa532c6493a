import type { ReplayPolicy, SpendLimits } from '@davit/contracts';
import {
  type BudgetAccount,
  type DeploymentState,
  type OfferState,
  type PlacementScene,
  type ReplicaState,
  type TenantState,
  budgetRoom,
  groupOf,
  offerKeysOf,
} from '@davit/domain';
import type { MomentModel } from '@davit/projection';
import { foundOfDeployment, foundOfTenant } from '../budgets/accounts.js';

/** Kinds of documents that a choice of a place rests on. */
export const OF_A_SCENE = ['deployment', 'replica', 'offer', 'tenant', 'rollout'] as const;

type Budgets = Pick<ReplayPolicy, 'budget' | 'tenantBudget'>;

/**
 * What a choice of a place for a replica would rest on at one moment; undefined where there is nothing to choose.
 * @param budgets other limits than those that were set
 * @param since from when on what was spent counts against limits of a tenant that had none
 */
export async function sceneAt(
  model: MomentModel,
  replicaId: string,
  nowMs: number,
  budgets: Budgets = {},
  since = new Date(0).toISOString(),
): Promise<PlacementScene | undefined> {
  const replica = (await model.get<ReplicaState>('replica', replicaId))?.document;
  if (replica?.status !== 'requested' || replica.discovery.outcome !== 'absent') return undefined;
  const deployment = (await model.get<DeploymentState>('deployment', replica.deployment))?.document;
  if (!deployment) return undefined;
  const { compute } = (deployment.revisions[replica.revision] ?? deployment.spec).spec;
  if (compute.mode !== 'elastic') return undefined;
  const [present, offers, accounts] = await Promise.all([
    model.list<ReplicaState>('replica', groupOf.present(deployment.key)),
    Promise.all(offerKeysOf(compute).map((key) => model.get<OfferState>('offer', key))),
    accountsOf(model, deployment, budgets, since),
  ]);
  const view = {
    siblings: present.map(({ document }) => document).filter(({ id }) => id !== replicaId),
    offers: new Map(offers.flatMap((stored) => (stored ? [[stored.key, stored.document] as const] : []))),
    budgets: accounts.map((account) => budgetRoom(account, nowMs)),
  };
  return { replica, deployment, compute, view };
}

/** The budgets that hold for it: its own, and its tenant's. */
async function accountsOf(
  model: MomentModel,
  deployment: DeploymentState,
  { budget, tenantBudget }: Budgets,
  since: string,
): Promise<readonly BudgetAccount[]> {
  const { tenant } = deployment;
  const shared = (await model.get<TenantState>('tenant', tenant))?.document ?? {
    ...{ tenant, budget: null, budgetSince: null, version: 0 },
  };
  const found = await Promise.all([
    foundOfDeployment(model, budget === undefined ? deployment : withBudget(deployment, budget)),
    foundOfTenant(
      model,
      tenantBudget === undefined
        ? shared
        : { ...shared, budget: tenantBudget, budgetSince: tenantBudget && (shared.budgetSince ?? since) },
    ),
  ]);
  return found.flatMap(({ account }) => account ?? []);
}

const withBudget = (deployment: DeploymentState, budget: SpendLimits | null): DeploymentState => ({
  ...deployment,
  spec: { ...deployment.spec, spec: { ...deployment.spec.spec, budget } },
});
