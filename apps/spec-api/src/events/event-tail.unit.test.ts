import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from '@davit/contracts';
import { type EventLog, type LogFeed, createMemoryLog } from '@davit/event-log';
import { seededRandom, sequentialIds, systemClock } from '@davit/ports';
import { StalledReaderError, type StreamSink, streamEvents } from './event-stream.js';
import type { EventReader } from './event-reader.js';
import { EventTail, type EventTailOptions } from './event-tail.js';
import { CHECKPOINT, type Checkpoint } from './frames.js';

type OnEvents = (events: readonly RecordedEvent[]) => Promise<void>;

let log: EventLog;
let reads: number;
let feedEvents: OnEvents;
let feed: LogFeed;
const tails: EventTail[] = [];
afterEach(() => Promise.all(tails.splice(0).map((tail) => tail.stop())));
const never = (): AbortSignal => new AbortController().signal;

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
function tailOf(options: Partial<EventTailOptions> = {}): EventTail {
  const tail = new EventTail({ log, feed, clock: systemClock, gatherMs: 0, pollMs: 60_000, ...options });
  tails.push(tail);
  return tail;
}

describe('the tail of the log', () => {
  test('gives what is already there from the log, and what comes from the feed without asking the log', async () => {
    await append(3);
    const reader = tailOf().reader(1, never());
    expect(positions(await reader.next())).toEqual([2, 3]);
    const next = reader.next();
    await systemTurns();
    const events = await append(2);
    const before = reads;
    await feedEvents(events);
    expect(positions(await next)).toEqual([4, 5]);
    expect(reader.at).toBe(5);
    expect(reads).toBe(before);
  });

  test('a reader who comes late gets the same events as one who was there from the start', async () => {
    const tail = tailOf({ pollMs: 5 });
    const early: RecordedEvent[] = [];
    const first = tail.reader(0, never());
    await first.next();
    for (let round = 0; round < 3; round++) {
      const events = await append(4);
      await feedEvents(events);
      while (first.at < 4 * (round + 1)) early.push(...(await first.next()));
    }
    const late: RecordedEvent[] = [];
    const second = tail.reader(0, never());
    while (second.at < 12) late.push(...(await second.next()));
    expect(late).toEqual(early);
  });

  test('repairs what the feed skips, and drops what it repeats', async () => {
    const tail = tailOf({ pollMs: 5 });
    const reader = tail.reader(0, never());
    await reader.next();
    const [first, , third] = await append(3);
    if (!first || !third) throw new Error('three events were appended');
    await feedEvents([first, first]);
    await feedEvents([third]);
    const seen: number[] = [];
    while (reader.at < 3) seen.push(...positions(await reader.next()));
    expect(seen).toEqual([1, 2, 3]);
  });

  test('asks the log when the feed is silent, once for all readers', async () => {
    const tail = tailOf({ pollMs: 5 });
    const readers = Array.from({ length: 20 }, () => tail.reader(0, never()));
    await Promise.all(readers.map((reader) => reader.next()));
    await append(1);
    const before = reads;
    const pages = await Promise.all(readers.map(untilSomething));
    expect(pages.map(positions)).toEqual(readers.map(() => [1]));
    expect(reads - before).toBeLessThan(10);
  });

  test('answers with nothing after a poll, and at once when the reader leaves', async () => {
    const tail = tailOf({ pollMs: 5 });
    expect(await tail.reader(0, never()).next()).toEqual([]);
    const left = new AbortController();
    const waiting = tailOf().reader(0, left.signal).next();
    await systemTurns();
    left.abort();
    expect(await waiting).toEqual([]);
  });
});

describe('a stream of events', () => {
  const everything = { tenants: 'all' } as const;
  const options = { clock: systemClock, after: 0, heartbeatMs: 60_000, stallMs: 60_000 };
  let left: AbortController;
  let written: string[];
  let drained: () => void;
  const sink = (takes: () => boolean, writableLength = 1): StreamSink => ({
    write: (bytes) => {
      written.push(bytes.toString());
      return takes();
    },
    writableLength,
    once: (_event, listener) => (drained = listener),
  });

  beforeEach(() => {
    left = new AbortController();
    written = [];
    drained = () => undefined;
  });

  test('takes the next page only when the reader has taken the last, and ends when the reader leaves', async () => {
    await append(1_200);
    const { signal } = left;
    const streaming = streamEvents(
      sink(() => written.length < 2),
      { ...options, tail: tailOf(), filter: everything, signal },
    );
    await systemTurns();
    expect(written).toHaveLength(2);
    drained();
    await systemTurns();
    expect(written).toHaveLength(3);
    expect(written[2]).toContain('id: 1000\n');
    left.abort();
    await streaming;
  });

  test('does not wait for a reader that has taken a large piece at once', async () => {
    await append(1_200);
    const { signal } = left;
    const streaming = streamEvents(
      sink(() => false, 0),
      { ...options, tail: tailOf(), filter: everything, signal },
    );
    await systemTurns();
    expect(written.at(-1)).toContain('id: 1200\n');
    left.abort();
    await streaming;
  });

  test('what readers of the same events are sent is made once, and the log is read once for those who come together', async () => {
    await append(3);
    const before = reads;
    const tail = tailOf();
    const sent: (string | Buffer)[][] = [[], [], []];
    const replicas = { tenants: 'all', categories: ['fleet'] } as const;
    const streaming = [everything, replicas, { ...replicas }].map((filter, index) =>
      streamEvents(
        { ...sink(() => true), write: (bytes) => sent[index]?.push(bytes) !== 0 },
        { ...options, tail, filter, signal: left.signal },
      ),
    );
    await systemTurns();
    expect(reads - before).toBe(1);
    await feedEvents(await append(2));
    const [whole, one, other] = sent.map((pieces) => pieces.filter((piece) => typeof piece !== 'string'));
    expect(whole?.map(String)).toEqual(one?.map(String));
    expect(one).toHaveLength(2);
    one?.forEach((piece, index) => expect(other?.[index]).toBe(piece));
    left.abort();
    await Promise.all(streaming);
  });

  test('quick, slow and late readers each get every event once and in order, also where the feed skips and repeats', async () => {
    const random = seededRandom(1);
    const tail = tailOf({ pollMs: 5, keep: 8 });
    const readers: { readonly after: number; readonly seen: number[]; readonly streaming: Promise<void> }[] = [];
    const join = (after: number): void => {
      const seen: number[] = [];
      const pace = random.next();
      const slow: StreamSink = {
        write: (bytes) => {
          for (const [, position] of bytes.toString().matchAll(/^id: (\d+)$/gm)) seen.push(Number(position));
          return random.next() >= pace;
        },
        writableLength: 1,
        once: (_event, listener) => setImmediate(listener),
      };
      const streaming = streamEvents(slow, { ...options, tail, after, filter: everything, signal: left.signal });
      readers.push({ after, seen, streaming });
    };
    let end = 0;
    for (let round = 0; round < 60; round++) {
      join(Math.floor(random.next() * end));
      const events = await append(1 + Math.floor(random.next() * 12));
      end = events.at(-1)?.position ?? end;
      await feedEvents(events.slice(random.next() < 0.2 ? 2 : 0));
      if (random.next() < 0.3) await feedEvents(events);
      await systemTurns();
    }
    while (!readers.every(({ seen }) => seen.at(-1) === end)) await systemTurns();
    left.abort();
    await Promise.all(readers.map(({ streaming }) => streaming));
    for (const { after, seen } of readers) expect(seen).toEqual(seen.map((_, index) => after + 1 + index));
  });

  test('lets go of a reader that takes nothing for too long', async () => {
    await append(1);
    const { signal } = left;
    const streaming = streamEvents(
      sink(() => false),
      { ...options, stallMs: 5, tail: tailOf(), filter: everything, signal },
    );
    await expect(streaming).rejects.toThrow(StalledReaderError);
  });

  test('a filtered stream says how far it looked and how many it sent, also when none was among them', async () => {
    await append(700);
    const { signal } = left;
    const tail = tailOf({ pollMs: 5 });
    const streaming = streamEvents(
      sink(() => true),
      { ...options, heartbeatMs: 1, tail, filter: { tenants: 'all', categories: ['replica'] }, signal },
    );
    while (!written.some((text) => text.startsWith('id: 700\n'))) await systemTurns();
    left.abort();
    await streaming;
    const told = written
      .filter((text) => text.includes(CHECKPOINT))
      .map((text) => JSON.parse(dataOf(text)) as Checkpoint);
    expect(told.map(({ delivered }) => delivered)).toEqual(told.map(() => 0));
    expect(told.at(-1)?.position).toBe(700);
    told.slice(1).forEach(({ after }, index) => expect(after).toBe(told[index]?.position));
  });
});

const dataOf = (frame: string): string => /^data: (.*)$/m.exec(frame)?.[1] ?? '';

async function untilSomething(reader: EventReader): Promise<readonly RecordedEvent[]> {
  for (;;) {
    const page = await reader.next();
    if (page.length > 0) return page;
  }
}

/** Lets everything that does not wait for time settle. */
async function systemTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
