import { withoutPause } from '../lifecycle/evolve-deployment.js';
import { decideDeployment } from '../converge/decide.js';
import type { DeploymentState, ReplicaState } from '../lifecycle/state.js';

/** What becomes of one replica when its deployment is deleted. */
export type Departure = {
  readonly replica: ReplicaState;
  /** `leaving`: it is on its way out already. */
  readonly step: 'drain' | 'delete' | 'leaving';
  /** Until when its requests may end. */
  readonly drainUntil: string | null;
};

/**
 * What orchestrator would do at once if the deployment were deleted now: its own decision, on a deployment that is to go. Nothing is
 * decided anew here, so that what is shown is what happens.
 */
export function departuresOf(
  deployment: DeploymentState,
  replicas: readonly ReplicaState[],
  nowMs: number,
): readonly Departure[] {
  const { writes } = decideDeployment(
    { ...withoutPause(deployment), status: 'deleting', activeRevision: null },
    replicas,
    nowMs,
    '',
  );
  const asked = new Map<string, string | null>();
  for (const { type, data } of writes.flatMap(({ events }) => events)) {
    if (type === 'davit.replica.drain-requested') asked.set(data.replicaId, data.deadlineAt);
    if (type === 'davit.replica.delete-requested') asked.set(data.replicaId, null);
  }
  return replicas.map((replica): Departure => {
    const drainUntil = asked.get(replica.id);
    if (drainUntil === undefined)
      return {
        replica,
        step: 'leaving',
        drainUntil: replica.drain?.ended ? null : (replica.drain?.deadlineAt ?? null),
      };
    return { replica, step: drainUntil === null ? 'delete' : 'drain', drainUntil };
  });
}
