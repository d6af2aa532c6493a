import { type UsableWindow, isMeasured, isSketch } from './usable.js';

/** So many requests that took between `low` (exclusive in a sketch) and `high` milliseconds; both are the same for one request. */
export type Spread = { readonly low: number; readonly high: number; readonly count: number };

/** What was asked of each request. */
export type Signal = 'latency' | 'queueTime';

/**
 * The times of one window. A request without an answer took for ever; one that was not measured took anything. For the wait, a
 * request that failed took anything too: what failed need not have waited.
 */
export function spreadsOf(window: UsableWindow, signal: Signal): readonly Spread[] {
  const measured = signal === 'latency' ? latenciesOf(window) : window.queueMs.filter(isMeasured).map(exactly);
  const unknown = window.ok - measured.reduce((sum, { count }) => sum + count, 0);
  const failed = signal === 'latency' ? Infinity : 0;
  return [
    ...measured,
    ...(unknown > 0 ? [{ low: 0, high: Infinity, count: unknown }] : []),
    ...(window.errors > 0 ? [{ low: failed, high: Infinity, count: window.errors }] : []),
  ];
}

const exactly = (value: number): Spread => ({ low: value, high: value, count: 1 });

function latenciesOf({ latencies }: UsableWindow): readonly Spread[] {
  if (!isSketch(latencies)) return latencies.filter(isMeasured).map(exactly);
  const { upToMs, counts } = latencies;
  return counts.map((count, at) => ({ low: upToMs[at - 1] ?? 0, high: upToMs[at] ?? Infinity, count }));
}

/** How many requests of a window took longer than a threshold: at least, and at most. */
export function beyond(window: UsableWindow, signal: Signal, thresholdMs: number): { atLeast: number; atMost: number } {
  const times = signal === 'latency' ? window.latencies : window.queueMs;
  if (isSketch(times)) return beyondOf(spreadsOf(window, signal), thresholdMs);
  // By far the most common, and the longest: counted without an object for each.
  let [measured, slow] = [0, 0];
  for (const time of times) {
    if (!isMeasured(time)) continue;
    measured += 1;
    if (time > thresholdMs) slow += 1;
  }
  const failed = signal === 'latency' ? window.errors : 0;
  return { atLeast: slow + failed, atMost: slow + (window.ok - measured) + window.errors };
}

function beyondOf(spreads: readonly Spread[], thresholdMs: number): { atLeast: number; atMost: number } {
  let [atLeast, atMost] = [0, 0];
  for (const { low, high, count } of spreads) {
    if (isAbove(low, high, thresholdMs)) atLeast += count;
    if (high > thresholdMs) atMost += count;
  }
  return { atLeast, atMost };
}

/** All of a bucket whose lower bound is the threshold lies above it; a single request on the threshold does not. */
const isAbove = (low: number, high: number, thresholdMs: number): boolean =>
  low > thresholdMs || (low === thresholdMs && high > low && low > 0);

/**
 * The time of the request at a rank, counted from the fastest.
 *
 * @param rank 1 and up; 0 gives 0
 * @param end which end of what is not known exactly
 */
export function atRank(spreads: readonly Spread[], rank: number, end: 'low' | 'high'): number {
  if (rank <= 0) return 0;
  const values = new Float64Array(spreads.reduce((sum, { count }) => sum + count, 0));
  let filled = 0;
  for (const spread of spreads) {
    values.fill(spread[end], filled, filled + spread.count);
    filled += spread.count;
  }
  return values.sort()[rank - 1] ?? Infinity;
}
