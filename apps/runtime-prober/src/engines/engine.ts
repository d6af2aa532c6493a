import type { EngineMetrics } from '../metrics/names.js';

/** What the prober must know of a kind of model server. Everything else is the same for all. */
export type Engine = {
  readonly id: string;
  /** Null where the list of models is the only sign of life that can be counted on. */
  readonly health: { readonly path: string; readonly needsKey: boolean } | null;
  readonly models: { readonly path: string; readonly needsKey: boolean };
  readonly metrics: EngineMetrics | null;
};
