import { COUNTERS, type Counter, type EngineCounters, LATENCIES, type LatencyName } from './counters.js';
import { finite, sumOf } from './groups.js';
import { type Bucket, type Latency, type Observations, together } from './histogram.js';
import type { EngineReading } from './reading.js';

/** What happened between two readings of one server. Null where either of them does not say. */
export type Rates = Readonly<Record<LatencyName, Latency | null>> & {
  readonly promptTokensPerSecond: number | null;
  readonly cachedPromptTokensPerSecond: number | null;
  readonly generationTokensPerSecond: number | null;
  /** Requests that ended; of engines that do not count those, requests that came. */
  readonly requestsPerSecond: number | null;
  readonly preemptionsPerSecond: number | null;
  /** Hits a query in between; null where nothing was looked up. */
  readonly prefixHitRate: number | null;
  /** One engine at least began anew in between: what it had counted before it ended and after the first reading is lost. */
  readonly restarted: boolean;
};

/**
 * Rates between two readings of one server. A counter that is smaller than before belongs to an engine that began anew: all that
 * engine has counted is new. An engine that went counts nothing, one that came all it has.
 * @param elapsedMs time between the two readings; all is null unless it is more than 0
 */
export function ratesBetween(before: EngineReading, after: EngineReading, elapsedMs: number): Rates {
  const pairs = [...after.counters].map(([key, counters]) => pairOf(before.counters.get(key), counters));
  const growth = (counter: Counter): number | null =>
    elapsedMs > 0 && totalOf(before, counter) !== null
      ? sumOf(pairs.flatMap((pair) => grown(pair.before?.[counter] ?? null, pair.after[counter]) ?? []))
      : null;
  const perSecond = (grownBy: number | null): number | null =>
    grownBy === null ? null : finite((grownBy * 1_000) / elapsedMs);
  const hits = growth('prefixHits');
  const queries = growth('prefixQueries');
  const isLater = elapsedMs > 0;
  const latency = (name: LatencyName): Latency | null => (isLater && before[name] ? between(pairs, name) : null);
  return {
    promptTokensPerSecond: perSecond(growth('promptTokens')),
    cachedPromptTokensPerSecond: perSecond(growth('cachedPromptTokens')),
    generationTokensPerSecond: perSecond(growth('generationTokens')),
    requestsPerSecond: perSecond(isLater && before.finished ? finishedIn(pairs) : growth('requests')),
    preemptionsPerSecond: perSecond(growth('preemptions')),
    prefixHitRate: hits === null || queries === null || queries === 0 ? null : finite(hits / queries),
    firstTokenSeconds: latency('firstTokenSeconds'),
    interTokenSeconds: latency('interTokenSeconds'),
    endToEndSeconds: latency('endToEndSeconds'),
    queueSeconds: latency('queueSeconds'),
    restarted: pairs.some((pair) => pair.restarted),
  };
}

/** The counters of one engine; `before` is undefined where all that it has counted is new. */
type Pair = {
  readonly before: EngineCounters | undefined;
  readonly after: EngineCounters;
  readonly restarted: boolean;
};

function pairOf(before: EngineCounters | undefined, after: EngineCounters): Pair {
  const restarted = before !== undefined && beganAnew(before, after);
  return { before: restarted ? undefined : before, after, restarted };
}

function beganAnew(before: EngineCounters, after: EngineCounters): boolean {
  const isLess = (one: number | null | undefined, other: number | null | undefined): boolean =>
    typeof one === 'number' && typeof other === 'number' && one < other;
  return (
    COUNTERS.some((counter) => isLess(after[counter], before[counter])) ||
    LATENCIES.some((name) => isLess(after[name]?.count, before[name]?.count)) ||
    Object.entries(before.finished ?? {}).some(([reason, count]) => isLess(after.finished?.[reason], count))
  );
}

function totalOf(reading: EngineReading, counter: Counter): number | null {
  switch (counter) {
    case 'prefixQueries':
      return reading.prefixCache.queries;
    case 'prefixHits':
      return reading.prefixCache.hits;
    default:
      return reading[counter];
  }
}

const grown = (before: number | null, after: number | null): number | null =>
  after === null ? null : after - (before ?? 0);

function finishedIn(pairs: readonly Pair[]): number | null {
  return sumOf(
    pairs.flatMap(({ before, after }) =>
      Object.entries(after.finished ?? {}).map(([reason, count]) => count - (before?.finished?.[reason] ?? 0)),
    ),
  );
}

/** Of what was observed in between, by all engines. */
function between(pairs: readonly Pair[], name: LatencyName): Latency | null {
  const observed = pairs.flatMap(({ before, after }) => {
    const now = after[name];
    return now ? [since(before?.[name] ?? null, now)] : [];
  });
  const all = together(observed);
  return all && { mean: all.mean, p50: all.p50, p95: all.p95, p99: all.p99 };
}

function since(before: Observations | null, after: Observations): Observations {
  if (!before) return after;
  const { buckets } = after;
  const earlier = new Map(before.buckets?.bounds.map(({ upTo, count }) => [upTo, count]));
  const bounds = buckets?.bounds.flatMap(({ upTo, count }): readonly Bucket[] => {
    const then = earlier.get(upTo);
    return then === undefined ? [] : [{ upTo, count: Math.max(0, count - then) }];
  });
  return {
    sum: Math.max(0, after.sum - before.sum),
    count: after.count - before.count,
    buckets:
      buckets && before.buckets && bounds && bounds.length > 0
        ? { bounds, total: Math.max(0, buckets.total - before.buckets.total) }
        : null,
  };
}
