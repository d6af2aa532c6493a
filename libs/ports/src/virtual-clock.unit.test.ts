import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sleep } from './clock.js';
import { VirtualClock } from './virtual-clock.js';

describe('the virtual clock', () => {
  it('runs callbacks by instant, and those of one instant in the order they were scheduled, but for the cancelled', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(20), fc.boolean()), { maxLength: 80 }), async (waits) => {
        const clock = new VirtualClock(0);
        const ran: (readonly [number, number])[] = [];
        for (const [index, [delayMs, cancelled]] of waits.entries()) {
          const cancel = clock.schedule(delayMs, () => ran.push([clock.nowMs(), index]));
          if (cancelled) cancel();
        }
        await clock.advance(20);
        const expected = waits.map(([delayMs, cancelled], index) => ({ delayMs, cancelled, index }));
        expect(ran).toEqual(
          expected
            .filter(({ cancelled }) => !cancelled)
            .toSorted((left, right) => left.delayMs - right.delayMs || left.index - right.index)
            .map(({ delayMs, index }) => [delayMs, index]),
        );
      }),
    );
  });

  it('lets promises settle after each callback, before time goes on', async () => {
    const clock = new VirtualClock(0);
    const seen: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (let step = 0; step < 3; step++) {
        await sleep(clock, 10);
        for (let hop = 0; hop < 50; hop++) await Promise.resolve();
        seen.push(`${name} ${clock.nowMs()}`);
      }
    };
    void work('a');
    void work('b');
    await clock.advance(1_000);
    expect(seen).toEqual(['a 10', 'b 10', 'a 20', 'b 20', 'a 30', 'b 30']);
    expect(clock.nowMs()).toBe(1_000);
  });

  it('stops at the first instant at which what is awaited holds, and says so when it never does', async () => {
    const clock = new VirtualClock(0);
    let count = 0;
    const tick = (): void => {
      clock.schedule(100, () => {
        count += 1;
        tick();
      });
    };
    tick();
    expect(await clock.runUntil(() => Promise.resolve(count === 70), 10_000)).toBe(true);
    expect(clock.nowMs()).toBe(7_000);
    expect(await clock.runUntil(() => count === 1_000, 10_000)).toBe(false);
    expect(clock.nowMs()).toBe(17_000);
  });

  it('asks again only when the revision moved, and stops at the same instant', async () => {
    const clock = new VirtualClock(0);
    let revision = 0;
    let asked = 0;
    for (let index = 1; index <= 200; index++) clock.schedule(index, () => index % 50 === 0 && (revision += 1));
    const done = (): boolean => ((asked += 1), revision === 3);
    expect(await clock.runUntil(done, 1_000, () => revision)).toBe(true);
    expect([clock.nowMs(), asked]).toEqual([150, 4]);
    expect(
      await clock.runUntil(
        () => false,
        1_000,
        () => revision,
      ),
    ).toBe(false);
  });

  it('hands on what a callback throws', async () => {
    const clock = new VirtualClock(0);
    clock.schedule(1, () => {
      throw new Error('broken');
    });
    await expect(clock.advance(10)).rejects.toThrow('broken');
  });
});
