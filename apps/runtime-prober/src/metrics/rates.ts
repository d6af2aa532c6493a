import { type Bucket, type Histogram, quantile } from './histogram.js';
import type { EngineReading } from './reading.js';

/** What happened between two readings of one server. Null where either of them does not say. */
export type Rates = {
  readonly promptTokensPerSecond: number | null;
  readonly generationTokensPerSecond: number | null;
  readonly requestsPerSecond: number | null;
  readonly preemptionsPerSecond: number | null;
  readonly firstTokenSeconds: Latency | null;
  readonly interTokenSeconds: Latency | null;
  readonly endToEndSeconds: Latency | null;
  readonly queueSeconds: Latency | null;
};

/** Of the requests in between; each is null where there were none, or no buckets. */
export type Latency = {
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
};

/** @param elapsedMs time between the two readings, more than 0 */
export function ratesBetween(before: EngineReading, after: EngineReading, elapsedMs: number): Rates {
  const perSecond = (from: number | null, to: number | null): number | null =>
    from === null || to === null || elapsedMs <= 0 ? null : (grown(from, to) * 1_000) / elapsedMs;
  return {
    promptTokensPerSecond: perSecond(before.promptTokens, after.promptTokens),
    generationTokensPerSecond: perSecond(before.generationTokens, after.generationTokens),
    requestsPerSecond: perSecond(before.finishedTotal, after.finishedTotal),
    preemptionsPerSecond: perSecond(before.preemptions, after.preemptions),
    firstTokenSeconds: between(before.firstTokenSeconds, after.firstTokenSeconds),
    interTokenSeconds: between(before.interTokenSeconds, after.interTokenSeconds),
    endToEndSeconds: between(before.endToEndSeconds, after.endToEndSeconds),
    queueSeconds: between(before.queueSeconds, after.queueSeconds),
  };
}

/** A counter that is smaller than before belongs to a server that began anew: all of it is new. */
const grown = (before: number, after: number): number => (after < before ? after : after - before);

function between(before: Histogram | null, after: Histogram | null): Latency | null {
  if (!before || !after) return null;
  const isAnew = after.count < before.count;
  const count = isAnew ? after.count : after.count - before.count;
  const sum = isAnew ? after.sum : after.sum - before.sum;
  const known = new Map(isAnew ? [] : before.buckets.map((bucket) => [bucket.upTo, bucket.count]));
  const buckets = after.buckets.map(({ upTo, count: now }): Bucket => ({
    upTo,
    count: grown(known.get(upTo) ?? 0, now),
  }));
  const at = (share: number): number | null => quantile({ buckets }, share);
  return { mean: count === 0 ? null : sum / count, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
