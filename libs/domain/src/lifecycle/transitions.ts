import type { EventOf } from '@davit/contracts';
import type { ReplicaStatus } from './state.js';

export type ReplicaEventType = EventOf<'replica'>['type'];
/** `davit.replica.launch-requested` → `launch-requested`. */
type ShortName<Type> = Type extends `davit.replica.${infer Name}` ? Name : never;
/** What orchestrator decides of a replica once it has been asked for. */
export type ReplicaDecision = Exclude<ShortName<ReplicaEventType>, 'requested'>;

/** The status of a replica that has just been asked for by `davit.replica.requested`. */
export const FIRST_STATUS: ReplicaStatus = 'requested';

/**
 * The state machine of a replica: which of orchestrator's decisions a status allows, and the status that follows.
 * The fold and the diagram in the documentation both read it. What other services see (at providers, of runtimes, of routes)
 * changes what is known of a replica and never its status.
 */
export const REPLICA_TRANSITIONS: Readonly<
  Record<ReplicaStatus, Readonly<Partial<Record<ReplicaDecision, ReplicaStatus>>>>
> = {
  requested: {
    'discovery-requested': 'requested',
    placed: 'requested',
    deferred: 'deferred',
    'launch-requested': 'launching',
    'delete-requested': 'deleting',
    quarantined: 'quarantined',
  },
  deferred: { 'discovery-requested': 'requested', 'delete-requested': 'deleting', quarantined: 'quarantined' },
  launching: {
    'deadline-extended': 'launching',
    ready: 'ready',
    failed: 'failed',
    'delete-requested': 'deleting',
    quarantined: 'quarantined',
  },
  ready: { 'drain-requested': 'draining', failed: 'failed', quarantined: 'quarantined' },
  draining: { drained: 'drained', quarantined: 'quarantined' },
  drained: { 'delete-requested': 'deleting', quarantined: 'quarantined' },
  failed: { 'delete-requested': 'deleting', quarantined: 'quarantined' },
  deleting: { deleted: 'deleted', quarantined: 'quarantined' },
  // Seen again after it was proven gone: the same machinery ends it again (law 5).
  deleted: { 'delete-requested': 'deleting', quarantined: 'quarantined' },
  quarantined: { 'delete-requested': 'deleting', quarantined: 'quarantined' },
};

export const REPLICA_STATUSES = Object.keys(REPLICA_TRANSITIONS) as readonly ReplicaStatus[]; // keys of the record above

/** The status that follows; undefined when `status` does not allow the decision. */
export const statusAfter = (status: ReplicaStatus, decision: ReplicaDecision): ReplicaStatus | undefined =>
  REPLICA_TRANSITIONS[status][decision];

/** `davit.replica.ready` → `ready`. */
export const decisionOf = (type: Exclude<ReplicaEventType, 'davit.replica.requested'>): ReplicaDecision =>
  type.slice('davit.replica.'.length) as ReplicaDecision; // the type's own ending
