import { VirtualClock, sleep } from '@davit/ports';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Lanes } from './lanes.js';

const SETTINGS = { concurrency: 4, slowConcurrency: 2, slowMs: 250 };

describe('lanes of work', () => {
  it('let quick work pass beside any amount of slow work', async () => {
    const clock = new VirtualClock();
    const lanes = new Lanes(clock, SETTINGS);
    for (let each = 0; each < 100; each++) void lanes.run(true, () => sleep(clock, 5_000));
    await clock.advance(10);
    let isDone = false;
    void lanes.run(false, () => sleep(clock, 3)).then(() => (isDone = true));
    await clock.advance(3);
    expect(isDone).toBe(true);
  });

  it('take the place away from what turns out slow, which goes on without one', async () => {
    const clock = new VirtualClock();
    const lanes = new Lanes(clock, SETTINGS);
    const ended: string[] = [];
    for (let each = 0; each < 4; each++)
      void lanes.run(false, () => sleep(clock, 5_000)).then(() => ended.push('slow'));
    void lanes.run(false, () => sleep(clock, 3)).then(() => ended.push('quick'));
    await clock.advance(SETTINGS.slowMs - 1);
    expect(ended).toEqual([]);
    await clock.advance(5);
    expect(ended).toEqual(['quick']);
    await clock.advance(5_000);
    expect(ended).toEqual(['quick', 'slow', 'slow', 'slow', 'slow']);
  });

  it('serve those who wait in their order, and lose no place, whatever fails', async () => {
    const job = fc.record({ isSlow: fc.boolean(), takesMs: fc.nat(600), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(job, { maxLength: 60 }), async (jobs) => {
        const clock = new VirtualClock();
        const lanes = new Lanes(clock, SETTINGS);
        const begun: { readonly index: number; readonly isSlow: boolean }[] = [];
        let slowAtWork = 0;
        for (const [index, { isSlow, takesMs, fails }] of jobs.entries()) {
          const work = async (): Promise<void> => {
            begun.push({ index, isSlow });
            slowAtWork += isSlow ? 1 : 0;
            expect(slowAtWork).toBeLessThanOrEqual(SETTINGS.slowConcurrency);
            await sleep(clock, takesMs);
            slowAtWork -= isSlow ? 1 : 0;
            if (fails) throw new Error('planned');
          };
          void lanes.run(isSlow, work).catch(() => undefined);
        }
        await clock.advance(jobs.length * 600);
        for (const lane of [true, false]) {
          const order = begun.filter(({ isSlow }) => isSlow === lane).map(({ index }) => index);
          expect(order).toEqual(order.toSorted((a, b) => a - b));
        }
        expect(begun).toHaveLength(jobs.length);
      }),
      { numRuns: 50 },
    );
  });
});
