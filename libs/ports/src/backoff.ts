import { type Random, jitter } from './random.js';

export interface BackoffOptions {
  /** Wait after the first failure. */
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Waits lie within this share around the doubled value. */
export const BACKOFF_JITTER = 0.2;

/** Doubles with each failure in a row (1, 2, 3, …) up to the cap, spread so that those which failed together part. */
export function backoffMs(options: BackoffOptions, failures: number, random: Random): number {
  const doubled = options.firstMs * 2 ** Math.min(failures - 1, 30);
  return jitter(random, Math.min(options.maxMs, doubled), BACKOFF_JITTER);
}
