import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { InvalidEventError, type NewEvent } from '@davit/contracts';
import { InvalidAppendError } from '../errors.js';
import type { AppendContext, EventLog, Leases } from '../event-log.js';
import { alarm, appendTo, context, write } from './fixtures.js';
import { requirements } from './requirements.js';

/** A log with nothing in it, and the leases that its appends are fenced by. */
export interface LogUnderTest {
  readonly log: EventLog;
  readonly leases: Leases;
  /** Lets `ms` pass on the clock of the leases. */
  readonly letPass: (ms: number) => Promise<void>;
}

export interface ConformanceSubject {
  empty(): Promise<LogUnderTest>;
  dispose?(): Promise<void>;
}

/** What every event log must do. Run against each implementation, so that simulation and production mean the same. */
export function eventLogConformance(name: string, subject: ConformanceSubject): void {
  describe(name, () => {
    let log: EventLog;
    let under: LogUnderTest;
    beforeEach(async () => {
      under = await subject.empty();
      log = under.log;
    });
    afterAll(() => subject.dispose?.());

    appending(() => log);
    expectations(() => log);
    requirements(() => log);
    idempotency(() => log);
    inbox(() => log);
    fencing(() => under);
  });
}

function appending(log: () => EventLog): void {
  test('an empty log has head 0 and nothing to read', async () => {
    expect(await log().head()).toBe(0);
    expect(await log().read(0, 10)).toEqual([]);
    expect(await log().readStream('fleet/a')).toEqual([]);
  });

  test('what an append returns is what every reader sees', async () => {
    const full: AppendContext = {
      ...context,
      actor: 'user:ann',
      causationId: 'cause',
      correlationId: 'correlation',
      basedOnPosition: 0,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    };
    const result = await log().append([write('fleet/a', 0, 2)], full);
    if (result.outcome !== 'appended') throw new Error(result.outcome);
    expect(await log().read(0, 10)).toEqual(result.events);
    expect(await log().readStream('fleet/a')).toEqual(result.events);
    expect(result.events[1]).toMatchObject({
      specversion: '1.0',
      source: '/davit/test',
      subject: 'a',
      stream: 'fleet/a',
      version: 2,
      position: 2,
      tenant: 'default',
      actor: 'user:ann',
      causationid: 'cause',
      correlationid: 'correlation',
      basedonposition: 0,
      dataschema: 'davit:fleet.alarm-raised:v1',
      data: { detail: 'fleet/a 2' },
    });
    expect(result.events[1]?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('one append writes several streams at consecutive positions', async () => {
    await appendTo(log(), 'fleet/b', 0, 2);
    await log().append([write('fleet/a', 0, 2), write('fleet/b', 2, 1), write('fleet/c', 'any', 1)], context);
    const places = (await log().read(2, 10)).map(({ position, stream, version }) => [position, stream, version]);
    expect(places).toEqual([
      [3, 'fleet/a', 1],
      [4, 'fleet/a', 2],
      [5, 'fleet/b', 3],
      [6, 'fleet/c', 1],
    ]);
    expect(await log().head()).toBe(6);
  });

  test('reads start after the given place and end at the limit', async () => {
    await appendTo(log(), 'fleet/a', 0, 5);
    expect((await log().read(1, 3)).map(({ position }) => position)).toEqual([2, 3, 4]);
    expect((await log().readStream('fleet/a', 3)).map(({ version }) => version)).toEqual([4, 5]);
    expect((await log().readStream('fleet/a', 1, { limit: 2 })).map(({ version }) => version)).toEqual([2, 3]);
  });

  test('a part of a stream leaves out the types that are not wanted, and counts only the others', async () => {
    const cleared = { type: 'davit.fleet.alarm-cleared', data: { alarm: 'a', about: 'b', detail: '' } } as const;
    await appendTo(log(), 'fleet/a', 0, 2);
    await log().append([{ stream: 'fleet/a', expectedVersion: 2, events: [cleared] }], context);
    await appendTo(log(), 'fleet/a', 3, 2);
    const part = await log().readStream('fleet/a', 0, { limit: 2, without: ['davit.fleet.alarm-raised'] });
    expect(part.map(({ version }) => version)).toEqual([3]);
    const others = await log().readStream('fleet/a', 1, { limit: 2, without: ['davit.fleet.alarm-cleared'] });
    expect(others.map(({ version }) => version)).toEqual([2, 4]);
  });

  test('text that databases find hard comes back unchanged', async () => {
    const detail = 'nul \0, half a pair \ud800, quote \' " \\u0000, ﷽ 🜲, \u2028';
    await log().append([{ stream: `fleet/Größe "x"/\\`, expectedVersion: 0, events: [alarm(detail)] }], context);
    expect((await log().read(0, 1))[0]).toMatchObject({ stream: 'fleet/Größe "x"/\\', data: { detail } });
  });

  test('an event that the catalogue does not allow is a fault, and its neighbours in time are written', async () => {
    // A cast, since the compiler refuses such an event.
    const wrong = { type: 'davit.fleet.alarm-raised', data: { alarm: 1 } } as unknown as NewEvent;
    const unknown = { type: 'davit.fleet.no-such-thing', data: {} } as unknown as NewEvent;
    const results = await Promise.allSettled([
      appendTo(log(), 'fleet/a'),
      log().append([{ stream: 'fleet/b', expectedVersion: 'any', events: [wrong] }], context),
      log().append([{ stream: 'fleet/b', expectedVersion: 'any', events: [unknown] }], context),
      appendTo(log(), 'fleet/a'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: expect.any(InvalidEventError) });
    expect(await log().head()).toBe(2);
  });

  test.each([
    ['no category', write('nothing', 0), context],
    ['a NUL in the name', write('fleet/a\0b', 0), context],
    ['half a surrogate pair', write('fleet/\ud800', 0), context],
    ['a name longer than an index holds', write(`fleet/${'x'.repeat(9_000)}`, 0), context],
    ['an actor with a NUL', write('fleet/a', 0), { ...context, actor: 'a\0' }],
    ['an empty tenant', write('fleet/a', 0), { ...context, tenant: '' }],
    ['a fractional version', write('fleet/a', 0.5), context],
    ['too large data', { ...write('fleet/a', 0), events: [alarm('x'.repeat(600_000))] as const }, context],
  ])('an append with %s is refused and writes nothing', async (_, bad, given) => {
    await expect(log().append([bad], given)).rejects.toBeInstanceOf(InvalidAppendError);
    expect(await log().head()).toBe(0);
  });

  test('two writes to one stream in one append are refused', async () => {
    const twice = log().append([write('fleet/a', 0), write('fleet/a', 1)], context);
    await expect(twice).rejects.toBeInstanceOf(InvalidAppendError);
  });
}

function expectations(log: () => EventLog): void {
  test('an append that expects another version writes nothing and names both versions', async () => {
    await appendTo(log(), 'fleet/a', 0, 3);
    expect(await appendTo(log(), 'fleet/a', 2)).toEqual({
      outcome: 'wrong-version',
      stream: 'fleet/a',
      expected: 2,
      actual: 3,
    });
    expect(await log().head()).toBe(3);
  });

  test('a conflict on one stream undoes the writes to the others', async () => {
    await appendTo(log(), 'fleet/a', 0);
    const result = await log().append([write('fleet/b', 0), write('fleet/a', 0)], context);
    expect(result).toMatchObject({ outcome: 'wrong-version', stream: 'fleet/a', expected: 0, actual: 1 });
    expect(await log().readStream('fleet/b')).toEqual([]);
    expect(await log().head()).toBe(1);
  });

  test('of many who expect the same version one wins, and those beside them are not disturbed', async () => {
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 3 === 0 ? appendTo(log(), 'fleet/contended', 0) : appendTo(log(), `fleet/own-${index}`, 0),
      ),
    );
    const outcomes = results.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'wrong-version')).toHaveLength(9);
    expect(await log().head()).toBe(21);
    expect((await log().read(0, 100)).map(({ position }) => position)).toEqual(
      Array.from({ length: 21 }, (_, i) => i + 1),
    );
  });

  test('appends of one caller keep their order', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, (_, version) => appendTo(log(), 'fleet/a', version)));
    expect(results.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 20 }, () => 'appended'));
  });
}

function idempotency(log: () => EventLog): void {
  const keyed = (key: string, fingerprint: string, tenant = 'default'): AppendContext => ({
    ...context,
    tenant,
    idempotency: { key, fingerprint },
  });

  test('the same key with the same fingerprint returns the first events and writes nothing', async () => {
    const first = await log().append([write('fleet/a', 0, 2)], keyed('k', 'f'));
    const again = await log().append([write('fleet/a', 0, 2)], keyed('k', 'f'));
    expect(first.outcome).toBe('appended');
    expect(again).toEqual({ ...first, outcome: 'duplicate' });
    expect(await log().head()).toBe(2);
  });

  test('the same key with another fingerprint is a conflict', async () => {
    await log().append([write('fleet/a', 0)], keyed('k', 'f'));
    const other = await log().append([write('fleet/a', 1)], keyed('k', 'g'));
    expect(other).toEqual({ outcome: 'idempotency-conflict', key: 'k' });
    expect(await log().head()).toBe(1);
  });

  test('of many appends at once with one key exactly one writes', async () => {
    const results = await Promise.all(
      Array.from({ length: 10 }, () => log().append([write('fleet/a', 'any')], keyed('k', 'f'))),
    );
    expect(results.filter(({ outcome }) => outcome === 'appended')).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(9);
    expect(await log().head()).toBe(1);
  });

  test('a refused append leaves its key free', async () => {
    await appendTo(log(), 'fleet/a', 0);
    expect(await log().append([write('fleet/a', 0)], keyed('k', 'f'))).toMatchObject({ outcome: 'wrong-version' });
    expect(await log().append([write('fleet/a', 1)], keyed('k', 'f'))).toMatchObject({ outcome: 'appended' });
  });

  test('keys of different tenants are different keys, and so are the ids of their events', async () => {
    await log().append([write('fleet/a', 0)], keyed('k', 'f', 'ours'));
    expect(await log().append([write('fleet/b', 0)], keyed('k', 'g', 'theirs'))).toMatchObject({ outcome: 'appended' });
    const ids = (await log().read(0, 2)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  test('the ids of events under a key depend on the key alone', async () => {
    const result = await log().append([write('fleet/a', 0)], keyed('launch:r1:1', 'f'));
    if (result.outcome !== 'appended') throw new Error(result.outcome);
    expect(result.events[0]?.id).toBe('0c040de1-9f2c-5e41-b2de-2f9a9577441d');
  });
}

function inbox(log: () => EventLog): void {
  const from = (consumer: string, messageId: string): AppendContext => ({ ...context, inbox: { consumer, messageId } });

  test('a message is handled once per consumer', async () => {
    await log().append([write('fleet/a', 'any')], from('c1', 'm'));
    expect(await log().append([write('fleet/a', 'any')], from('c1', 'm'))).toEqual({ outcome: 'already-handled' });
    expect(await log().append([write('fleet/a', 'any')], from('c2', 'm'))).toMatchObject({ outcome: 'appended' });
    expect(await log().head()).toBe(2);
  });

  test('a message whose append was refused counts as unhandled', async () => {
    await appendTo(log(), 'fleet/a', 0);
    await log().append([write('fleet/a', 0)], from('c', 'm'));
    expect(await log().append([write('fleet/a', 1)], from('c', 'm'))).toMatchObject({ outcome: 'appended' });
  });
}

function fencing(under: () => LogUnderTest): void {
  const TTL_MS = 1_000;
  const fenced = (lease: { name: string; epoch: number }) =>
    under().log.append([write('fleet/a', 'any')], { ...context, lease });

  test('a lease has one holder at a time, who can renew it under the same epoch', async () => {
    const { leases } = under();
    const lease = await leases.acquire('l', 'ann', 60_000);
    expect(lease).toMatchObject({ name: 'l', holder: 'ann', epoch: 1 });
    expect(await leases.acquire('l', 'bob', 60_000)).toBeUndefined();
    const { storeMs = 0, ...named } = lease ?? {};
    const renewed = await leases.acquire('l', 'ann', 60_000);
    expect(renewed).toMatchObject({ ...named });
    expect(renewed?.storeMs).toBeGreaterThanOrEqual(storeMs);
    expect(await leases.acquire('other', 'bob', 60_000)).toMatchObject({ epoch: 1 });
  });

  test('an expired lease goes to the next who asks, under a higher epoch', async () => {
    const { leases, letPass } = under();
    const old = await leases.acquire('l', 'ann', TTL_MS);
    if (!old) throw new Error('not acquired');
    await letPass(TTL_MS);
    expect(await leases.holds(old)).toBe(false);
    const lease = await leases.acquire('l', 'bob', 60_000);
    expect(lease).toMatchObject({ name: 'l', holder: 'bob', epoch: 2 });
    expect(await leases.holds(old)).toBe(false);
    expect(lease && (await leases.holds(lease))).toBe(true);
  });

  test('a holder that comes back to its own lapsed lease gets a new epoch', async () => {
    const { leases, letPass } = under();
    await leases.acquire('l', 'ann', TTL_MS);
    await letPass(TTL_MS);
    expect(await leases.acquire('l', 'ann', 60_000)).toMatchObject({ epoch: 2 });
  });

  test('a released lease is free at once, and only its present epoch can release it', async () => {
    const { leases } = under();
    const first = await leases.acquire('l', 'ann', 60_000);
    if (!first) throw new Error('not acquired');
    await leases.release(first);
    expect(await leases.acquire('l', 'bob', 60_000)).toMatchObject({ epoch: 2 });
    await leases.release(first);
    await leases.release({ ...first, epoch: 2 });
    expect(await leases.acquire('l', 'ann', 60_000)).toBeUndefined();
  });

  test('of many who ask at once one gets the lease', async () => {
    const { leases } = under();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => leases.acquire('l', `h${n}`, 60_000)));
    expect(answers.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  test('the log takes appends of the present epoch only (law 7)', async () => {
    const { leases, log, letPass } = under();
    const old = await leases.acquire('l', 'ann', TTL_MS);
    if (!old) throw new Error('not acquired');
    expect(await fenced(old)).toMatchObject({ outcome: 'appended' });
    await letPass(TTL_MS);
    expect(await fenced(old)).toEqual({ outcome: 'fenced', lease: 'l', epoch: 1 });
    const lease = await leases.acquire('l', 'bob', 60_000);
    if (!lease) throw new Error('not acquired');
    expect(await fenced(old)).toMatchObject({ outcome: 'fenced' });
    expect(await fenced(lease)).toMatchObject({ outcome: 'appended' });
    expect(await fenced({ name: 'never-acquired', epoch: 1 })).toMatchObject({ outcome: 'fenced' });
    expect(await log.head()).toBe(2);
  });

  test('a fenced append does not fail those beside it', async () => {
    const results = await Promise.all([
      appendTo(under().log, 'fleet/a', 0),
      fenced({ name: 'l', epoch: 7 }),
      appendTo(under().log, 'fleet/a', 1),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['appended', 'fenced', 'appended']);
  });
}
