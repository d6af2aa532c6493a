import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createDatabase, eventually } from '@davit/test-support';
import type { DataSource } from 'typeorm';
import { eventLogConformance } from '../testing/conformance.js';
import { type LogDatabase, emptyLog, logDatabase } from '../testing/database.js';
import { appendTo } from '../testing/fixtures.js';
import { createDataSource } from './data-source.js';
import { migrate } from './migrate.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { PostgresLeases } from './postgres-leases.js';

jest.setTimeout(30_000);

let database: LogDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await logDatabase();
  dataSource = database.dataSource;
});
afterAll(() => database.dispose());

eventLogConformance('the event log in PostgreSQL', {
  empty: async () => {
    await emptyLog(dataSource);
    return {
      log: new PostgresEventLog(dataSource),
      leases: new PostgresLeases(dataSource),
      letPass: async (ms) => {
        const clock = async (): Promise<number> => {
          const rows: { ms: string }[] = await dataSource.query(
            'select extract(epoch from clock_timestamp()) * 1000 as ms',
          );
          return Number(rows[0]?.ms);
        };
        const until = (await clock()) + ms;
        await eventually(async () => (await clock()) > until);
      },
    };
  },
});

describe('migrations', () => {
  test('processes that start together on an empty database, with one connection each, all end with the same schema', async () => {
    const fresh = await createDatabase();
    const processes = await Promise.all(
      Array.from({ length: 4 }, () =>
        createDataSource({ url: fresh.url, applicationName: 'test', poolSize: 1 }).initialize(),
      ),
    );
    await Promise.all(processes.map(migrate));
    await Promise.all(processes.map(migrate));
    const results = await Promise.all(
      processes.map((each, n) => appendTo(new PostgresEventLog(each), `fleet/${n}`, 0)),
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 4 }, () => 'appended'));
    await Promise.all(processes.map((each) => each.destroy()));
    await fresh.drop();
  });
});

describe('the poke', () => {
  test('comes once for each commit that added events, and not for refused appends', async () => {
    await emptyLog(dataSource);
    let pokes = 0;
    const log = new PostgresEventLog(dataSource, { poke: () => pokes++ });
    await Promise.all([appendTo(log, 'fleet/a', 0), appendTo(log, 'fleet/a', 1)]);
    expect(pokes).toBe(1);
    await appendTo(log, 'fleet/a', 0);
    expect(pokes).toBe(1);
  });
});
