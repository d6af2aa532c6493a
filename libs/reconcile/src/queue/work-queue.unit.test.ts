import { describe, expect, it } from '@jest/globals';
import { BACKOFF_JITTER, VirtualClock, seededRandom, sleep } from '@davit/ports';
import fc from 'fast-check';
import { TerminalError } from '../controller.js';
import { PASS_RESULTS } from './stats.js';
import { type PassOutcome, WorkQueue, type WorkQueueOptions } from './work-queue.js';

const done: PassOutcome = { result: 'done' };

function harness(handle: (key: string) => Promise<PassOutcome>, extra: Partial<WorkQueueOptions> = {}) {
  const clock = new VirtualClock();
  const passes: string[] = [];
  const queue = new WorkQueue({
    clock,
    random: seededRandom(7),
    concurrency: 1,
    handle: (key) => {
      passes.push(key);
      return handle(key);
    },
    ...extra,
  });
  return { clock, queue, passes };
}

describe('work queue', () => {
  it('has every series at zero before anything happened', () => {
    const { queue } = harness(() => Promise.resolve(done));
    expect(queue.stats()).toEqual({
      passes: Object.fromEntries(PASS_RESULTS.map((result) => [result, 0])),
      active: 0,
      depth: 0,
      delayed: 0,
      oldestPendingMs: 0,
    });
  });

  it('runs nothing before it is started, and a key added many times once', async () => {
    const { clock, queue, passes } = harness(() => Promise.resolve(done));
    for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
    await clock.advance(50);
    expect(passes).toEqual([]);
    expect(queue.stats()).toMatchObject({ depth: 2, oldestPendingMs: 50 });
    queue.start();
    await clock.advance(0);
    expect(passes).toEqual(['a', 'b']);
    expect(queue.stats()).toMatchObject({ depth: 0, active: 0, passes: { done: 2 } });
  });

  it('runs a key again when it was added during its pass', async () => {
    const { clock, queue, passes } = harness(async () => {
      await sleep(clock, 10);
      return done;
    });
    queue.start();
    queue.add('a');
    await clock.advance(5);
    queue.add('a');
    queue.add('a');
    expect(queue.stats()).toMatchObject({ active: 1, depth: 0 });
    await clock.advance(100);
    expect(passes).toEqual(['a', 'a']);
  });

  it('lets no key starve behind one that is always added again', async () => {
    const { clock, queue, passes } = harness((key) => {
      if (key === 'busy' && passes.length < 20) queue.add('busy');
      return Promise.resolve(done);
    });
    for (const key of ['busy', 'a', 'b', 'c']) queue.add(key);
    queue.start();
    await clock.advance(0);
    expect(passes.slice(0, 5)).toEqual(['busy', 'a', 'b', 'c', 'busy']);
  });

  it('looks again after the time that the pass asked for, and the latest pass decides', async () => {
    const waits = [1_000, 300];
    const { clock, queue, passes } = harness(() => {
      const requeueAfterMs = waits.shift();
      return Promise.resolve(requeueAfterMs === undefined ? done : { result: 'requeued', requeueAfterMs });
    });
    queue.start();
    queue.add('a');
    await clock.advance(100);
    queue.add('a');
    await clock.advance(299);
    expect(passes).toHaveLength(2);
    await clock.advance(1);
    expect(passes).toHaveLength(3);
    await clock.advance(10_000);
    expect(passes).toHaveLength(3);
  });

  it('keeps the earliest of several times asked for from outside, whatever a pass says', async () => {
    const { clock, queue, passes } = harness(() => Promise.resolve(done));
    queue.start();
    queue.addAfter('a', 500);
    queue.addAfter('a', 200);
    queue.addAfter('a', 900);
    queue.add('a');
    await clock.advance(199);
    expect(passes).toHaveLength(1);
    await clock.advance(1);
    expect(passes).toHaveLength(2);
    await clock.advance(5_000);
    expect(passes).toHaveLength(2);
  });

  it('waits longer with each failure in a row and forgets them after a success', async () => {
    let fail = true;
    const waits: (number | undefined)[] = [];
    const { clock, queue } = harness(() => (fail ? Promise.reject(new Error('no')) : Promise.resolve(done)), {
      backoff: { firstMs: 100, maxMs: 1_000 },
      onError: (_key, _error, retryMs) => waits.push(retryMs),
    });
    queue.start();
    queue.add('a');
    await clock.advance(6_000);
    for (const [index, expected] of [100, 200, 400, 800, 1_000, 1_000].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(expected * (1 - BACKOFF_JITTER));
      expect(waits[index]).toBeLessThanOrEqual(expected * (1 + BACKOFF_JITTER));
    }
    fail = false;
    await clock.advance(2_000);
    fail = true;
    queue.add('a');
    await clock.advance(0);
    expect(waits.at(-1)).toBeLessThanOrEqual(120);
  });

  it('does not retry a terminal error until the key is added again', async () => {
    const { clock, queue, passes } = harness(() => Promise.reject(new TerminalError('bad specification')));
    queue.start();
    queue.add('a');
    await clock.advance(1_000_000);
    expect(passes).toEqual(['a']);
    queue.add('a');
    await clock.advance(0);
    expect(queue.stats().passes.terminal).toBe(2);
  });

  it('goes on after a handler that throws before its first await', async () => {
    const { clock, queue, passes } = harness((key) => {
      if (key === 'a') throw new Error('at once');
      return Promise.resolve(done);
    });
    queue.start();
    queue.add('a');
    queue.add('b');
    await clock.advance(0);
    expect(passes).toEqual(['a', 'b']);
  });

  it('waits for passes under way when it stops, and starts no other', async () => {
    const { clock, queue, passes } = harness(async () => {
      await sleep(clock, 100);
      return { result: 'requeued', requeueAfterMs: 1 };
    });
    queue.start();
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 10);
    let stopped = false;
    void queue.stop().then(() => (stopped = true));
    await clock.advance(99);
    expect(stopped).toBe(false);
    await clock.advance(1_000);
    expect(stopped).toBe(true);
    expect(passes).toEqual(['a']);
  });
});

describe('work queue under any load', () => {
  const step = fc.record({
    key: fc.nat(5).map(String),
    after: fc.option(fc.nat(200), { nil: undefined }),
    advanceMs: fc.nat(60),
  });
  const pass = fc.record({
    takesMs: fc.nat(80),
    ends: fc.constantFrom('done', 'requeue', 'error', 'terminal'),
  });

  it('never runs a key twice at once, never more passes than allowed, and loses no key', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.array(pass, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, passes, concurrency) => {
          const running = new Set<string>();
          const lastStart = new Map<string, number>();
          const wanted = new Map<string, number>();
          let count = 0;
          const { clock, queue } = harness(
            async (key) => {
              const plan = passes[count++ % passes.length];
              expect(running.has(key)).toBe(false);
              running.add(key);
              expect(running.size).toBeLessThanOrEqual(concurrency);
              lastStart.set(key, clock.nowMs());
              await sleep(clock, plan?.takesMs ?? 0);
              running.delete(key);
              if (plan?.ends === 'error') throw new Error('planned');
              if (plan?.ends === 'terminal') throw new TerminalError('planned');
              return plan?.ends === 'requeue' ? { result: 'requeued', requeueAfterMs: 40 } : done;
            },
            { concurrency, backoff: { firstMs: 20, maxMs: 100 } },
          );
          queue.start();
          for (const { key, after, advanceMs } of steps) {
            if (after === undefined) queue.add(key);
            else queue.addAfter(key, after);
            wanted.set(key, Math.max(wanted.get(key) ?? 0, clock.nowMs()));
            await clock.advance(advanceMs);
          }
          await clock.advance(3_000);
          for (const [key, since] of wanted) expect(lastStart.get(key)).toBeGreaterThanOrEqual(since);
        },
      ),
      { numRuns: 100 },
    );
  });
});
