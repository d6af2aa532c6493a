import { type Random, jitter } from '@davit/ports';

export interface BackoffOptions {
  /** Wait after the first failure. */
  readonly firstMs: number;
  readonly maxMs: number;
}

export const DEFAULT_BACKOFF: BackoffOptions = { firstMs: 250, maxMs: 60_000 };
export const BACKOFF_JITTER = 0.2;

/** Doubles with each failure in a row up to the cap, spread by ±20 % so that keys which failed together part. */
export function backoffMs(options: BackoffOptions, failures: number, random: Random): number {
  const doubled = options.firstMs * 2 ** Math.min(failures - 1, 30);
  return jitter(random, Math.min(options.maxMs, doubled), BACKOFF_JITTER);
}
