import { type Random, jitter } from '@davit/ports';

export interface BackoffOptions {
  readonly baseMs: number;
  readonly maxMs: number;
}

/** Doubles from `baseMs` with each attempt (1, 2, 3, …) up to `maxMs`, spread by a fifth so that instances drift apart. */
export const backoffMs = (options: BackoffOptions, attempt: number, random: Random): number =>
  Math.round(jitter(random, Math.min(options.maxMs, options.baseMs * 2 ** Math.min(attempt - 1, 30))));
