import type { TrafficCounts } from '@davit/contracts';

/** Failed requests to one replica that one gateway counted, over a window in milliseconds since the epoch. */
export type Failures = TrafficCounts & { readonly fromMs: number; readonly toMs: number };

/** Two windows as one. */
export const joined = (one: Failures | undefined, other: Failures): Failures =>
  one
    ? {
        requests: one.requests + other.requests,
        refused: one.refused + other.refused,
        timeouts: one.timeouts + other.timeouts,
        status5xx: one.status5xx + other.status5xx,
        fromMs: Math.min(one.fromMs, other.fromMs),
        toMs: Math.max(one.toMs, other.toMs),
      }
    : other;
