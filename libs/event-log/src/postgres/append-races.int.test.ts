import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { eventually } from '@davit/test-support';
import { type Ids, systemIds } from '@davit/ports';
import fc from 'fast-check';
import { LogUnavailableError } from '../errors.js';
import type { AppendResult, Lease } from '../event-log.js';
import { type LogDatabase, emptyLog, logDatabase } from '../testing/database.js';
import { alarm, appendTo, context, write } from '../testing/fixtures.js';
import { Session } from '../testing/session.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { PostgresLeases } from './postgres-leases.js';

jest.setTimeout(30_000);

let database: LogDatabase;
const sessions: Session[] = [];
let log: PostgresEventLog;
let leases: PostgresLeases;
beforeAll(async () => {
  database = await logDatabase();
  log = new PostgresEventLog(database.dataSource);
  leases = new PostgresLeases(database.dataSource);
});
beforeEach(() => emptyLog(database.dataSource));
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
});
afterAll(() => database.dispose());

const query = async (sql: string, parameters: unknown[] = []): Promise<Record<string, unknown>[]> =>
  database.dataSource.query(sql, parameters);

test('a lease cannot change hands while an append under it is on its way', async () => {
  const [ann, bob] = await Promise.all([Session.open(database.url), Session.open(database.url)]);
  sessions.push(ann, bob);
  await ann.run('begin');
  const lease = await leases.acquire('l', 'ann', 1_000);
  if (!lease) throw new Error('not acquired');
  expect(await ann.append('fleet/a', 1, { ...context, lease })).toMatchObject({ outcome: 'appended' });
  await eventually(async () => !(await leases.holds(lease)));

  const taken = new PostgresLeases({ query: (sql, parameters) => bob.run(sql, parameters) }).acquire(
    'l',
    'bob',
    60_000,
  );
  await eventually(async () => {
    const rows = await query('select wait_event_type as type from pg_stat_activity where pid = $1', [bob.pid]);
    return rows[0]?.['type'] === 'Lock';
  });
  await ann.run('commit');
  expect(await taken).toMatchObject({ holder: 'bob', epoch: 2 });
  expect(await log.head()).toBe(1);
});

test('in the order of the log, epochs of a lease never go back, however its holders race', async () => {
  const holder = fc.record({ ttlMs: fc.integer({ min: 1, max: 30 }), appends: fc.integer({ min: 5, max: 25 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(holder, { minLength: 2, maxLength: 4 }), async (holders) => {
      await emptyLog(database.dataSource);
      await Promise.all(
        holders.map(async ({ ttlMs, appends }, index) => {
          const own = new PostgresEventLog(database.dataSource);
          let lease: Lease | undefined;
          for (let n = 0; n < appends; n++) {
            lease = (await leases.acquire('l', `holder-${index}`, ttlMs)) ?? lease;
            // Appends under a lease that may be lost by now; that is the point.
            if (lease) {
              const events = [alarm(String(lease.epoch))] as const;
              await own.append([{ stream: `fleet/${index}`, expectedVersion: 'any', events }], { ...context, lease });
            }
          }
        }),
      );
      // Whatever the machine was too slow for above, one append is in time: it must bear the highest epoch.
      const last = await eventually(() => leases.acquire('l', 'last', 60_000));
      const final = { stream: 'fleet/last', expectedVersion: 0, events: [alarm(String(last.epoch))] } as const;
      expect(await log.append([final], { ...context, lease: last })).toMatchObject({ outcome: 'appended' });
      const rows = await query(`select (data ->> 'detail')::int as epoch from log.events order by position`);
      const epochs = rows.map(({ epoch }) => Number(epoch));
      expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

describe('an append that requires a stream as it was read', () => {
  const requiring = { ...context, requires: [{ stream: 'fleet/read', version: 0 }] };

  const behindWriter = async (end: 'commit' | 'rollback') => {
    const [writer, reader] = await Promise.all([Session.open(database.url), Session.open(database.url)]);
    sessions.push(writer, reader);
    await writer.run('begin');
    await writer.append('fleet/read');
    const behind = reader.append('fleet/decided', 1, requiring);
    await eventually(async () => {
      const rows = await query('select wait_event_type as type from pg_stat_activity where pid = $1', [reader.pid]);
      return rows[0]?.['type'] === 'Lock';
    });
    await writer.run(end);
    return behind;
  };

  test('is refused when a writer of that stream was on its way and commits', async () => {
    expect(await behindWriter('commit')).toEqual({
      outcome: 'wrong-version',
      stream: 'fleet/read',
      expected: 0,
      actual: 1,
    });
    expect(await log.head()).toBe(1);
  });

  test('is written when a writer of that stream was on its way and gives up', async () => {
    expect(await behindWriter('rollback')).toMatchObject({ outcome: 'appended' });
    expect(await log.head()).toBe(1);
  });

  test('stands in the log behind just those events that it required, however writers and deciders race', async () => {
    const processes = await Promise.all(Array.from({ length: 3 }, () => database.connect(2)));
    const logs = processes.map((dataSource) => new PostgresEventLog(dataSource));
    const written = new Set<string>();
    await Promise.all(
      logs.flatMap((each, process) => [
        (async () => {
          for (let n = 0; n < 40; n++) await each.append([write('fleet/read', 'any')], context);
        })(),
        (async () => {
          for (let n = 0; n < 40; n++) {
            const version = (await each.readStream('fleet/read')).length;
            const events = [alarm(String(version))] as const;
            const decision = { stream: `fleet/decided-${process}`, expectedVersion: 'any', events } as const;
            const requires = [{ stream: 'fleet/read', version }];
            written.add((await each.append([decision], { ...context, requires })).outcome);
          }
        })(),
      ]),
    );
    expect([...written].toSorted()).toEqual(['appended', 'wrong-version']);
    let reached = 0;
    for (const event of await log.read(0, 1_000)) {
      if (event.stream === 'fleet/read') reached = event.version;
      else expect(event.data).toMatchObject({ detail: String(reached) });
    }
  });
});

test('of one command sent through many processes at once, one append writes and all answer the same', async () => {
  const processes = await Promise.all(Array.from({ length: 3 }, () => database.connect(2)));
  const logs = processes.map((dataSource) => new PostgresEventLog(dataSource));
  const keys = Array.from({ length: 20 }, (_, n) => `key-${n}`);
  const results = await Promise.all(
    keys.map((key) =>
      Promise.all(
        logs.map((each) =>
          each.append([write('fleet/a', 'any', 2)], { ...context, idempotency: { key, fingerprint: 'f' } }),
        ),
      ),
    ),
  );
  for (const answers of results) {
    expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['appended', 'duplicate', 'duplicate']);
    const [first, ...others] = answers.map((answer) => ('events' in answer ? answer.events : []));
    for (const other of others) expect(other).toEqual(first);
  }
  expect(await log.head()).toBe(40);
});

test('commands repeated until answered take effect once, though sessions are killed under them', async () => {
  const victim = await database.connect(4);
  const logs = Array.from({ length: 4 }, () => new PostgresEventLog(victim));
  let killed = 0;
  let unknown = 0;
  const done = new AbortController();
  const killer = (async () => {
    while (!done.signal.aborted) {
      const rows = await query(
        `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and state = 'active' and query like 'select answer from log.append%' and pid <> pg_backend_pid() limit 1`,
      );
      killed += rows.length;
      await query('select pg_sleep(0.003)');
    }
  })();
  const untilAnswered = async (each: PostgresEventLog, key: string): Promise<AppendResult> => {
    for (;;) {
      try {
        return await each.append([write('fleet/a', 'any')], { ...context, idempotency: { key, fingerprint: 'f' } });
      } catch (error) {
        expect(error).toBeInstanceOf(LogUnavailableError);
        unknown += 1;
      }
    }
  };
  await Promise.all(
    logs.map(async (each, index) => {
      for (let n = 0; n < 150; n++) await untilAnswered(each, `${index}-${n}`);
    }),
  );
  done.abort();
  await killer;
  expect(killed).toBeGreaterThan(0);
  expect(unknown).toBeGreaterThan(0);
  expect(await log.head()).toBe(600);
  expect(await query('select count(*)::int as n, max(position)::int as last from log.events')).toEqual([
    { n: 600, last: 600 },
  ]);
});

test('an append that the database refuses fails alone, and its group is written in order', async () => {
  const taken = systemIds.uuid();
  let calls = 0;
  const ids: Ids = { uuid: () => ([1, 3].includes(calls++) ? taken : systemIds.uuid()) };
  const clumsy = new PostgresEventLog(database.dataSource, { ids });
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, (_, n) => appendTo(clumsy, n % 2 === 0 ? 'fleet/even' : 'fleet/odd')),
  );
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect((await log.read(0, 10)).map(({ position, stream }) => [position, stream])).toEqual([
    [1, 'fleet/even'],
    [2, 'fleet/odd'],
    [3, 'fleet/even'],
    [4, 'fleet/even'],
    [5, 'fleet/odd'],
  ]);
});

test('when a commit took effect and its answer was lost, nothing is written again', async () => {
  const deaf = new PostgresEventLog({
    query: async (sql, parameters) => {
      await database.dataSource.query(sql, parameters);
      throw new Error('Connection terminated unexpectedly');
    },
  });
  const results = await Promise.allSettled(Array.from({ length: 3 }, () => appendTo(deaf, 'fleet/a')));
  for (const result of results) expect(result).toMatchObject({ reason: expect.any(LogUnavailableError) });
  expect(await log.head()).toBe(3);
});
