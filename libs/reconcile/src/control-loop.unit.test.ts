import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type LogFeed,
  type MemoryEventLog,
  type MemoryLeases,
  type MemoryLogFeed,
  createMemoryLog,
} from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds, silentLogger, sleep } from '@davit/ports';
import { type ProjectionRunner, createProjectionRunner, inMemoryProjectionStores } from '@davit/projection';
import { type ControlLoop, type ControlLoopOptions, createControlLoop } from './control-loop.js';
import { type Controller, type ReconcileContext, TerminalError } from './controller.js';
import { type Counter, counters, counting, wish } from './testing/counting.js';

const KEY = 'acme/chat-1-0-1';
const OTHER = 'acme/chat-1-1-1';

describe('control loop', () => {
  let clock: VirtualClock;
  let log: MemoryEventLog;
  let leases: MemoryLeases;
  let feed: MemoryLogFeed;
  let stores = inMemoryProjectionStores();

  beforeEach(() => {
    clock = new VirtualClock();
    ({ log, leases, feed } = createMemoryLog({ clock, ids: sequentialIds() }));
    stores = inMemoryProjectionStores();
  });

  const create = (
    controllers: readonly Controller[],
    instanceId = 'one',
    extra: Partial<ControlLoopOptions> = {},
  ): ControlLoop =>
    createControlLoop({
      service: 'counter',
      instanceId,
      log,
      leases,
      projection: createProjectionRunner({
        definition: counters,
        store: stores.store(counters),
        log,
        feed,
        clock,
        logger: silentLogger,
      }),
      controllers,
      clock,
      random: seededRandom(3),
      logger: silentLogger,
      ...extra,
    });

  /** A projection whose feed is late. */
  const behind = (lateMs: number): ProjectionRunner => {
    const lateFeed: LogFeed = {
      subscribe: (after, onEvents) =>
        feed.subscribe(after, async (events) => {
          await sleep(clock, lateMs);
          await onEvents(events);
        }),
    };
    const store = stores.store(counters);
    return createProjectionRunner({ definition: counters, store, log, feed: lateFeed, clock, logger: silentLogger });
  };

  const start = async (loop: ControlLoop): Promise<void> => {
    void loop.start();
    await clock.advance(0);
  };

  const counter = async (key = KEY): Promise<Counter | undefined> =>
    (await stores.store(counters).get<Counter>('counter', key))?.document;

  it('acts on what was there before it started, and on what changes after', async () => {
    await wish(log, KEY);
    const loop = create([counting()]);
    await start(loop);
    await clock.advance(10);
    expect(await counter()).toMatchObject({ wanted: 1, reached: 1 });
    for (let index = 0; index < 5; index++) await wish(log, KEY);
    await clock.advance(10);
    expect(await counter()).toMatchObject({ wanted: 6, reached: 6 });
  });

  it('lets no worker begin before the read model has caught up with the log', async () => {
    const events = 3_000;
    for (let index = 0; index < events; index++) await wish(log, `acme/chat-1-${index % 10}-1`);
    const positions: number[] = [];
    const loop = create([
      {
        name: 'watch',
        keysOf: (ref) => [ref.key],
        reconcile: async (context) => {
          positions.push(await context.model.position());
          return {};
        },
      },
    ]);
    expect(loop.status().working).toBe(false);
    await start(loop);
    await clock.advance(10);
    expect(positions.length).toBeGreaterThanOrEqual(10);
    expect(Math.min(...positions)).toBe(events);
  });

  it('appends under the lease of the key, with the position that the pass saw', async () => {
    await wish(log, KEY);
    await start(create([counting()]));
    await clock.advance(10);
    const [, answer] = await log.read(0, 10);
    expect(answer).toMatchObject({ source: '/davit/counter', basedonposition: 1 });
    expect(await leases.acquire(`counter/count/${KEY}`, 'another', 1_000)).toBeUndefined();
  });

  it('looks again by itself when an append met another writer, once that write is folded in', async () => {
    let rivals = 3;
    const loop = create([
      counting(async () => {
        if (rivals-- > 0) await wish(log, KEY);
      }),
    ]);
    await start(loop);
    await wish(log, KEY);
    await clock.advance(5_000);
    expect(await counter()).toMatchObject({ wanted: 4, reached: 4 });
    expect(loop.status().controllers['count']?.passes.conflict).toBe(3);
  });

  it('waits until the write it collided with is folded in, instead of colliding with it again', async () => {
    let rivals = 1;
    const collide = counting(async () => {
      if (rivals-- > 0) await wish(log, KEY);
    });
    const loop = create([collide], 'one', { projection: behind(200) });
    await start(loop);
    await wish(log, KEY);
    await clock.advance(5_000);
    expect(await counter()).toMatchObject({ wanted: 2, reached: 2 });
    expect(loop.status().controllers['count']?.passes).toMatchObject({ conflict: 1, error: 0 });
  });

  it('counts a stream that changed under the decision as a conflict, and decides anew', async () => {
    const seen: number[] = [];
    const plain = counting();
    const loop = create([
      {
        ...plain,
        reconcile: (context) =>
          plain.reconcile({
            ...context,
            append: async (writes, options) => {
              const version = (await log.readStream(`runtime/${OTHER}`)).length;
              if (seen.push(version) === 1) await wish(log, OTHER);
              return context.append(writes, { ...options, requires: [{ stream: `runtime/${OTHER}`, version }] });
            },
          }),
        keysOf: () => [KEY],
      },
    ]);
    await start(loop);
    await wish(log, KEY);
    await clock.advance(5_000);
    expect(await counter()).toMatchObject({ wanted: 1, reached: 1 });
    expect(seen).toEqual([0, 1]);
    expect(loop.status().controllers['count']?.passes).toMatchObject({ conflict: 1, error: 0 });
  });

  it('does not run a key again before the read model holds what its last pass wrote', async () => {
    let passes = 0;
    const counted = counting(() => Promise.resolve(void (passes += 1)));
    const loop = create([counted], 'one', { resyncMs: 5, projection: behind(50) });
    await start(loop);
    for (let index = 0; index < 10; index++) {
      await wish(log, KEY);
      await clock.advance(200);
    }
    expect(await counter()).toMatchObject({ wanted: 10, reached: 10 });
    expect(passes).toBe(10);
    expect(loop.status().controllers['count']?.passes).toMatchObject({ conflict: 0, error: 0 });
  });

  it('runs a key on one instance at a time, however many there are, and hands over when one stops', async () => {
    const holders: string[] = [];
    let active = 0;
    const working = (name: string): Controller =>
      counting(async (context) => {
        expect(++active).toBe(1);
        await sleep(clock, 6_000);
        expect(await context.holdsLease()).toBe(true);
        holders.push(name);
        active -= 1;
      });
    const one = create([working('one')], 'one');
    const two = create([working('two')], 'two');
    await start(one);
    await start(two);
    await wish(log, KEY);
    await clock.advance(20_000);
    expect(await counter()).toMatchObject({ wanted: 1, reached: 1 });
    const [first] = holders;
    const stopping = (first === 'one' ? one : two).stop();
    await clock.advance(1);
    await stopping;
    await wish(log, KEY);
    await clock.advance(20_000);
    expect(await counter()).toMatchObject({ wanted: 2, reached: 2 });
    expect(new Set(holders).size).toBe(2);
  });

  it('is fenced after losing its lease, and comes back when the lease is free again', async () => {
    let stolen = false;
    const loop = create([
      counting(async (context) => {
        if (stolen) return;
        stolen = true;
        await leases.release({ name: `counter/count/${KEY}`, holder: 'one', epoch: context.epoch });
        await leases.acquire(`counter/count/${KEY}`, 'thief', 2_000);
        expect(await context.holdsLease()).toBe(false);
      }),
    ]);
    await start(loop);
    await wish(log, KEY);
    await clock.advance(1_000);
    expect(await counter()).toMatchObject({ wanted: 1, reached: 0 });
    await clock.advance(10_000);
    expect(await counter()).toMatchObject({ wanted: 1, reached: 1 });
    const { passes } = loop.status().controllers['count'] ?? { passes: undefined };
    expect(passes).toMatchObject({ conflict: 1 });
    expect(passes?.['lease-held']).toBeGreaterThan(0);
  });

  it('writes a lease once while it is fresh, and again once less than half is left', async () => {
    let acquired = 0;
    const counted = {
      acquire: (...args: Parameters<MemoryLeases['acquire']>) => (acquired++, leases.acquire(...args)),
      holds: leases.holds.bind(leases),
      release: leases.release.bind(leases),
    };
    await start(create([counting()], 'one', { leases: counted }));
    for (let index = 0; index < 10; index++) {
      await wish(log, KEY);
      await clock.advance(100);
    }
    expect(acquired).toBe(1);
    await clock.advance(1_100);
    await wish(log, KEY);
    await clock.advance(100);
    expect(acquired).toBe(2);
  });

  it('keeps the lease of a key whose work goes on beside its passes, until the work or the loop ends', async () => {
    let works = true;
    const reconcile = () => Promise.resolve({ requeueAfterMs: 10_000, keepsLease: works });
    const loop = create([{ name: 'work', keysOf: (ref) => [ref.key], reconcile }], 'one', { resyncMs: 1_000_000 });
    const isFree = async (): Promise<boolean> =>
      (await leases.acquire(`counter/work/${KEY}`, 'another', 0)) !== undefined;
    await wish(log, KEY);
    await start(loop);
    for (let second = 1; second < 30; second++) {
      await clock.advance(1_000);
      expect(await isFree()).toBe(false);
    }
    works = false;
    await clock.advance(6_500);
    expect(await isFree()).toBe(true);
    works = true;
    await clock.advance(10_000);
    expect(await isFree()).toBe(false);
    await loop.stop();
    expect(await isFree()).toBe(true);
  });

  it('goes on with the other keys when one fails, and retries that one', async () => {
    let failures = 4;
    const loop = create([
      counting((context) => {
        if (context.key === KEY && failures-- > 0) return Promise.reject(new Error('boom'));
        return Promise.resolve();
      }),
    ]);
    await start(loop);
    await wish(log, KEY);
    await wish(log, 'acme/chat-1-1-1');
    await clock.advance(100);
    expect(await counter('acme/chat-1-1-1')).toMatchObject({ reached: 1 });
    expect(await counter()).toMatchObject({ reached: 0 });
    await clock.advance(20_000);
    expect(await counter()).toMatchObject({ reached: 1 });
    expect(loop.status().controllers['count']?.passes.error).toBe(4);
  });

  it('survives a controller that cannot tell its keys', async () => {
    const broken: Controller = {
      name: 'broken',
      keysOf: () => {
        throw new Error('no keys');
      },
      reconcile: () => Promise.resolve({}),
    };
    await wish(log, KEY);
    await start(create([broken, counting()]));
    await clock.advance(10);
    expect(await counter()).toMatchObject({ reached: 1 });
  });

  it('decides nothing while the read model is known to be behind', async () => {
    const store = stores.store(counters);
    const loop = create([counting()], 'one', {
      projection: createProjectionRunner({
        definition: {
          ...counters,
          evolve: (document, event, ref) => {
            if (event.position === 3) throw new Error('not understood');
            return counters.evolve(document, event, ref);
          },
        },
        store,
        log,
        feed,
        clock,
        logger: silentLogger,
      }),
    });
    await start(loop);
    await wish(log, KEY);
    await clock.advance(100);
    await wish(log, KEY);
    await clock.advance(100);
    const before = loop.status().controllers['count']?.passes.done;
    await clock.advance(60_000);
    expect(loop.status().projection).toMatchObject({ state: 'stopped', at: 3 });
    expect(loop.status().controllers['count']?.passes.done).toBe(before);
  });

  it('decides nothing on tables that went back to an earlier position, before the runner knows it', async () => {
    const seen: number[] = [];
    const watch: Controller = {
      name: 'watch',
      keysOf: (ref) => [ref.key],
      reconcile: async ({ model }) => {
        const [counter, all] = [await model.get<Counter>('counter', KEY), await model.list<Counter>('counter')];
        expect(all.map(({ document }) => document)).toEqual([counter?.document]);
        seen.push(await model.position(), counter?.document.wanted ?? 0);
        return { requeueAfterMs: 50 };
      },
    };
    for (let index = 0; index < 5; index++) await wish(log, KEY);
    const loop = create([watch]);
    await start(loop);
    await clock.advance(200);
    stores.store(counters).clear();
    await clock.advance(200);
    expect(loop.status().projection).toMatchObject({ state: 'live', position: 5 });
    await clock.advance(5_000);
    expect(seen.length).toBeGreaterThan(50);
    expect(Math.min(...seen)).toBe(5);
  });

  it('looks at every key again now and then although nothing woke it', async () => {
    await wish(log, KEY);
    const seen: ReconcileContext[] = [];
    const loop = create([
      {
        name: 'watch',
        keysOf: (ref) => [ref.key],
        reconcile: (context) => {
          seen.push(context);
          if (seen.length === 1) throw new TerminalError('until something changes');
          return Promise.resolve({});
        },
      },
    ]);
    await start(loop);
    await clock.advance(1_000);
    const first = seen.length;
    await clock.advance(120_000);
    expect(seen.length).toBeGreaterThanOrEqual(first + 3);
    expect(loop.status().controllers['watch']?.passes.terminal).toBe(1);
  });

  it('waits for the pass under way when it stops, lets the lease go, and leaves nothing scheduled', async () => {
    const loop = create([counting(() => sleep(clock, 3_000))]);
    await start(loop);
    await wish(log, KEY);
    await clock.advance(10);
    let stopped = false;
    void loop.stop().then(() => (stopped = true));
    await clock.advance(1_000);
    expect(stopped).toBe(false);
    await clock.advance(2_500);
    expect(stopped).toBe(true);
    expect((await log.read(0, 10)).length).toBe(2);
    expect(await leases.acquire(`counter/count/${KEY}`, 'next', 1_000)).toBeDefined();
    expect(await clock.runUntil(() => false, 1_000_000)).toBe(false);
  });
});
