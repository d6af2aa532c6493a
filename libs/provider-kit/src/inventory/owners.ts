import { FLEET_KEY, type FleetState, groupOf, type ReplicaState, type RolloutState } from '@davit/domain';
import type { StoredDocument } from '@davit/projection';
import type { ReconcileContext } from '@davit/reconcile';

export type Owner = StoredDocument<ReplicaState>;

/** The replica that has, or last had, a thing of this name; whatever has become of it. */
export async function ownerOf({ model }: ReconcileContext, externalKey: string): Promise<Owner | undefined> {
  const [owner] = await model.list<ReplicaState>('replica', groupOf.externalKey(externalKey));
  return owner;
}

/** Replicas of a backend that are not yet proven gone, by name: one question for all of them. */
export async function presentOwners({ model }: ReconcileContext, adapter: string): Promise<ReadonlyMap<string, Owner>> {
  const present = await model.list<ReplicaState>('replica', groupOf.adapter(adapter));
  return new Map(present.map((stored) => [stored.document.externalKey, stored]));
}

/** Nothing is given up on observation alone while too many have died at once (law 12). */
export const isFrozen = async ({ model }: ReconcileContext): Promise<boolean> =>
  ((await model.get<FleetState>('fleet', FLEET_KEY))?.document.frozen ?? null) !== null;

/** The rollout whose canary has, or last had, this name; whatever has become of it. */
export async function canaryOwnerOf(
  { model }: ReconcileContext,
  externalKey: string,
): Promise<StoredDocument<RolloutState> | undefined> {
  const [owner] = await model.list<RolloutState>('rollout', groupOf.canary(externalKey));
  return owner;
}
