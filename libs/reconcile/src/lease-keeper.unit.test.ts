import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Leases, MemoryLeases } from '@davit/event-log';
import { VirtualClock, sleep } from '@davit/ports';
import { LeaseKeeper } from './lease-keeper.js';

const NAME = 'service/controller/key';

describe('the keeper of leases', () => {
  let clock: VirtualClock;
  let leases: MemoryLeases;

  beforeEach(() => {
    clock = new VirtualClock();
    leases = new MemoryLeases(clock);
  });

  const keeper = (store: Leases): LeaseKeeper => new LeaseKeeper({ leases: store, clock, holder: 'one', ttlMs: 3_000 });

  /** The store, with answers that are `lateMs` on their way. */
  const late = (lateMs: number): Leases => ({
    acquire: (...asked) => leases.acquire(...asked),
    release: (lease) => leases.release(lease),
    holds: async (lease) => {
      const answer = await leases.holds(lease);
      await sleep(clock, lateMs);
      return answer;
    },
  });

  it.each([
    [900, true],
    [1_100, false],
  ])('asked whether a lease holds, an answer %i ms old counts: %s', async (lateMs, counts) => {
    const one = keeper(late(lateMs));
    const lease = await one.take(NAME);
    let answer: boolean | undefined;
    if (lease) void one.holds(lease).then((held) => (answer = held));
    await clock.advance(lateMs);
    expect(answer).toBe(counts);
  });

  it('does not take a lease back by a renewal that was under way when all were let go', async () => {
    const slow: Leases = {
      acquire: async (...asked) => {
        if (clock.nowMs() > startMs) await sleep(clock, 500);
        return leases.acquire(...asked);
      },
      release: (lease) => leases.release(lease),
      holds: (lease) => leases.holds(lease),
    };
    const startMs = clock.nowMs();
    const one = keeper(slow);
    await one.take(NAME);
    const end = one.keep(NAME, () => undefined);
    await clock.advance(1_200);
    end();
    void one.releaseAll();
    await clock.advance(1_000);
    expect(await leases.acquire(NAME, 'another', 1_000)).toBeDefined();
  });

  it('knows the time of the store whatever the clock of the host says, also when that jumps under a lease', async () => {
    let wrongByMs = 180_000;
    const host = {
      nowMs: () => clock.nowMs() + wrongByMs,
      monotonicMs: () => clock.monotonicMs() - 7_777_777,
      schedule: (delayMs: number, callback: () => void) => clock.schedule(delayMs, callback),
    };
    const one = new LeaseKeeper({ leases, clock: host, holder: 'one', ttlMs: 3_000 });
    expect(one.storeNowMs()).toBe(host.nowMs());
    await one.take(NAME);
    expect(one.storeNowMs()).toBe(clock.nowMs());
    wrongByMs = -240_000;
    await clock.advance(1_000);
    expect(one.storeNowMs()).toBe(clock.nowMs());
  });

  it('does not take a lease for its own longer because the clock of the host went back', async () => {
    let wrongByMs = 0;
    const host = {
      nowMs: () => clock.nowMs() + wrongByMs,
      monotonicMs: () => clock.monotonicMs(),
      schedule: (delayMs: number, callback: () => void) => clock.schedule(delayMs, callback),
    };
    const one = new LeaseKeeper({ leases, clock: host, holder: 'one', ttlMs: 3_000 });
    const first = await one.take(NAME);
    wrongByMs = -600_000;
    await clock.advance(3_001);
    expect((await one.take(NAME))?.epoch).toBe((first?.epoch ?? 0) + 1);
  });
});
