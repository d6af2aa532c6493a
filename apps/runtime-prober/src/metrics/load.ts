import type { EngineMetrics } from '../engines/engine.js';
import { measure } from './quantity.js';
import { type Scan, scanMetrics } from './scan.js';

/** Load of a server at one moment. Null is "it did not say" and never zero (law 4). */
export type LoadReading = {
  readonly running: number | null;
  readonly waiting: number | null;
  readonly kvCacheUsage: number | null;
  /** Changes whenever the engine works; null when it reports no counters. */
  readonly progress: string | null;
};

export const NOTHING_SAID: LoadReading = { running: null, waiting: null, kvCacheUsage: null, progress: null };

export const wantedNames = ({ running, waiting, kvCacheUsage, progress }: EngineMetrics): ReadonlySet<string> =>
  new Set([running, waiting, ...(kvCacheUsage ? [kvCacheUsage] : []), ...progress].flatMap(({ names }) => names));

/** Reads a body of `/metrics`. One that was cut off may lack whole engines, so it says nothing at all. */
export function readLoad(body: string, metrics: EngineMetrics): LoadReading {
  const scan = scanMetrics(body, wantedNames(metrics));
  return scan.truncated ? NOTHING_SAID : loadOf(scan, metrics);
}

export function loadOf({ samples }: Scan, metrics: EngineMetrics): LoadReading {
  const read = (quantity: EngineMetrics['kvCacheUsage']): number | null =>
    quantity && measure(samples, quantity, metrics.sameThing);
  const counters = metrics.progress.map(read);
  return {
    running: read(metrics.running),
    waiting: read(metrics.waiting),
    kvCacheUsage: read(metrics.kvCacheUsage),
    progress: counters.every((counter) => counter === null) ? null : JSON.stringify(counters),
  };
}
