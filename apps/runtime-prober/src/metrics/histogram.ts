import type { Sample } from '../exposition/series.js';
import { type Rows, finite, namedSamples, sumOf } from './groups.js';
import type { Quantity } from './names.js';

/** How long something took, in seconds. Each is null where nothing was observed; quantiles also where there are no buckets. */
export type Latency = {
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
};

/** All observations of a time, as a server counts them. */
export type Observations = {
  /** Seconds. */
  readonly sum: number;
  readonly count: number;
  readonly buckets: Buckets | null;
};

export type Buckets = {
  /** Finite bounds, ascending. */
  readonly bounds: readonly Bucket[];
  /** What the infinite bucket holds: all observations. */
  readonly total: number;
};

/** @property count observations up to and with the bound */
export type Bucket = { readonly upTo: number; readonly count: number };

/** A time over all engines of a server, since they began. */
export type Histogram = Observations & Latency;

/** The observations of one engine, under its best name that has both their sum and their count; else null. */
export function observationsOf(
  rows: Rows,
  quantity: Quantity | undefined,
  sameThing: readonly string[],
): Observations | null {
  for (const parts of quantity?.parts ?? []) {
    if (!rows.has(parts.count)) continue;
    const part = (name: string): readonly Sample[] => namedSamples(rows, name, 'count', sameThing);
    const sum = sumOf(part(parts.sum).map(({ value }) => value));
    const count = sumOf(part(parts.count).map(({ value }) => value));
    if (sum !== null && count !== null) return { sum, count, buckets: bucketsOf(part(parts.bucket)) };
  }
  return null;
}

/** Null where there is no infinite bucket, or nothing but that. Series of one engine that differ in other labels add up. */
function bucketsOf(samples: readonly Sample[]): Buckets | null {
  const counts = new Map<number, number>();
  for (const { series, value } of samples) {
    const upTo = boundOf(series.label('le'));
    if (upTo !== undefined) counts.set(upTo, (counts.get(upTo) ?? 0) + value);
  }
  const total = counts.get(Number.POSITIVE_INFINITY);
  counts.delete(Number.POSITIVE_INFINITY);
  if (total === undefined || counts.size === 0) return null;
  const bounds = [...counts].map(([upTo, count]) => ({ upTo, count }));
  return { bounds: bounds.sort((one, other) => one.upTo - other.upTo), total };
}

const BOUND = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function boundOf(le: string | undefined): number | undefined {
  if (le === undefined) return undefined;
  if (/^\+?inf$/i.test(le)) return Number.POSITIVE_INFINITY;
  return le.length < 32 && BOUND.test(le) ? (finite(Number(le)) ?? undefined) : undefined;
}

/**
 * Adds up what several engines observed; null of nothing. Engines with other bounds share only those that all of them have: the
 * counts up to them still add up.
 */
export function together(parts: readonly Observations[]): Histogram | null {
  const sum = sumOf(parts.map((part) => part.sum));
  const count = sumOf(parts.map((part) => part.count));
  if (sum === null || count === null) return null;
  const buckets = sharedBuckets(
    parts.flatMap((part) => part.buckets ?? []),
    parts.length,
  );
  return { sum, count, buckets, ...latencyOf({ sum, count, buckets }) };
}

function sharedBuckets(parts: readonly Buckets[], engines: number): Buckets | null {
  const [first, ...others] = parts;
  // One engine without buckets: the others' would be taken for all.
  if (!first || parts.length < engines) return null;
  if (others.length === 0) return first;
  const counts = new Map<number, { count: number; engines: number }>();
  for (const { upTo, count } of parts.flatMap(({ bounds }) => bounds)) {
    const held = counts.get(upTo) ?? { count: 0, engines: 0 };
    counts.set(upTo, { count: held.count + count, engines: held.engines + 1 });
  }
  const bounds = [...counts]
    .filter(([, held]) => held.engines === engines)
    .map(([upTo, { count }]) => ({ upTo, count }));
  const total = parts.reduce((whole, part) => whole + part.total, 0);
  if (bounds.length === 0 || !Number.isFinite(total)) return null;
  return { bounds: bounds.sort((one, other) => one.upTo - other.upTo), total };
}

export function latencyOf({ sum, count, buckets }: Observations): Latency {
  const at = (share: number): number | null => (buckets ? quantile(buckets, share) : null);
  return { mean: count === 0 ? null : finite(sum / count), p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/**
 * The value below which a share of the observations lies, interpolated within its bucket as Prometheus' `histogram_quantile` does
 * (https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile): the first bucket begins at 0, and in
 * the infinite one it is the highest finite bound. Null without observations.
 * @param share more than 0, up to 1
 */
export function quantile({ bounds, total }: Buckets, share: number): number | null {
  if (total <= 0) return null;
  const rank = share * total;
  let lower = 0;
  let below = 0;
  for (const [index, { upTo, count }] of bounds.entries()) {
    // Counts of a server that was read while it wrote may fall; they are taken as they should be.
    const here = Math.max(below, count);
    if (here >= rank) {
      if (index === 0 && upTo <= 0) return upTo;
      return lower + (upTo - lower) * ((rank - below) / (here - below));
    }
    [lower, below] = [upTo, here];
  }
  return lower;
}
