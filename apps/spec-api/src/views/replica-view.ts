import type { ReplicaView } from '@davit/contracts';
import {
  type DeploymentState,
  type FleetState,
  type OfferState,
  type OrphanState,
  type ReplicaState,
  type Wait,
  isOpenOrphan,
  offerKeyOf,
  readyTimeOf,
  startPhaseOf,
  waitOf,
} from '@davit/domain';
import type { StoredDocument } from '@davit/projection';

/** What is known beside the replica itself and changes what it waits for. */
export interface Surroundings {
  readonly fleet?: FleetState | undefined;
  readonly orphans?: readonly OrphanState[];
  /** Deployments that are paused. */
  readonly paused?: readonly DeploymentState[];
  /** Offers that replicas start on, by their keys. */
  readonly offers?: ReadonlyMap<string, OfferState>;
}

/** Row of a replica. */
export function replicaView(
  { document: replica, position }: StoredDocument<ReplicaState>,
  { fleet, orphans = [], paused = [], offers }: Surroundings = {},
): ReplicaView {
  const { id, tenant, deployment, revision, ordinal, incarnation, externalKey, since, placement, price } = replica;
  const wait = waitOf(replica, { fleet, deployment: paused.find(({ key }) => key === deployment) });
  return {
    id,
    tenant,
    deployment,
    revision,
    ordinal,
    incarnation,
    externalKey,
    state: stateWord(replica),
    phase: startPhaseOf(replica),
    since: replica.waitsSince ?? since,
    placement,
    price,
    url: replica.runtime?.url ?? replica.resource?.url ?? null,
    why: why(replica, wait),
    waitsUntil: wait?.deadline ?? null,
    wait,
    expectedReadyAt: expectedReadyAt(replica, offers),
    diagnosis: replica.resource?.diagnosis ?? null,
    duplicates: orphans
      .filter((orphan) => orphan.replicaId === id && orphan.reason === 'duplicate' && isOpenOrphan(orphan))
      .map(({ key }) => key),
    position,
  };
}

function expectedReadyAt({ id, status, placement }: ReplicaState, offers: Surroundings['offers']): string | null {
  const offer = status === 'launching' && placement ? offers?.get(offerKeyOf(placement)) : undefined;
  const start = offer?.open[id];
  const time = readyTimeOf(offer);
  return start && time ? new Date(Date.parse(start.at) + time.medianMs).toISOString() : null;
}

/** The state as an operator thinks of it: what it does, not which event came last. */
export function stateWord(replica: ReplicaState): string {
  switch (replica.status) {
    case 'ready':
      return replica.route.registered ? 'serving' : 'ready';
    case 'deferred':
      return 'waiting';
    case 'requested':
      // A look in between does not end the wait.
      return replica.waitsSince === null ? 'requested' : 'waiting';
    case 'launching':
      return replica.resource?.phase === 'up' ? 'loading' : 'launching';
    default:
      return replica.status;
  }
}

/** Why it is in this state, with the latest evidence; empty for a replica that serves as it should. */
export function why(replica: ReplicaState, wait: Wait | null): string {
  if (wait?.reason === 'paused') return `its deployment is paused: ${wait.next}`;
  switch (replica.status) {
    case 'requested':
      return requested(replica);
    case 'launching':
      return launching(replica);
    case 'ready':
      return ready(replica, wait);
    case 'draining':
      return joined(replica.reason, replica.route.registered ? ROUTED : 'requests in work may finish');
    case 'deleting':
      return joined(replica.reason, deletion(replica));
    case 'failed':
      return joined(replica.reason, replica.route.registered ? ROUTED : null);
    case 'quarantined':
      return wait?.next ?? replica.reason;
    case 'deferred':
    case 'drained':
    case 'deleted':
      return replica.reason;
  }
}

const ROUTED = 'its route is to be withdrawn first';

function requested({ discovery, reason }: ReplicaState): string {
  if (discovery.outcome === 'absent') return 'nothing of this name exists; a placement is being chosen';
  if (discovery.outcome === 'unknown') return joined('whether it already exists is not known', discovery.detail);
  return reason;
}

function launching({ launch, resource, runtime }: ReplicaState): string {
  if (resource?.diagnosis) {
    const { boundary, detail, remedy } = resource.diagnosis;
    return `stuck (${boundary}): ${joined(detail, remedy)}`;
  }
  if (runtime && runtime.status !== 'ready') return joined('the machine is up; waiting for the model', runtime.detail);
  if (resource && resource.detail !== '') return resource.detail;
  switch (launch?.outcome) {
    case 'unknown':
      return joined('whether the launch was taken is not known; looking it up', launch.detail);
    case 'refused':
      return joined('the provider refused the launch', launch.detail);
    case 'accepted':
      return 'the provider works on it';
    default:
      return 'asked for; waiting for the provider';
  }
}

function ready({ route, runtime }: ReplicaState, wait: Wait | null): string {
  if (runtime?.status === 'unready') {
    const held = wait?.reason === 'fleet-frozen' ? `the fleet is frozen: ${wait.next}` : null;
    return joined('does not answer as it should', runtime.detail, held);
  }
  return route.registered ? '' : 'proven; waiting for its route';
}

/** Absence needs evidence; this says how much of it there is. */
function deletion({ deletion: attempt, absence, resource }: ReplicaState): string {
  if (absence.released) return 'let go; it was only adopted and keeps running';
  if (absence.confirmedAt !== null) return 'proven gone';
  if (resource?.phase === 'unknown')
    return joined('the provider cannot be asked, so it counts as running', resource.detail);
  if (absence.observedAt.length === 1) return 'absence seen once; a second look follows';
  if (absence.observedAt.length > 1) return 'absence seen twice; the inventory follows';
  switch (attempt?.outcome) {
    case 'refused':
      return joined('the provider refused the deletion', attempt.detail);
    case 'unknown':
      return joined('whether the deletion was taken is not known', attempt.detail);
    case 'accepted':
      return 'deletion taken; waiting for proof that it is gone';
    default:
      return 'deletion asked for';
  }
}

const joined = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join('; ');
