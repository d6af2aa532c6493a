import { beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock, silentLogger } from '@davit/ports';
import { MemoryProjectionStore } from './memory/memory-store.js';
import { type ProjectionRunner, type ProjectionRunnerOptions, createProjectionRunner } from './runner.js';
import { ArrayLog, ScriptedFeed } from './testing/array-log.js';
import { contentOf, plainFold } from './testing/plain-fold.js';
import { loadEvent, sampleProjection } from './testing/sample-projection.js';

const definition = sampleProjection();

describe('projection runner', () => {
  let clock: VirtualClock;
  let log: ArrayLog;
  let feed: ScriptedFeed;
  let store: MemoryProjectionStore;

  beforeEach(() => {
    clock = new VirtualClock();
    log = new ArrayLog();
    feed = new ScriptedFeed();
    store = new MemoryProjectionStore();
  });

  const runner = (extra: Partial<ProjectionRunnerOptions> = {}): ProjectionRunner =>
    createProjectionRunner({ definition, store, log, feed, clock, logger: silentLogger, ...extra });

  const append = (count: number): void => {
    for (let index = 0; index < count; index++) {
      const position = log.events.length + 1;
      log.events.push(loadEvent(position, `acme/chat-1-${position % 7}-1`, position % 5));
    }
  };

  const expectWhole = async (): Promise<void> => {
    expect(await store.position()).toBe(log.events.length);
    expect(await contentOf(store)).toEqual(plainFold(definition, log.events));
  };

  it('catches up over many pages before it is live', async () => {
    append(2_345);
    const subject = runner();
    expect(subject.status().state).toBe('catching-up');
    subject.start();
    await subject.untilCaughtUp(2_345);
    await clock.advance(0);
    expect(subject.status()).toEqual({ state: 'live', position: 2_345, head: 2_345, lag: 0 });
    await expectWhole();
  });

  it('applies what the feed brings without asking the log', async () => {
    const subject = runner();
    subject.start();
    await clock.advance(0);
    append(3);
    log.fault = new Error('the log must not be asked');
    await feed.deliver(log.events);
    await clock.advance(0);
    log.fault = undefined;
    await expectWhole();
  });

  it('skips what it knows and orders what came out of order', async () => {
    append(2);
    const subject = runner();
    subject.start();
    await clock.advance(0);
    append(4);
    await feed.deliver([5, 3, 1, 4, 3, 6, 2].flatMap((position) => log.events[position - 1] ?? []));
    await clock.advance(0);
    await expectWhole();
  });

  it('reads a hole from the log and never guesses', async () => {
    const subject = runner();
    subject.start();
    await clock.advance(0);
    append(10);
    await feed.deliver(log.events.slice(0, 2));
    await feed.deliver(log.events.slice(7, 8));
    await clock.advance(0);
    await expectWhole();
  });

  it('follows the log within a second when the feed is silent, and asks more often while it stays so', async () => {
    const subject = runner();
    subject.start();
    await clock.advance(0);
    append(1);
    await clock.advance(999);
    expect(subject.status().position).toBe(0);
    await clock.advance(1);
    expect(subject.status().position).toBe(1);
    append(1);
    await clock.advance(250);
    expect(subject.status().position).toBe(2);
  });

  it('subscribes anew when the feed stays silent while the log grows', async () => {
    const subject = runner();
    subject.start();
    for (let second = 0; second < 25; second++) {
      append(1);
      await clock.advance(1_000);
    }
    expect(feed.subscriptions).toBeGreaterThan(1);
    expect(feed.subscribers.size).toBe(1);
  });

  it('stops at an event it cannot apply, says where, and goes on once it can', async () => {
    append(3);
    log.events[1] = {
      ...loadEvent(2, 'acme/chat-1-2-1', 1),
      data: { replicaId: 'acme/chat-1-2-1', running: null, waiting: null, kvCacheUsage: null },
    } as never;
    const subject = runner();
    subject.start();
    await clock.advance(0);
    expect(subject.status()).toMatchObject({ state: 'stopped', reason: 'cannot-apply', position: 1, at: 2, lag: 2 });
    await clock.advance(10_000);
    expect(subject.status()).toMatchObject({ state: 'stopped', position: 1 });
    log.events[1] = loadEvent(2, 'acme/chat-1-2-1', 1);
    await clock.advance(30_000);
    expect(subject.status().state).toBe('live');
    await expectWhole();
  });

  it('applies everything before an event that it cannot read', async () => {
    append(1_500);
    log.unreadable = 1_200;
    const subject = runner();
    subject.start();
    await clock.advance(0);
    expect(subject.status()).toMatchObject({ state: 'stopped', reason: 'cannot-apply', position: 1_199, at: 1_200 });
  });

  it('comes back by itself after a fault of what it depends on', async () => {
    const subject = runner();
    subject.start();
    await clock.advance(0);
    append(5);
    log.fault = new Error('connection refused');
    await clock.advance(5_000);
    expect(subject.status()).toMatchObject({ state: 'stopped', reason: 'fault', error: 'Error: connection refused' });
    log.fault = undefined;
    await clock.advance(2_000);
    expect(subject.status().state).toBe('live');
    await expectWhole();
  });

  it('stops aloud, instead of trying without end, at documents that claim to be ahead of the checkpoint', async () => {
    append(2);
    await store.commit(0, 0, [{ kind: 'tenant', key: 'acme', document: {}, groups: [], position: 9 }]);
    const subject = runner();
    subject.start();
    await clock.advance(0);
    expect(subject.status()).toMatchObject({ state: 'stopped', reason: 'fault', at: 1 });
  });

  it('builds everything again when the tables were lost under it', async () => {
    append(10);
    const subject = runner();
    subject.start();
    await clock.advance(0);
    store.clear();
    append(1);
    await feed.deliver(log.events.slice(-1));
    await clock.advance(1_000);
    expect(subject.status().state).toBe('live');
    await expectWhole();
  });

  it('notices that the tables were lost although nothing happens in the log', async () => {
    append(10);
    const subject = runner();
    subject.start();
    await clock.advance(0);
    store.clear();
    await clock.advance(1_000);
    await expectWhole();
  });

  it('tells observers every change, and that it is live', async () => {
    append(1);
    const told: string[] = [];
    const subject = runner({
      onChanged: (changes, position) => told.push(`${position}: ${changes.map((change) => change.key).join()}`),
    });
    subject.observe({ onLive: (position) => told.push(`live at ${position}`) });
    subject.start();
    await clock.advance(0);
    append(1);
    await feed.deliver(log.events.slice(-1));
    await clock.advance(0);
    expect(told).toEqual(['1: acme/chat-1-1-1,acme', 'live at 1', '2: acme/chat-1-2-1,acme']);
  });

  it('tells observers what a rival folded in', async () => {
    const told: unknown[] = [];
    const subject = runner({ onChanged: (changes) => told.push(...changes) });
    subject.start();
    await clock.advance(0);
    append(2);
    const rival = runner({ feed: new ScriptedFeed() });
    rival.start();
    await clock.advance(0);
    expect(await store.position()).toBe(2);
    await feed.deliver(log.events);
    await clock.advance(0);
    expect(told).toMatchObject([
      { kind: 'replica', key: 'acme/chat-1-1-1', document: { running: 1 } },
      { kind: 'tenant', key: 'acme', document: { running: 3 } },
      { kind: 'replica', key: 'acme/chat-1-2-1', document: { running: 2 } },
    ]);
  });

  it('is not held up by an observer that throws', async () => {
    append(2);
    const subject = runner({
      onChanged: () => {
        throw new Error('observer');
      },
    });
    subject.start();
    await clock.advance(0);
    await expectWhole();
  });

  it('rejects waiters when it is stopped, and leaves nothing scheduled', async () => {
    const subject = runner();
    subject.start();
    await clock.advance(0);
    const waiting = expect(subject.untilCaughtUp(1)).rejects.toMatchObject({ code: 'runner-stopped' });
    await subject.stop();
    await waiting;
    expect(feed.subscribers.size).toBe(0);
    append(1);
    await clock.advance(60_000);
    expect(await store.position()).toBe(0);
  });
});
