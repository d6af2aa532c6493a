import { describe, expect, it } from '@jest/globals';
import { RUN_KINDS, randomRun } from './random-runs.js';

const SEEDS = Array.from({ length: 8 }, (_, index) => index + 1);

describe('whole lives under random crashes, pauses, wrong clocks, delays and faults', () => {
  it.each(SEEDS)(
    'seed %i: comes to the rest that was asked for; nothing leaks, nothing is doubled, every law holds, and each moment looked at is the fold up to it',
    async (seed) => {
      const { faults, moments } = await randomRun(seed);
      expect(faults).toEqual([]);
      expect(moments).toBeGreaterThan(3);
    },
    60_000,
  );

  it.each([1, 3])(
    'seed %i of rollouts: a change that was lost, and production that goes meanwhile, come to an end as well',
    async (seed) => {
      expect((await randomRun(seed, 'rollout')).faults).toEqual([]);
    },
    60_000,
  );

  it.each(RUN_KINDS)(
    'a seed of the kind %s gives the same log byte for byte, whatever ran before it in the process',
    async (kind) => {
      const first = await logOf(3, kind);
      expect(await logOf(4, kind)).not.toBe(first);
      expect(await logOf(3, kind)).toBe(first);
    },
    60_000,
  );
});

async function logOf(seed: number, kind: (typeof RUN_KINDS)[number]): Promise<string> {
  const lines: string[] = [];
  await randomRun(seed, kind, (event) => lines.push(JSON.stringify(event)));
  return lines.join('\n');
}
