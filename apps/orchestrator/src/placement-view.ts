import {
  type BudgetAccount,
  type DeploymentState,
  NOTHING_KNOWN,
  type OfferState,
  type PlacementView,
  type ReplicaState,
  budgetRoom,
  groupOf,
  offerKeysOf,
} from '@davit/domain';
import type { ReadModel } from '@davit/projection';

/** What the policy of placement needs to know beside the replica that is to be placed; nothing for one that is not. */
export async function placementView(
  replica: ReplicaState,
  deployment: DeploymentState | undefined,
  accounts: readonly BudgetAccount[],
  model: ReadModel,
  nowMs: number,
): Promise<PlacementView> {
  if (replica.status !== 'requested' || replica.discovery.outcome !== 'absent' || !deployment) return NOTHING_KNOWN;
  const { compute } = (deployment.revisions[replica.revision] ?? deployment.spec).spec;
  if (compute.mode !== 'elastic') return NOTHING_KNOWN;
  const [siblings, offers] = await Promise.all([
    model.list<ReplicaState>('replica', groupOf.present(deployment.key)),
    Promise.all(offerKeysOf(compute).map((key) => model.get<OfferState>('offer', key))),
  ]);
  return {
    siblings: siblings.map(({ document }) => document).filter(({ id }) => id !== replica.id),
    offers: new Map(offers.flatMap((stored) => (stored ? [[stored.key, stored.document] as const] : []))),
    budgets: accounts.map((account) => budgetRoom(account, nowMs)),
  };
}
