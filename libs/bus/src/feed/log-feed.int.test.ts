import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@davit/test-support';
import type { RecordedEvent } from '@davit/contracts';
import type { Bus } from '../connection.js';
import { createLog, publishEvents } from '../testing/log-mirror.js';
import { Rig, gate } from '../testing/rig.js';
import { type LogFeedOptions, jetStreamLogFeed } from './log-feed.js';

const quick: LogFeedOptions = { heartbeatMs: 500, watchdogMs: 300, retry: { firstMs: 50, maxMs: 200 } };
const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('the log feed over JetStream', () => {
  let rig: Rig;
  let bus: Bus;
  let writer: Bus;
  beforeAll(async () => {
    rig = await Rig.start();
  });
  beforeEach(async () => {
    bus = await rig.bus('reader');
    writer = await rig.bus('writer');
  });
  afterEach(() => rig.settle());
  afterAll(() => rig.end());

  /** A reader that notes the positions it is given. */
  const read = (after: number, options = quick, onEvents?: (events: readonly RecordedEvent[]) => Promise<void>) => {
    const positions: number[] = [];
    const batches: number[] = [];
    const subscription = jetStreamLogFeed(bus, options).subscribe(after, async (events) => {
      await onEvents?.(events);
      batches.push(events.length);
      positions.push(...events.map((event) => event.position));
    });
    rig.later(() => subscription.stop());
    return { positions, batches, subscription };
  };
  const reached = (positions: number[], last: number) => eventually(() => positions.at(-1) === last);

  it('delivers everything after the wanted position, in order and in batches, and then what comes', async () => {
    await createLog(writer);
    await publishEvents(writer, 1, 1_200);
    const { positions, batches, subscription } = read(200);
    await reached(positions, 1_200);
    await publishEvents(writer, 1_201, 1_203);
    await reached(positions, 1_203);
    expect(positions).toEqual(upTo(201, 1_203));
    expect(Math.max(...batches)).toBeLessThanOrEqual(500);
    expect(batches.length).toBeLessThan(100);
    expect(subscription.stats()).toMatchObject({ position: 1_203, restarts: 0, state: 'streaming', invalid: 0 });
    expect(subscription.stats().lastHeardAtMs).toBeGreaterThan(Date.now() - 60_000);
  });

  it('never runs the reader twice at once, and reads on from the same place after it threw', async () => {
    await createLog(writer);
    await publishEvents(writer, 1, 50);
    let atWork = 0;
    let most = 0;
    let calls = 0;
    const { positions, subscription } = read(0, { ...quick, maxBatch: 10 }, async () => {
      most = Math.max(most, ++atWork);
      await new Promise((resolve) => setImmediate(resolve));
      atWork -= 1;
      if (++calls === 2) throw new Error('projection failed');
    });
    await reached(positions, 50);
    expect(positions).toEqual(upTo(1, 50));
    expect(most).toBe(1);
    expect(subscription.stats()).toMatchObject({ restarts: 1, lastError: 'projection failed' });
    expect(rig.logged('log feed interrupted')).toBe(true);
  });

  it('waits for a stream that does not exist yet', async () => {
    const { positions } = read(0);
    await eventually(() => rig.logged('log feed interrupted'));
    await createLog(writer);
    await publishEvents(writer, 1, 3);
    await reached(positions, 3);
  });

  it('begins at the first event that the stream still holds', async () => {
    await createLog(writer, 100);
    await publishEvents(writer, 100, 105);
    const { positions } = read(10);
    await reached(positions, 105);
    expect(positions).toEqual(upTo(100, 105));
    expect(rig.logged('no longer holds the next events')).toBe(true);
  });

  it('leaves out what is no event, says so and goes on', async () => {
    await createLog(writer);
    await publishEvents(writer, 1, 2);
    await writer.connection.jetstream().publish('davit.log.fleet.junk', '{"no":"event"}');
    await publishEvents(writer, 4, 5);
    const { positions, subscription } = read(0);
    await reached(positions, 5);
    expect(positions).toEqual([1, 2, 4, 5]);
    expect(subscription.stats()).toMatchObject({ invalid: 1, position: 5, restarts: 0 });
    expect(rig.logged('not an event')).toBe(true);
  });

  it('recovers loudly when the stream is deleted and made anew at the next position', async () => {
    await createLog(writer);
    await publishEvents(writer, 1, 20);
    const { positions, subscription } = read(0);
    await reached(positions, 20);
    await (await writer.connection.jetstreamManager()).streams.delete('LOG');
    await eventually(() => subscription.stats().restarts > 0);
    await createLog(writer, 21);
    await publishEvents(writer, 21, 25);
    await reached(positions, 25);
    expect(positions).toEqual(upTo(1, 25));
    expect(rig.logged('the stream was created anew')).toBe(true);
  });

  it('waits, and does not repeat, while a stream that went back is filled again', async () => {
    await createLog(writer);
    await publishEvents(writer, 1, 30);
    const { positions, subscription } = read(0);
    await reached(positions, 30);
    await (await writer.connection.jetstreamManager()).streams.delete('LOG');
    await createLog(writer);
    await publishEvents(writer, 1, 12);
    await eventually(() => subscription.stats().state === 'waiting');
    await publishEvents(writer, 13, 33);
    await reached(positions, 33);
    expect(positions).toEqual(upTo(1, 33));
    expect(rig.logged('ends before the last event read')).toBe(true);
  });

  it('builds another consumer when its own is deleted behind its back', async () => {
    await createLog(writer);
    await publishEvents(writer, 1, 3);
    const { positions, subscription } = read(0);
    await reached(positions, 3);
    const manager = await writer.connection.jetstreamManager();
    for await (const consumer of manager.consumers.list('LOG')) await manager.consumers.delete('LOG', consumer.name);
    await eventually(() => subscription.stats().restarts > 0);
    await publishEvents(writer, 4, 6);
    await reached(positions, 6);
    expect(positions).toEqual(upTo(1, 6));
  });

  it('stops after the batch in hand, and leaves no consumer behind', async () => {
    await createLog(writer);
    await publishEvents(writer, 1, 40);
    const hold = gate();
    const started = gate();
    const { positions, subscription } = read(0, { ...quick, maxBatch: 10 }, async () => {
      started.open();
      await hold.opened;
    });
    await started.opened;
    const stopping = subscription.stop();
    hold.open();
    await stopping;
    expect(positions.length).toBeGreaterThan(0);
    expect(positions.length).toBeLessThanOrEqual(10);
    expect(subscription.stats().state).toBe('stopped');
    const manager = await writer.connection.jetstreamManager();
    await eventually(async () => (await manager.streams.info('LOG')).state.consumer_count === 0);
  });

  it('goes on when its broker is killed and comes back, and when it comes back empty', async () => {
    await createLog(writer);
    await publishEvents(writer, 1, 10);
    const { positions, subscription } = read(0);
    await reached(positions, 10);
    await rig.broker.kill9();
    await eventually(() => !bus.status().connected);
    await rig.broker.restart();
    await eventually(() => writer.status().connected);
    await eventually(() => publishEvents(writer, 11, 15).then(() => true));
    await reached(positions, 15);
    await rig.broker.wipe();
    await eventually(() => bus.status().reconnects === 2 && writer.status().reconnects === 2);
    await createLog(writer, 16);
    await publishEvents(writer, 16, 20);
    await reached(positions, 20);
    expect(positions).toEqual(upTo(1, 20));
    expect(subscription.stats().restarts).toBeGreaterThanOrEqual(2);
    expect(rig.logged('connection to the broker is back')).toBe(true);
  }, 20_000);
});
