import { type DeploymentSpec, secretObjection } from '@davit/contracts';
import type { DeploymentState, ReplicaState } from '@davit/domain';

/** States in which it matters what the model server does. */
export const isWatched = ({ status }: ReplicaState): boolean =>
  status === 'launching' || status === 'ready' || status === 'draining';

/**
 * Where the replica's server is reached. A provider that cannot be heard says nothing of the server, so the last known
 * address stays (law 4). It stays as well for what has served: a route may point there until a probe says otherwise. For
 * the rest, any other phase than up means that there is none.
 */
export function addressOfReplica({ resource, runtime, everReady }: ReplicaState): string | null {
  if (resource === null) return null;
  if (resource.phase === 'up') return resource.url ?? runtime?.url ?? null;
  return resource.phase === 'unknown' || everReady ? (runtime?.url ?? null) : null;
}

/** Specification that the replica was made from. */
export const specOf = (replica: ReplicaState, deployment: DeploymentState): DeploymentSpec =>
  (deployment.revisions[replica.revision] ?? deployment.spec).spec;

/**
 * Whether all workers of the endpoint may go to sleep for want of load. Whatever is asked through the provider's proxy is load, so that
 * a probe keeps workers awake, or wakes one, at the price of their GPUs
 * (https://docs.vast.ai/serverless: none is active only where `min_load` is 0).
 */
export const mayRest = ({ compute }: DeploymentSpec): boolean =>
  compute.mode === 'serverless' && compute.workers.minLoad === 0;

/** Name under which vLLM finds its own key; the prober sends what it finds there under the same reference. */
const WORKER_KEY = 'VLLM_API_KEY';

export type WorkerKey = { readonly value: string | undefined; readonly trouble: string | null };

/** Resolves the worker key at this last hop; `trouble` says why a reference has no value here. */
export function workerKey(spec: DeploymentSpec, environment: Readonly<Record<string, string | undefined>>): WorkerKey {
  const secret = spec.secrets.find(({ name }) => name === WORKER_KEY);
  if (secret === undefined) return { value: undefined, trouble: null };
  const objection = secretObjection(secret, spec.compute.mode);
  if (objection !== undefined) return { value: undefined, trouble: objection };
  const value = environment[secret.from.env];
  return value === undefined || value === ''
    ? { value: undefined, trouble: `${secret.from.env} is not set where runtime-prober runs` }
    : { value, trouble: null };
}
