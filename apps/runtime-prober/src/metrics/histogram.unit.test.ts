import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Buckets, latencyOf, quantile, together } from './histogram.js';

const buckets = (counts: Readonly<Record<string, number>>, total: number): Buckets => ({
  bounds: Object.entries(counts)
    .map(([upTo, count]) => ({ upTo: Number(upTo), count }))
    .sort((one, other) => one.upTo - other.upTo),
  total,
});

describe('a quantile of buckets', () => {
  // Worked out by hand after the description of histogram_quantile.
  it.each([
    ['lies in its bucket as if observations were spread evenly', buckets({ 1: 10, 2: 20, 4: 40 }, 40), 0.5, 2],
    ['is interpolated', buckets({ 1: 10, 2: 20, 4: 40 }, 40), 0.75, 3],
    ['begins the first bucket at 0', buckets({ 1: 10, 2: 20 }, 20), 0.25, 0.5],
    ['is the highest bound where it lies beyond', buckets({ 1: 10, 2: 20 }, 100), 0.99, 2],
    ['is the first bound where that is not above 0', buckets({ '-1': 10, 2: 20 }, 20), 0.25, -1],
    ['takes a count that falls as one that stays', buckets({ 1: 10, 2: 8, 4: 20 }, 20), 0.75, 3],
    ['passes over empty buckets', buckets({ 1: 0, 2: 0, 4: 10, 8: 10 }, 10), 0.5, 3],
  ])('%s', (_what, of, share, expected) => {
    expect(quantile(of, share)).toBeCloseTo(expected, 12);
  });

  it('of no observations is unknown', () => expect(quantile(buckets({ 1: 0 }, 0), 0.5)).toBeNull());

  it('never falls as the share grows, and stays within the bounds', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 1, maxLength: 12 }), fc.nat(20), (steps, beyond) => {
        let count = 0;
        const bounds = steps.map((step, index) => ({ upTo: index + 1, count: (count += step) }));
        const of = { bounds, total: count + beyond };
        const values = [0.01, 0.1, 0.5, 0.9, 0.95, 0.99, 1].map((share) => quantile(of, share) ?? 0);
        expect(values).toEqual(values.toSorted((one, other) => one - other));
        for (const value of values) expect(value).toBeLessThanOrEqual(bounds.length);
      }),
    );
  });
});

describe('histograms of several engines', () => {
  const part = (counts: Readonly<Record<string, number>>, total: number) => ({
    sum: total,
    count: total,
    buckets: buckets(counts, total),
  });

  it('add up bucket by bucket', () => {
    expect(together([part({ 1: 1, 2: 2 }, 4), part({ 1: 3, 2: 4 }, 4)])).toMatchObject({
      sum: 8,
      count: 8,
      mean: 1,
      buckets: {
        bounds: [
          { upTo: 1, count: 4 },
          { upTo: 2, count: 6 },
        ],
        total: 8,
      },
    });
  });

  it('share only the bounds that all of them have', () => {
    const both = together([part({ 1: 1, 2: 2 }, 4), part({ 2: 4, 3: 4 }, 4)]);
    expect(both?.buckets?.bounds).toEqual([{ upTo: 2, count: 6 }]);
  });

  it('have no quantiles where one of them shows no buckets', () => {
    expect(together([part({ 1: 1 }, 4), { sum: 4, count: 4, buckets: null }])).toMatchObject({ mean: 1, p50: null });
    expect(latencyOf({ sum: 0, count: 0, buckets: null })).toEqual({ mean: null, p50: null, p95: null, p99: null });
  });
});
