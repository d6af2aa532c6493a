import { type DeploymentState, type ReplicaState, isLive } from '../lifecycle/state.js';
import { isServing } from './conditions.js';
import { isHeldForEvidence, servingRevision } from '../rollout/start.js';
import { emptySlots } from './slots.js';

/**
 * While a candidate proves itself, and after it was refused, the replicas stay as the active revision has them: the same
 * endpoint will carry the new one, or none will. How many, and what they may cost, follows what was declared last.
 */
export function upheldOf(deployment: DeploymentState): DeploymentState {
  const { revisions, spec } = deployment;
  const revision = servingRevision(deployment);
  const active = revision === null ? undefined : revisions[revision];
  if (revision === null || !active || !isHeldForEvidence(deployment)) return deployment;
  const { scaling, rollout, budget } = spec.spec;
  return { ...deployment, revision, spec: { ...active, spec: { ...active.spec, scaling, rollout, budget } } };
}

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
  // An accepted candidate serves in the place of what was active: that one is not healed beside it.
  if (servingRevision(deployment) !== activeRevision) return undefined;
  const { rollout, scaling } = deployment.spec.spec;
  const spec = revisions[activeRevision];
  if (!spec || rollout.strategy === 'in-place') return undefined;
  const replicas = older.filter((replica) => replica.revision === activeRevision);
  const wanted = Math.min(scaling.replicas, spec.spec.scaling.replicas) - kept.filter(isServing).length;
  const ordinals = emptySlots(replicas.filter(isLive), wanted);
  return { deployment: { ...deployment, revision: activeRevision, spec }, replicas, ordinals };
}
