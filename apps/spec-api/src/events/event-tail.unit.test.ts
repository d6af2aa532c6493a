import { beforeEach, describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from '@davit/contracts';
import { type EventLog, type LogFeed, createMemoryLog } from '@davit/event-log';
import { sequentialIds, systemClock } from '@davit/ports';
import { streamEvents } from './event-stream.js';
import { EventTail } from './event-tail.js';

type OnEvents = (events: readonly RecordedEvent[]) => Promise<void>;

let log: EventLog;
let reads: number;
let feedEvents: OnEvents;
let feed: LogFeed;
const never = new AbortController().signal;

beforeEach(() => {
  const memory = createMemoryLog({ clock: systemClock, ids: sequentialIds() });
  reads = 0;
  log = {
    append: (writes, context) => memory.log.append(writes, context),
    head: () => memory.log.head(),
    readStream: (stream) => memory.log.readStream(stream),
    read(after, limit) {
      reads += 1;
      return memory.log.read(after, limit);
    },
  };
  feedEvents = () => Promise.reject(new Error('nobody subscribed'));
  feed = {
    subscribe(_after, onEvents) {
      feedEvents = onEvents;
      return { stop: () => Promise.resolve() };
    },
  };
});

async function append(count = 1): Promise<readonly RecordedEvent[]> {
  const before = await log.head();
  for (let made = 0; made < count; made++) {
    const data = { alarm: 'a', severity: 'warning', about: 'x', detail: '' } as const;
    await log.append(
      [{ stream: 'fleet/alarms', expectedVersion: 'any', events: [{ type: 'davit.fleet.alarm-raised', data }] }],
      { tenant: 'default', service: 'spec-api' },
    );
  }
  return log.read(before, count);
}

const positions = (events: readonly RecordedEvent[]): number[] => events.map(({ position }) => position);

describe('the tail of the log', () => {
  test('gives what is already there from the log, and what comes from the feed without asking the log', async () => {
    await append(3);
    const tail = new EventTail({ log, feed, clock: systemClock, pollMs: 60_000 });
    expect(positions(await tail.read(1, 0, never))).toEqual([2, 3]);
    const next = tail.read(3, 60_000, never);
    const events = await append(2);
    const before = reads;
    await feedEvents(events);
    expect(positions(await next)).toEqual([4, 5]);
    expect(positions(await tail.read(4, 0, never))).toEqual([5]);
    expect(reads).toBe(before);
  });

  test('repairs what the feed skips, and drops what it repeats', async () => {
    const tail = new EventTail({ log, feed, clock: systemClock, pollMs: 5 });
    await tail.read(0, 0, never);
    const [first, , third] = await append(3);
    if (!first || !third) throw new Error('three events were appended');
    await feedEvents([first, first]);
    await feedEvents([third]);
    expect(positions(await tail.read(0, 1_000, never))).toEqual([1, 2, 3]);
    expect(positions(await tail.read(1, 1_000, never))).toEqual([2, 3]);
  });

  test('asks the log when the feed is silent', async () => {
    const tail = new EventTail({ log, feed, clock: systemClock, pollMs: 5 });
    await tail.read(0, 0, never);
    const next = tail.read(0, 60_000, never);
    await append(1);
    expect(positions(await next)).toEqual([1]);
  });

  test('answers with nothing when the wait is over, and at once when the reader leaves', async () => {
    const tail = new EventTail({ log, feed, clock: systemClock });
    expect(await tail.read(0, 5, never)).toEqual([]);
    const left = new AbortController();
    const waiting = tail.read(0, 60_000, left.signal);
    left.abort();
    expect(await waiting).toEqual([]);
  });
});

describe('a stream of events', () => {
  test('takes the next page only when the reader has taken the last, and ends when the reader leaves', async () => {
    await append(1_200);
    const tail = new EventTail({ log, feed, clock: systemClock });
    const left = new AbortController();
    const written: string[] = [];
    let drained: () => void = () => undefined;
    const sink = {
      write: (text: string) => {
        written.push(text);
        return written.length < 2;
      },
      once: (_event: 'drain', listener: () => void) => (drained = listener),
    };
    const options = { tail, after: 0, category: undefined, heartbeatMs: 60_000, signal: left.signal };
    const streaming = streamEvents(sink, options);
    await systemTurns();
    expect(written).toHaveLength(2);
    drained();
    await systemTurns();
    expect(written).toHaveLength(3);
    expect(written[2]).toContain('id: 1000\n');
    left.abort();
    await streaming;
  });
});

/** Lets everything that does not wait for time settle. */
async function systemTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
