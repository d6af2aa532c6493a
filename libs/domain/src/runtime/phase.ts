import type { StartPhase } from '@davit/contracts';
import type { ReplicaState } from '../lifecycle/state.js';

const PULLS = /pull|download(?:ing)? (?:the )?image/i;

/**
 * How far a replica's start has come, as far as anybody said; null where nobody did, and for what is no longer to serve.
 * The provider tells of the machine and its image, the model server that it loads or warms up.
 */
export function startPhaseOf(replica: ReplicaState): StartPhase | null {
  const { status, runtime, resource, route } = replica;
  if (status === 'ready') return runtime?.status === 'ready' && route.registered ? 'serving' : null;
  if (status !== 'launching') return null;
  if (runtime?.reason === 'loading' || runtime?.reason === 'warming') return runtime.reason;
  if (resource?.phase !== 'provisioning') return null;
  const isPulling = resource.diagnosis?.boundary === 'image' || PULLS.test(resource.detail);
  return isPulling ? 'pulling' : 'provisioning';
}
