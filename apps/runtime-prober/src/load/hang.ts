import type { LoadReading } from '../metrics/load.js';

/** Since when requests have been in the engine without any counter moving. */
export type HangWatch = { readonly progress: string; readonly sinceMs: number };

/**
 * Follows readings for the mark of a hang: work inside, no progress. A server that does not tell both cannot be suspected.
 * Gauges alone are no proof: they freeze after aborts with nothing to do (vllm issues 22545, 29928).
 */
export function watchForHang(before: HangWatch | null, reading: LoadReading, nowMs: number): HangWatch | null {
  const { running, waiting, progress } = reading;
  if (progress === null || (running ?? 0) + (waiting ?? 0) === 0) return null;
  return before?.progress === progress ? before : { progress, sinceMs: nowMs };
}
