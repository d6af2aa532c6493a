import type { LoadTarget } from '../../load/load-parts.js';
import type { Turn } from '../turn.js';

/** The canary as load is sent to it; undefined while the provider has shown none. */
export function canaryTarget({ state, servedName }: Turn): LoadTarget | undefined {
  const endpointId = Number(state.canary?.resource.resource?.providerId ?? NaN);
  if (!state.canary || !Number.isInteger(endpointId)) return undefined;
  return { endpointId, endpointName: state.canary.externalKey, servedName };
}
