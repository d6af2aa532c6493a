import type { ProviderBackend } from './backend.js';

/** What a backend is bound for. It says what may be asked of it, and nothing of how well that is known to work. */
export interface Reach {
  /** Clouds that it rents on; `any` where it has no say. */
  readonly clouds: readonly string[] | 'any';
  /** Engines that it can start, or that the servers it adopts run. */
  readonly engines: readonly string[] | 'any';
}

export interface Binding extends Reach {
  readonly backend: ProviderBackend;
}

export type Resolution =
  | { readonly outcome: 'bound'; readonly backend: ProviderBackend }
  | { readonly outcome: 'refused'; readonly detail: string };

export interface BackendRegistry {
  /** The backend of an adapter. The name stands on the replica and is used for its whole life, whatever else is bound later. */
  get(adapter: string): ProviderBackend | undefined;
  /** The same for something new: refused, with the choices, where it is not bound for the cloud or the engine. */
  resolve(wanted: { readonly adapter: string; readonly cloud?: string; readonly engine?: string }): Resolution;
  readonly adapters: readonly string[];
}

/** Two backends claim the same adapter name: a defect of the wiring. */
export class DuplicateAdapterError extends Error {
  readonly code = 'duplicate-adapter';
  constructor(readonly adapter: string) {
    super(`adapter "${adapter}" is bound twice; bind each name once`);
    this.name = 'DuplicateAdapterError';
  }
}

/**
 * Binds adapter names to backends, once. A backend alone is bound for every cloud and engine.
 * @throws DuplicateAdapterError
 */
export function createBackendRegistry(bindings: readonly (ProviderBackend | Binding)[]): BackendRegistry {
  const byAdapter = new Map<string, Binding>();
  for (const item of bindings) {
    const binding: Binding = 'backend' in item ? item : { backend: item, clouds: 'any', engines: 'any' };
    const { adapter } = binding.backend;
    if (byAdapter.has(adapter)) throw new DuplicateAdapterError(adapter);
    byAdapter.set(adapter, binding);
  }
  const adapters = [...byAdapter.keys()];
  return {
    adapters,
    get: (adapter) => byAdapter.get(adapter)?.backend,
    resolve: ({ adapter, cloud, engine }) => {
      const binding = byAdapter.get(adapter);
      if (!binding) return refused('backend', adapter, adapters);
      if (cloud !== undefined && !reaches(binding.clouds, cloud)) {
        return refused(`cloud of ${adapter}`, cloud, binding.clouds);
      }
      if (engine !== undefined && !reaches(binding.engines, engine)) {
        return refused(`engine of ${adapter}`, engine, binding.engines);
      }
      return { outcome: 'bound', backend: binding.backend };
    },
  };
}

const reaches = (choices: Reach['clouds'], wanted: string): boolean => choices === 'any' || choices.includes(wanted);

const refused = (what: string, wanted: string, choices: Reach['clouds']): Resolution => ({
  outcome: 'refused',
  detail: `"${wanted}" is no ${what} here; bound: ${choices === 'any' ? 'any' : choices.toSorted().join(', ') || 'none'}`,
});
