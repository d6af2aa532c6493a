import { type Scan, scanExposition } from '../exposition/scanner.js';
import { type EngineMetrics, wantedNames } from './names.js';
import { type EngineReading, readingOf } from './reading.js';

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

/** Reads a body of `/metrics`; see {@link loadOf}. */
export const readLoad = (body: Uint8Array | string, metrics: EngineMetrics, servedModel?: string): LoadReading =>
  loadOf(scanExposition(Buffer.from(body), wantedNames(metrics)), metrics, servedModel);

/** The load in a scan. One that was cut off, or is not read to its end, may lack whole engines: it says nothing at all. */
export function loadOf(scan: Scan, metrics: EngineMetrics, servedModel?: string): LoadReading {
  if (scan.truncated || scan.tooLarge || scan.tooManySeries) return NOTHING_SAID;
  const whole = readingOf(scan, metrics, servedModel);
  const { running, waiting, progress } = whole;
  return { running, waiting, progress, kvCacheUsage: whole.kvCacheUsage?.max ?? null, whole };
}
