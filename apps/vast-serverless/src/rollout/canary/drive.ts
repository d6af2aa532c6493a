import type { NormalisedDeployment, ScalingBounds, TemplateIdentity } from '@davit/contracts';
import type { ReplicaState } from '@davit/domain';
import { Blindness, type BackendRegistry, driveResource, type Subject } from '@davit/provider-kit';
import { type ReconcileResult, TerminalError } from '@davit/reconcile';
import type { RolloutParts } from '../parts.js';
import type { Turn } from '../turn.js';

/** A sight older than this is no longer known to be true. */
const SIGHT_LIFETIME_MS = 60_000;

export type CanaryDriver = (turn: Turn) => Promise<ReconcileResult>;

/** The one next step for the canary at the provider: launch, look, delete, prove its absence; as for the endpoint of any replica. */
export function canaryDriver({ backend, timings }: RolloutParts, backends: BackendRegistry): CanaryDriver {
  const blindness = new Blindness(SIGHT_LIFETIME_MS);
  return async (turn) => {
    const { canary, version } = turn.state;
    if (!canary) return {};
    const { resource } = canary;
    // Its rollout is what wants it.
    const wanted: ReplicaState = { ...resource, versions: { ...resource.versions, replica: version } };
    return driveResource(turn.context, { backend, backends, timings, blindness }, wanted, () =>
      Promise.resolve(subjectOf(turn, resource)),
    );
  };
}

function subjectOf({ state, deployment, plan }: Turn, { id, ordinal, externalKey }: ReplicaState): Subject {
  const spec = deployment.revisions[state.revision];
  if (!spec || !state.template)
    throw new TerminalError(`the log holds no revision ${state.revision} of ${deployment.key}`);
  const maxWorkers = plan.policy.canary.maxWorkers;
  return { externalKey, replicaId: id, ordinal, deployment: canarySpec(spec, state.template, maxWorkers) };
}

/** The candidate's own specification, with the template that was made for it and as many workers as a canary may have. */
function canarySpec(spec: NormalisedDeployment, template: TemplateIdentity, maxWorkers: number): NormalisedDeployment {
  const { compute } = spec.spec;
  if (compute.mode !== 'serverless') return spec;
  const workers = {
    ...compute.workers,
    minLoad: Math.max(1, compute.workers.minLoad),
    cold: Math.min(maxWorkers, Math.max(1, compute.workers.cold)),
    max: maxWorkers,
  };
  const { mode, adapter, search, gpuRamGiB } = compute;
  const named = { mode, adapter, search, gpuRamGiB, templateHash: template.templateHash, workers };
  return { ...spec, spec: { ...spec.spec, compute: named } };
}

/** Bounds that a canary may have: those that were worked out, below what it may cost. */
export const canaryBounds = (bounds: ScalingBounds, maxWorkers: number): ScalingBounds => ({
  ...bounds,
  maxWorkers: Math.min(bounds.maxWorkers, maxWorkers),
  coldWorkers: Math.min(bounds.coldWorkers, maxWorkers),
});
