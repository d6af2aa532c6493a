import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  type CapacityEntry,
  type HourlyPrice,
  type NewEvent,
  type Placement,
  type StockState,
  capacityHistory,
  offersAnswer,
  stream,
} from '@davit/contracts';
import { type OfferState, evolveOffer } from '@davit/domain';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, sequentialIds } from '@davit/ports';
import { readHistory } from './history.js';
import { placeOf } from './log-times.js';
import { type OfferQuestion, offerFilter } from './offer-filter.js';
import { readOffers } from './offers.js';
import { windowOf } from './window.js';

const MINUTE = 60_000;
let clock: VirtualClock;
let log: EventLog;
let reads: number;
let startMs: number;

beforeEach(() => {
  clock = new VirtualClock();
  startMs = clock.nowMs();
  const memory = createMemoryLog({ clock, ids: sequentialIds() });
  reads = 0;
  log = {
    append: (writes, context) => memory.log.append(writes, context),
    head: () => memory.log.head(),
    readStream: (name) => memory.log.readStream(name),
    read(after, limit) {
      reads += 1;
      expect(limit).toBeLessThanOrEqual(1_000);
      return memory.log.read(after, limit);
    },
  };
});

const placement = (cloud = 'runpod', change: Partial<Placement> = {}): Placement => ({
  cloud,
  region: null,
  accelerator: { name: 'L40S', count: 1 },
  spot: false,
  maxHourlyPrice: null,
  ...change,
});
const at = (afterMs: number): string => new Date(startMs + afterMs).toISOString();
const price = (amount: string, kind: HourlyPrice['kind'] = 'quoted', source = 'runpod'): HourlyPrice => ({
  amount,
  currency: 'USD',
  unit: 'instance-hour',
  kind,
  source,
  observedAt: new Date(clock.nowMs()).toISOString(),
});
const write = (name: string, ...events: readonly [NewEvent, ...NewEvent[]]) =>
  log.append([{ stream: name, expectedVersion: 'any', events }], { tenant: 'default', service: 'x' });
const sampled = (state: StockState, lifetimeMs: number, where = placement()) =>
  write('capacity/x', {
    type: 'davit.capacity.sampled',
    data: {
      placement: where,
      signal: {
        state,
        source: where.cloud,
        scope: 'global',
        level: null,
        observedAt: new Date(clock.nowMs()).toISOString(),
        expiresAt: new Date(clock.nowMs() + lifetimeMs).toISOString(),
        price: null,
        detail: '',
        permanent: false,
      },
    },
  });
const REPLICA = 'default/qwen-1-0-1';
const start = (): NewEvent => ({
  type: 'davit.replica.placed',
  data: { replicaId: REPLICA, rung: 0, placement: placement(), adopted: false, price: null, evidence: [] },
});
const failed = (failure: 'capacity' | 'transient', hadServed = false): NewEvent => ({
  type: 'davit.replica.failed',
  data: {
    replicaId: REPLICA,
    class: failure,
    reason: 'launch refused',
    detail: 'none left',
    placement: placement(),
    hadServed,
  },
});
const alarm: NewEvent = {
  type: 'davit.fleet.alarm-raised',
  data: { alarm: 'a', severity: 'warning', about: 'x', detail: '' },
};

const ask = async (query: OfferQuestion = {}, window = {}) => {
  const asked = { wanted: offerFilter(query), fromMs: startMs, toMs: clock.nowMs(), after: null, limit: 200 };
  return capacityHistory.parse(await readHistory(log, { ...asked, ...window }));
};
const lines = (items: readonly CapacityEntry[]): string[] =>
  items.map((entry) => {
    const minute = (Date.parse(entry.time) - startMs) / MINUTE;
    const said = entry.kind === 'signal' ? entry.state : entry.kind === 'start' ? entry.step : entry.kind;
    return `${minute} ${said}`;
  });

describe('law-04: a history of stock', () => {
  test('says from where on nothing was known, until something is again, and carries no value on', async () => {
    await sampled('available', 2 * MINUTE);
    await clock.advance(10 * MINUTE);
    await sampled('unavailable', MINUTE);
    await clock.advance(5 * MINUTE);
    const { items } = await ask();
    expect(lines(items)).toEqual(['0 available', '2 unknown', '10 unavailable', '11 unknown']);
    expect(items[1]).toMatchObject({ position: 1, until: at(10 * MINUTE) });
    expect(items[2]).toMatchObject({ unknownSince: at(2 * MINUTE) });
    expect(items[3]).toMatchObject({ until: null });
  });
  test('has no gap where one signal follows the other before it runs out', async () => {
    for (let minute = 0; minute < 5; minute++) {
      await sampled('available', 2 * MINUTE);
      await clock.advance(MINUTE);
    }
    const { items } = await ask();
    expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(['signal']));
    expect(items.slice(1).every((entry) => entry.kind === 'signal' && entry.unknownSince === null)).toBe(true);
  });
  test('an answer that does not know is a gap, and ends in none of its own', async () => {
    await sampled('available', 5 * MINUTE);
    await clock.advance(MINUTE);
    await sampled('unknown', MINUTE);
    await clock.advance(9 * MINUTE);
    await sampled('available', MINUTE);
    const { items } = await ask();
    expect(lines(items)).toEqual(['0 available', '1 unknown', '10 available']);
    expect(items[2]).toMatchObject({ unknownSince: at(MINUTE) });
  });
  test('a window that begins within the lifetime of a signal begins knowing', async () => {
    await sampled('available', 5 * MINUTE);
    await clock.advance(3 * MINUTE);
    await write('fleet/alarms', alarm);
    await clock.advance(3 * MINUTE);
    const { items } = await ask({}, { fromMs: startMs + 2 * MINUTE });
    expect(lines(items)).toEqual(['5 unknown']);
  });
});

describe('a history of starts and prices', () => {
  test('tells what became of starts, by the offer they were made on', async () => {
    await write(stream.replica(REPLICA), start());
    await write('capacity/x', {
      type: 'davit.capacity.price-quoted',
      data: { placement: placement(), price: price('0.8') },
    });
    await clock.advance(MINUTE);
    await write(stream.replica(REPLICA), failed('capacity'), failed('transient'), failed('transient', true));
    await write('capacity/x', {
      type: 'davit.capacity.advice-failed',
      data: { placement: placement(), source: 'runpod', detail: 'timeout' },
    });
    const { items } = await ask();
    expect(lines(items)).toEqual(['0 placed', '0 price', '1 refused', '1 failed', '1 lost', '1 advice-failed']);
    expect(items[2]).toMatchObject({ class: 'capacity', detail: 'launch refused: none left', position: 3 });
  });
  test('where a replica of an older log became ready is where it was placed', async () => {
    await write(stream.replica(REPLICA), start(), {
      type: 'davit.replica.ready',
      data: { replicaId: REPLICA, url: 'http://a:1', servedModel: 'qwen' },
    });
    expect(lines((await ask()).items)).toEqual(['0 placed', '0 ready']);
  });
  test.each([
    [{ cloud: 'vast' }, ['vast']],
    [{ accelerator: 'l40s' }, ['runpod', 'vast', 'lambda']],
    [{ accelerator: 'L40S:2' }, ['lambda']],
    [{ region: 'EU' }, ['nebius']],
    [{ spot: true }, ['aws']],
  ])('of the offers with %j only', async (query, clouds) => {
    await sampled('available', MINUTE, placement());
    await sampled('available', MINUTE, placement('vast'));
    await sampled('available', MINUTE, placement('lambda', { accelerator: { name: 'L40S', count: 2 } }));
    await sampled('available', MINUTE, placement('nebius', { region: 'EU', accelerator: null }));
    await sampled('available', MINUTE, placement('aws', { spot: true, accelerator: null }));
    expect((await ask({ ...query })).items.map(({ offer }) => offer.split(':')[0])).toEqual(clouds);
  });
});

describe('a long log', () => {
  test('is read by page from where the window begins, and pages join without a gap', async () => {
    for (let hour = 0; hour < 30; hour++) {
      await sampled(hour % 2 === 0 ? 'available' : 'unavailable', 90 * MINUTE);
      for (let group = 0; group < 5; group++)
        await write('fleet/alarms', ...(Array.from({ length: 40 }, () => alarm) as [NewEvent]));
      await clock.advance(60 * MINUTE);
    }
    const window = { fromMs: startMs + 20 * 60 * MINUTE };
    const whole = await ask({}, window);
    expect(lines(whole.items)).toHaveLength(10);
    expect(whole.read.events).toBeLessThan(2_100);
    const joined: CapacityEntry[] = [];
    let after: number | null = null;
    do {
      reads = 0;
      const page = await ask({}, { ...window, after, limit: 3 });
      expect(page.items.length).toBeLessThanOrEqual(4);
      expect(reads).toBeLessThan(60);
      joined.push(...page.items);
      after = page.next;
    } while (after !== null);
    expect(lines(joined)).toEqual(lines(whole.items));
  });
  test('finds the first of the events of one moment, and the end where nothing is later', async () => {
    await write('fleet/alarms', alarm, alarm, alarm);
    await clock.advance(MINUTE);
    await write('fleet/alarms', alarm, alarm);
    expect(await placeOf(log, startMs, 5)).toEqual({ position: 1, ordered: true });
    expect(await placeOf(log, startMs + 1, 5)).toEqual({ position: 4, ordered: true });
    expect(await placeOf(log, startMs + MINUTE, 5)).toEqual({ position: 4, ordered: true });
    expect(await placeOf(log, startMs + MINUTE + 1, 5)).toEqual({ position: 6, ordered: true });
    expect(await placeOf(log, startMs, 0)).toEqual({ position: 1, ordered: true });
  });
  test('whose clock was set back says so', async () => {
    await write('fleet/alarms', alarm, alarm, alarm);
    const [first, ...rest] = await log.read(0, 10);
    if (!first) throw new Error('nothing written');
    const times = [5, 1, 9].map((minute) => at(minute * MINUTE));
    const set = [first, ...rest].map((event, index) => ({ ...event, time: times[index] ?? '' }));
    const back = {
      head: () => Promise.resolve(3),
      read: (after: number, limit: number) => Promise.resolve(set.slice(after, after + limit)),
    };
    const query = { wanted: () => true, fromMs: startMs, toMs: startMs + 60 * MINUTE, after: null, limit: 10 };
    const { notes } = await readHistory(back, query);
    expect(notes.join()).toContain('went back at position 2');
  });
});

describe('the offers', () => {
  const offers = async (query: OfferQuestion = {}) => {
    let record: OfferState | undefined;
    for (const event of await log.read(0, 1_000)) record = evolveOffer(record, event);
    return offersAnswer.parse(await readOffers(log, record ? [record] : [], offerFilter(query), clock.nowMs()));
  };
  test('are unknown once their signal has run out, which is shown with its age', async () => {
    await sampled('available', 2 * MINUTE);
    expect((await offers()).items[0]).toMatchObject({ offer: 'runpod:*:L40S:1', state: 'available' });
    await clock.advance(2 * MINUTE);
    expect((await offers()).items[0]).toMatchObject({
      state: 'unknown',
      signal: { state: 'available', ageMs: 2 * MINUTE, position: 1 },
    });
  });
  test('carry the last price of each kind and source, and say which are stale', async () => {
    const quote = (given: HourlyPrice) =>
      write('capacity/x', { type: 'davit.capacity.price-quoted', data: { placement: placement(), price: given } });
    await quote(price('0.80'));
    await quote(price('0.60', 'catalogue'));
    await clock.advance(60 * MINUTE);
    const { items } = await offers();
    expect(items[0]?.prices.map(({ price: { amount, kind }, stale }) => [kind, amount, stale])).toEqual([
      ['catalogue', '0.60', false],
      ['quoted', '0.80', true],
    ]);
    await quote(price('0.90'));
    expect((await offers()).items[0]?.prices[1]).toMatchObject({ price: { amount: '0.90' }, stale: false });
  });
  test('are judged by what became of starts on them', async () => {
    await write(stream.replica(REPLICA), start(), failed('capacity'));
    const [offer] = (await offers()).items;
    expect(offer?.confidence).toBeLessThan(0.5);
    expect(offer).toMatchObject({ state: 'unknown', signal: null, reliability: null, readyTime: null });
  });
});

describe('a window', () => {
  test('is the last day, so long ago, or between two instants', () => {
    const now = Date.UTC(2026, 0, 2);
    expect(windowOf({}, now)).toEqual({ fromMs: now - 24 * 60 * MINUTE, toMs: now });
    expect(windowOf({ from: '2h', to: '30m' }, now)).toEqual({ fromMs: now - 120 * MINUTE, toMs: now - 30 * MINUTE });
    expect(windowOf({ from: '2026-01-01T00:00:00Z' }, now).fromMs).toBe(Date.UTC(2026, 0, 1));
  });
  test.each([[{ from: 'yesterday' }], [{ from: '1h', to: '2h' }], [{ from: '9999d' }]])('%j is refused', (query) => {
    expect(() => windowOf(query, Date.UTC(2026, 0, 2))).toThrow(expect.objectContaining({ code: 'invalid-request' }));
  });
});
