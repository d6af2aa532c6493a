import { seriesOf, sumOf } from './measure.js';
import type { Quantity } from './names.js';
import type { Sample } from './sample.js';

/** A histogram over all engines, since the server began. */
export type Histogram = {
  readonly sum: number;
  readonly count: number;
  /** Null while nothing was observed. */
  readonly mean: number | null;
  /** Observations up to and with each bound, bounds ascending, the last one infinite. Empty where the server shows none. */
  readonly buckets: readonly Bucket[];
};

export type Bucket = { readonly upTo: number; readonly count: number };

/** Null unless the server says both the sum and the count. */
export function histogramOf(
  samples: readonly Sample[],
  quantity: Quantity | undefined,
  sameThing: readonly string[],
): Histogram | null {
  if (!quantity) return null;
  const series = (suffix: string) => seriesOf(samples, quantity, sameThing, (name) => `${name}_${suffix}`);
  const sum = sumOf(series('sum'));
  const count = sumOf(series('count'));
  if (sum === null || count === null) return null;
  return { sum, count, mean: count === 0 ? null : sum / count, buckets: bucketsOf(series('bucket')) };
}

/** Engines with other bounds share only those that all of them have; the counts up to them still add up. */
function bucketsOf(series: readonly Sample[]): readonly Bucket[] {
  const writers = new Set<string>();
  const byBound = new Map<number, { count: number; writers: number }>();
  for (const { labels, value } of series) {
    const upTo = boundOf(labels.get('le'));
    if (upTo === undefined) continue;
    writers.add(JSON.stringify([...labels].filter(([name]) => name !== 'le').sort(([a], [b]) => (a < b ? -1 : 1))));
    const held = byBound.get(upTo) ?? { count: 0, writers: 0 };
    byBound.set(upTo, { count: held.count + value, writers: held.writers + 1 });
  }
  const shared = [...byBound].filter(([, bucket]) => bucket.writers === writers.size);
  return shared.sort(([a], [b]) => a - b).map(([upTo, { count }]) => ({ upTo, count }));
}

function boundOf(le: string | undefined): number | undefined {
  if (le === undefined || le === '') return undefined;
  const bound = /^\+?inf$/i.test(le) ? Number.POSITIVE_INFINITY : Number(le);
  return Number.isNaN(bound) ? undefined : bound;
}

/**
 * The value below which a share of the observations lies, interpolated within its bucket, as Prometheus' `histogram_quantile`
 * does: in the last, infinite bucket it is the highest finite bound. Null without observations or without buckets.
 * @param share 0 to 1
 */
export function quantile({ buckets }: Pick<Histogram, 'buckets'>, share: number): number | null {
  const last = buckets.at(-1);
  if (!last || last.upTo !== Number.POSITIVE_INFINITY || last.count <= 0 || buckets.length < 2) return null;
  const rank = share * last.count;
  let lower = 0;
  let below = 0;
  for (const { upTo, count } of buckets) {
    if (upTo === Number.POSITIVE_INFINITY) return lower;
    // Counts of a server that was read while it wrote may fall; they are taken as they should be.
    const upToHere = Math.max(below, count);
    if (upToHere >= rank && upToHere > below) {
      const start = upTo <= 0 ? upTo : lower;
      return start + (upTo - start) * ((rank - below) / (upToHere - below));
    }
    [lower, below] = [upTo, upToHere];
  }
  return lower;
}
