import type { AlarmView, FleetView, OrphanView } from '@davit/contracts';
import type { AlarmState, FleetState, OrphanState } from '@davit/domain';
import type { StoredDocument } from '@davit/projection';

export function orphanView({ document: orphan, position }: StoredDocument<OrphanState>): OrphanView {
  const { key, tenant, externalKey, adapter, providerId, reason, policy, quarantinedUntil, price } = orphan;
  return {
    key,
    tenant,
    externalKey,
    adapter,
    providerId,
    replica: orphan.replicaId,
    reason,
    policy,
    state: orphan.status,
    since: orphan.foundAt,
    quarantinedUntil,
    approvedAt: orphan.approved?.at ?? null,
    price,
    why: why(orphan),
    position,
  };
}

const ORIGIN: Readonly<Record<OrphanState['reason'], string>> = {
  'no-owner': 'the log never asked for it',
  'owner-gone': 'its replica is gone',
  duplicate: 'its replica has another one',
  'canary-left': 'the rollout whose canary it was is rid of it, or over',
};

function why(orphan: OrphanState): string {
  const parts = [ORIGIN[orphan.reason], next(orphan), orphan.detail];
  return parts.filter((part) => part !== '').join('; ');
}

/** What happens next, and who has to do it. */
function next({ status, policy, approved, deletion, absence, quarantinedUntil }: OrphanState): string {
  switch (status) {
    case 'cleared':
      return 'no orphan any more';
    case 'gone':
      return 'proven gone';
    case 'reaping':
      if (absence.observedAt.length > 0) return 'deleted; absence is being proven';
      return deletion?.outcome === 'refused' || deletion?.outcome === 'unknown'
        ? `its deletion is ${deletion.outcome}: ${deletion.detail}`
        : 'being deleted';
    case 'quarantined':
      if (policy === 'report') return 'only reported: delete it by hand';
      if (policy === 'approve' && approved === null) return 'waits for approval: davit orphans reap';
      return `is deleted after ${quarantinedUntil}`;
  }
}

export function alarmView({ document, position }: StoredDocument<AlarmState>): AlarmView {
  const { alarm, about, tenant, severity, detail, since } = document;
  return { alarm, about, tenant, severity, detail, since, position };
}

/** A fleet of which nothing was heard yet serves nothing and is not frozen. */
export function fleetView(stored: StoredDocument<FleetState> | undefined, position: number): FleetView {
  if (!stored) return { serving: 0, losses: [], frozen: null, thawOrdered: null, position };
  const { serving, losses, frozen, thawOrdered } = stored.document;
  return {
    serving,
    losses: losses.map(({ replicaId, at }) => ({ replica: replicaId, at })),
    frozen,
    thawOrdered,
    position: stored.position,
  };
}
