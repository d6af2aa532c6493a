import type { Placement } from '@davit/contracts';
import type { DeploymentState, ReplicaState } from '@davit/domain';

export type WaitingRung = { readonly rung: number; readonly placement: Placement; readonly diskGiB: number };

/**
 * Rungs that orchestrator waits to hear of: the replica's discovery found nothing, it is to be rented, and nobody has said
 * anything of the rung since that discovery.
 */
export function waitingRungs(replica: ReplicaState, deployment: DeploymentState | undefined): readonly WaitingRung[] {
  if (!mayNeedAdvice(replica)) return [];
  const compute = (deployment?.revisions[replica.revision] ?? deployment?.spec)?.spec.compute;
  if (compute?.mode !== 'elastic') return [];
  return compute.placements
    .map((placement, rung) => ({ rung, placement, diskGiB: compute.diskGiB }))
    .filter(({ rung }) => replica.assessments[rung] === undefined);
}

export const mayNeedAdvice = ({ status, mode, discovery }: ReplicaState): boolean =>
  status === 'requested' && mode === 'elastic' && discovery.outcome === 'absent';
