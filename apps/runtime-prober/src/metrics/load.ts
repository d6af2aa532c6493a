import { type EngineMetrics, wantedNames } from './names.js';
import { type EngineReading, readingOf } from './reading.js';
import { type Scan, scanMetrics } from './scan.js';

/** Load of a server at one moment. Null is "it did not say" and never zero (law 4). */
export type LoadReading = Pick<EngineReading, 'running' | 'waiting' | 'progress'> & {
  /** Of the fullest engine, 0 to 1. */
  readonly kvCacheUsage: number | null;
  /** All that was read; null when the body could not be used. */
  readonly whole: EngineReading | null;
};

export const NOTHING_SAID: LoadReading = {
  running: null,
  waiting: null,
  kvCacheUsage: null,
  progress: null,
  whole: null,
};

/** Reads a body of `/metrics`. One that was cut off may lack whole engines, so it says nothing at all. */
export const readLoad = (body: string, metrics: EngineMetrics, servedModel?: string): LoadReading =>
  loadOf(scanMetrics(body, wantedNames(metrics)), metrics, servedModel);

export function loadOf(scan: Scan, metrics: EngineMetrics, servedModel?: string): LoadReading {
  if (scan.truncated || scan.tooManySeries) return NOTHING_SAID;
  const whole = readingOf(scan, metrics, servedModel);
  const { running, waiting, progress } = whole;
  return { running, waiting, progress, kvCacheUsage: whole.kvCacheUsage?.max ?? null, whole };
}
