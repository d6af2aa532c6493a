import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemIds } from '@davit/ports';
import { createDatabase } from '@davit/test-support';
import { DataSource } from 'typeorm';
import { prepareAppend } from '../append/prepare.js';
import { type LogDatabase, logDatabase } from '../testing/database.js';
import { appendTo, context, write } from '../testing/fixtures.js';
import { appendGroup } from './append.js';
import { dataSourceOptions } from './data-source.js';
import { migrate } from './migrate.js';
import { Log0001Foundation1764374400000 } from './migrations/0001/migration.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { preparedStatements } from './prepared-statements.js';
import type { Queryable } from './queryable.js';

let database: LogDatabase;
beforeAll(async () => {
  database = await logDatabase();
});
afterAll(() => database.dispose());

/** The statement of the release before, which knows the first version of the append only. */
const asBefore = (now: Queryable): Queryable => ({
  query: (sql, parameters) => now.query(sql.replace('append_v2', 'append_v1'), parameters),
});

test('processes of the release before and of this one append to one log at once, in one order', async () => {
  const now = new PostgresEventLog(database.dataSource);
  const before = new PostgresEventLog(asBefore(await database.connect(2)));
  const results = await Promise.all(
    Array.from({ length: 200 }, (_, n) => appendTo(n % 2 === 0 ? now : before, `fleet/${n % 3}`)),
  );
  expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => 'appended'));
  const events = await now.read(0, 1_000);
  expect(events.map(({ position }) => position)).toEqual(results.map((_, index) => index + 1));
  expect(await before.read(0, 1_000)).toEqual(events);
});

test('a log of the release before is brought up to this one, with what it holds', async () => {
  const older = await createDatabase();
  const options = dataSourceOptions({ url: older.url, applicationName: 'older' });
  const before = await new DataSource({ ...options, migrations: [Log0001Foundation1764374400000] }).initialize();
  await migrate(before);
  expect(await appendTo(new PostgresEventLog(asBefore(preparedStatements(before))), 'fleet/a', 0)).toMatchObject({
    outcome: 'appended',
  });
  const now = await new DataSource(options).initialize();
  await migrate(now);
  await migrate(before);
  expect(await appendTo(new PostgresEventLog(now), 'fleet/a', 1)).toMatchObject({ outcome: 'appended' });
  expect(await appendTo(new PostgresEventLog(asBefore(preparedStatements(before))), 'fleet/a', 2)).toMatchObject({
    outcome: 'appended',
  });
  await Promise.all([before.destroy(), now.destroy()]);
  await older.drop();
});

test('what a process of the release before wrote counts for what this one requires', async () => {
  const statements: string[] = [];
  const first = asBefore({
    query: (sql, parameters) => {
      statements.push(sql);
      return database.dataSource.query(sql, parameters);
    },
  });
  await appendGroup(first, [prepareAppend([write('fleet/read', 0)], context, systemIds)]);
  expect(statements).toEqual([expect.stringContaining('log.append_v1(')]);
  const now = new PostgresEventLog(database.dataSource);
  const requiring = (version: number) => ({ ...context, requires: [{ stream: 'fleet/read', version }] });
  expect(await now.append([write('fleet/a', 0)], requiring(0))).toMatchObject({ outcome: 'wrong-version', actual: 1 });
  expect(await now.append([write('fleet/a', 0)], requiring(1))).toMatchObject({ outcome: 'appended' });
});
