import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventually } from '@davit/test-support';
import type { DataSource } from 'typeorm';
import { LogUnavailableError } from '../errors.js';
import { type LogDatabase, logDatabase } from '../testing/database.js';
import { appendTo } from '../testing/fixtures.js';
import { Session } from '../testing/session.js';
import { type SwallowingProxy, swallowingProxy } from '../testing/swallowing-proxy.js';
import { createDataSource } from './data-source.js';
import { NoAnswerError } from './bounded-socket.js';
import { migrate } from './migrate.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { PostgresLeases } from './postgres-leases.js';
import { preparedStatements } from './prepared-statements.js';

jest.setTimeout(60_000);

const ANSWER_MS = 1_000;
const POOL = 3;
/** An append may stand behind one group that is given up, and for a connection behind another. */
const BOUND_MS = 3 * ANSWER_MS + 2_000;

let database: LogDatabase;
let proxy: SwallowingProxy;
let dataSource: DataSource;
let log: PostgresEventLog;
let leases: PostgresLeases;
beforeAll(async () => {
  database = await logDatabase();
  proxy = await swallowingProxy(database.url);
  dataSource = await createDataSource({
    url: proxy.through(database.url),
    applicationName: 'behind-proxy',
    poolSize: POOL,
    answerTimeoutMs: ANSWER_MS,
  }).initialize();
  await migrate(dataSource);
  log = new PostgresEventLog(preparedStatements(dataSource));
  leases = new PostgresLeases(preparedStatements(dataSource));
});
afterAll(async () => {
  await dataSource.destroy();
  await proxy.close();
  await database.dispose();
});

const fillPool = () => Promise.all(Array.from({ length: POOL }, () => dataSource.query('select pg_sleep(0.05)')));
const within = async (work: Promise<unknown>): Promise<unknown> => {
  const startedMs = performance.now();
  const outcome = await work.catch((error: unknown) => error);
  expect(performance.now() - startedMs).toBeLessThan(BOUND_MS);
  return outcome;
};

describe('when packets to the database vanish', () => {
  test('appends fail as unavailable within the bound, and all goes on once packets pass again', async () => {
    expect(await appendTo(log, 'fleet/a', 0)).toMatchObject({ outcome: 'appended' });
    await fillPool();
    proxy.swallow();
    const faults = await Promise.all(Array.from({ length: 5 }, () => within(appendTo(log, 'fleet/a'))));
    for (const fault of faults) expect(fault).toBeInstanceOf(LogUnavailableError);
    proxy.pass();
    const result = await eventually(() => appendTo(log, 'fleet/a', 1).catch(() => undefined), { timeoutMs: 20_000 });
    expect(result).toMatchObject({ outcome: 'appended' });
    expect(await within(leases.acquire('l', 'ann', 10_000))).toMatchObject({ epoch: 1 });
    expect(await within(log.read(0, 10))).toHaveLength(2);
  });

  test('no statement of any kind stays in the pool with the connection that it was lost on', async () => {
    await fillPool();
    proxy.swallow();
    const faults = await Promise.all([
      within(log.head()),
      within(leases.acquire('l', 'bob', 10_000)),
      within(dataSource.query('select 1')),
      within(dataSource.transaction((manager) => manager.query('select 1'))),
      ...Array.from({ length: 2 * POOL }, () => within(dataSource.query('select 1'))),
    ]);
    for (const fault of faults) expect(fault).toBeInstanceOf(Error);
    expect(faults.some((fault) => fault instanceof NoAnswerError)).toBe(true);
    proxy.pass();
    // Each connection of the pool works, none waits behind a statement of the past.
    await eventually(
      async () => {
        await fillPool();
        return true;
      },
      { timeoutMs: 20_000 },
    );
    expect(await within(dataSource.transaction((manager) => manager.query('select 1 as one')))).toEqual([{ one: 1 }]);
  });
});

test('an append behind somebody’s session that hangs inside a transaction is refused while its caller still listens', async () => {
  const hanging = await Session.open(database.url);
  const before = await log.head();
  await hanging.run('begin');
  await hanging.append('fleet/hanging');
  const startedMs = performance.now();
  await expect(appendTo(log, 'fleet/behind')).rejects.toMatchObject({ code: 'log-unavailable' });
  expect(performance.now() - startedMs).toBeLessThan(BOUND_MS);
  await hanging.run('rollback');
  await hanging.close();
  expect(await log.head()).toBe(before);
  expect(await appendTo(log, 'fleet/behind', 0)).toMatchObject({ outcome: 'appended' });
});

test('a service’s own session that hangs inside a transaction is ended by the database before others give up', async () => {
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query('update log.head set position = position');
  expect(await within(appendTo(log, 'fleet/patient'))).toMatchObject({ outcome: 'appended' });
  await runner.release().catch(() => undefined);
});
