import { type DeploymentState, type ReplicaState, isLive } from '../lifecycle/state.js';
import { isServing } from './conditions.js';
import { emptySlots } from './slots.js';

/** What the active revision lacks while another one is to take over from it. */
export type Shortfall = {
  /** The deployment as if the active revision were still the one declared. */
  readonly deployment: DeploymentState;
  readonly replicas: readonly ReplicaState[];
  readonly ordinals: readonly number[];
};

/**
 * A rollout may wait for hours, and what serves meanwhile dies as at any other time: the active revision is healed up to
 * what the new one does not serve yet. It never grows beyond what was declared while it was the newest. In place there is no
 * machine for both, and the new revision gets each that becomes free.
 */
export function shortfallOf(
  deployment: DeploymentState,
  kept: readonly ReplicaState[],
  older: readonly ReplicaState[],
): Shortfall | undefined {
  const { activeRevision, revision, revisions } = deployment;
  if (activeRevision === null || activeRevision === revision) return undefined;
  const { rollout, scaling } = deployment.spec.spec;
  const spec = revisions[activeRevision];
  if (!spec || rollout.strategy === 'in-place') return undefined;
  const replicas = older.filter((replica) => replica.revision === activeRevision);
  const wanted = Math.min(scaling.replicas, spec.spec.scaling.replicas) - kept.filter(isServing).length;
  const ordinals = emptySlots(replicas.filter(isLive), wanted);
  return { deployment: { ...deployment, revision: activeRevision, spec }, replicas, ordinals };
}
