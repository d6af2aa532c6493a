import type { ProviderBackend } from './backend.js';

export interface BackendRegistry {
  get(adapter: string): ProviderBackend | undefined;
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
 * Binds adapter names to backends, once.
 * @throws DuplicateAdapterError
 */
export function createBackendRegistry(backends: readonly ProviderBackend[]): BackendRegistry {
  const byAdapter = new Map<string, ProviderBackend>();
  for (const backend of backends) {
    if (byAdapter.has(backend.adapter)) throw new DuplicateAdapterError(backend.adapter);
    byAdapter.set(backend.adapter, backend);
  }
  return { get: (adapter) => byAdapter.get(adapter), adapters: [...byAdapter.keys()] };
}
