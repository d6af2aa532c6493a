import type { Quantity } from '../metrics/quantity.js';

/** Names under which an engine reports load and progress. */
export type EngineMetrics = {
  readonly path: string;
  readonly needsKey: boolean;
  readonly running: Quantity;
  readonly waiting: Quantity;
  readonly kvCacheUsage: Quantity | null;
  /** Counters that move whenever the engine works; all still while requests are in it is the mark of a hang. */
  readonly progress: readonly Quantity[];
  /** Labels that only tell which process or rank wrote a series. */
  readonly sameThing: readonly string[];
};

/** What the prober must know of a kind of model server. Everything else is the same for all. */
export type Engine = {
  readonly id: string;
  /** Null where the list of models is the only sign of life that can be counted on. */
  readonly health: { readonly path: string; readonly needsKey: boolean } | null;
  readonly models: { readonly path: string; readonly needsKey: boolean };
  readonly metrics: EngineMetrics | null;
};

export const counts = (...names: readonly string[]): Quantity => ({ names, kind: 'count' });
export const ratio = (...names: readonly string[]): Quantity => ({ names, kind: 'ratio' });
