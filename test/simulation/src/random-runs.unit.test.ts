import { describe, expect, it } from '@jest/globals';
import { randomRun, randomUserRun } from './random-runs.js';

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);

describe('whole lives under random crashes, delays and faults', () => {
  it.each(SEEDS)(
    'seed %i: nothing leaks, every law holds, every projection equals a fresh fold',
    async (seed) => {
      expect((await randomRun(seed)).faults).toEqual([]);
    },
    60_000,
  );

  it.each(SEEDS.slice(0, 6))(
    'seed %i: whatever a user asks for in whatever order, it comes to rest as asked for last, and then nothing is left',
    async (seed) => {
      expect((await randomUserRun(seed)).faults).toEqual([]);
    },
    60_000,
  );

  it('the same seed gives the same run, event for event', async () => {
    const [first, second] = [await randomRun(3), await randomRun(3)];
    expect(second).toEqual(first);
  }, 60_000);
});
