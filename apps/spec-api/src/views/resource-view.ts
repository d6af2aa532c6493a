import type { ResourceView } from '@davit/contracts';
import { type OrphanState, type ReplicaState, type RolloutState, isBilling } from '@davit/domain';
import type { StoredDocument } from '@davit/projection';

/** A row with the key that lists are ordered by. */
export interface ResourceRow {
  readonly key: string;
  readonly position: number;
  readonly view: ResourceView;
  /** Proven gone, let go, or no orphan any more. */
  readonly isPast: boolean;
}

/** What a replica has or may have at its provider; nothing while nothing was asked for and nothing was found. */
export function ofReplica({ document, position }: StoredDocument<ReplicaState>): readonly ResourceRow[] {
  return rowOf(document, { kind: 'replica', id: document.id }, position);
}

/** The endpoint on which a candidate proves itself is driven like a replica's. */
export function ofRollout({ document, position }: StoredDocument<RolloutState>): readonly ResourceRow[] {
  const { canary, id } = document;
  return canary ? rowOf(canary.resource, { kind: 'rollout', id }, position) : [];
}

function rowOf(replica: ReplicaState, owner: ResourceView['owner'], position: number): readonly ResourceRow[] {
  const { externalKey, tenant, adapter, deployment, resource, meter, launch, absence, price } = replica;
  if (!launch && !resource) return [];
  const view: ResourceView = {
    key: externalKey,
    tenant,
    externalKey,
    adapter,
    providerId: resource?.providerId ?? null,
    owner,
    deployment,
    phase: resource?.phase ?? 'unknown',
    detail: resource?.detail ?? launch?.detail ?? '',
    url: resource?.url ?? null,
    absence: absenceOf(absence),
    billing: meter !== null && isBilling(meter),
    price,
    position,
  };
  const isOver = replica.status === 'deleted' || absence.confirmedAt !== null || absence.released;
  return [{ key: externalKey, position, view, isPast: isOver && !view.billing }];
}

/** What nobody owns. */
export function ofOrphan({ document, position }: StoredDocument<OrphanState>): readonly ResourceRow[] {
  const { key, tenant, externalKey, adapter, providerId, status, meter, absence, price, detail } = document;
  const isPast = status === 'gone' || status === 'cleared';
  const view: ResourceView = {
    key,
    tenant,
    externalKey,
    adapter,
    providerId,
    owner: { kind: 'nobody', id: null },
    deployment: null,
    phase: status,
    detail,
    url: null,
    absence: absenceOf(absence),
    billing: !isPast && (meter === undefined || isBilling(meter)),
    price,
    position,
  };
  return [{ key, position, view, isPast }];
}

function absenceOf({ observedAt, confirmedAt, released }: ReplicaState['absence']): ResourceView['absence'] {
  if (released) return 'let-go';
  if (confirmedAt !== null) return 'proven';
  return observedAt.length > 0 ? 'seen-absent' : 'not-seen-absent';
}
