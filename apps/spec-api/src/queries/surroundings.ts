import {
  type DeploymentState,
  FLEET_KEY,
  type FleetState,
  type OfferState,
  type OrphanState,
  type ReplicaState,
  groupOf,
  offerKeyOf,
} from '@davit/domain';
import type { ReadModel, StoredDocument } from '@davit/projection';
import type { Surroundings } from '../views/replica-view.js';

type Model = Pick<ReadModel, 'get' | 'list'>;

/** What changes what these replicas wait for, and for how long, beside themselves. */
export async function surroundings(
  model: Model,
  replicas: readonly StoredDocument<ReplicaState>[],
): Promise<Surroundings> {
  const [fleet, orphans, paused, offers] = await Promise.all([
    model.get<FleetState>('fleet', FLEET_KEY),
    model.list<OrphanState>('orphan'),
    model.list<DeploymentState>('deployment', groupOf.paused),
    offersOf(model, replicas),
  ]);
  return {
    fleet: fleet?.document,
    orphans: orphans.map(({ document }) => document),
    paused: paused.map(({ document }) => document),
    offers,
  };
}

/** The record of each offer that one of them starts on. */
async function offersOf(
  model: Model,
  replicas: readonly StoredDocument<ReplicaState>[],
): Promise<ReadonlyMap<string, OfferState>> {
  const keys = replicas.flatMap(({ document: { status, placement } }) =>
    status === 'launching' && placement ? [offerKeyOf(placement)] : [],
  );
  const found = await Promise.all([...new Set(keys)].map((key) => model.get<OfferState>('offer', key)));
  return new Map(found.flatMap((one) => (one ? [[one.document.key, one.document] as const] : [])));
}
