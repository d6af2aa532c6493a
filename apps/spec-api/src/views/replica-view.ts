import type { ReplicaView } from '@davit/contracts';
import type { ReplicaState } from '@davit/domain';
import type { StoredDocument } from '@davit/projection';

/** Row of a replica, from its document alone. */
export function replicaView({ document: replica, position }: StoredDocument<ReplicaState>): ReplicaView {
  const { id, tenant, deployment, revision, ordinal, incarnation, externalKey, since, placement, price } = replica;
  return {
    id,
    tenant,
    deployment,
    revision,
    ordinal,
    incarnation,
    externalKey,
    state: stateWord(replica),
    since: replica.waitsSince ?? since,
    placement,
    price,
    url: replica.runtime?.url ?? replica.resource?.url ?? null,
    why: why(replica),
    waitsUntil: waitsUntil(replica),
    position,
  };
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

/** Until when the present wait may last; null when nothing is waited for. */
export function waitsUntil(replica: ReplicaState): string | null {
  switch (replica.status) {
    case 'deferred':
      return replica.retryAt;
    case 'launching':
      return replica.launch?.deadlineAt ?? null;
    case 'draining':
      return replica.drain?.deadlineAt ?? null;
    default:
      return null;
  }
}

/** Why it is in this state, with the latest evidence; empty for a replica that serves as it should. */
export function why(replica: ReplicaState): string {
  switch (replica.status) {
    case 'requested':
      return requested(replica);
    case 'launching':
      return launching(replica);
    case 'ready':
      return ready(replica);
    case 'draining':
      return joined(replica.reason, replica.route.registered ? ROUTED : 'requests in work may finish');
    case 'deleting':
      return joined(replica.reason, deletion(replica));
    case 'failed':
      return joined(replica.reason, replica.route.registered ? ROUTED : null);
    case 'deferred':
    case 'drained':
    case 'deleted':
    case 'quarantined':
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

function ready({ route, runtime }: ReplicaState): string {
  if (runtime?.status === 'unready') return joined('does not answer as it should', runtime.detail);
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
