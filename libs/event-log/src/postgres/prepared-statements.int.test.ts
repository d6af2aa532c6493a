import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase } from '@davit/test-support';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.js';
import { migrate } from './migrate.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { PostgresLeases } from './postgres-leases.js';
import { preparedStatements } from './prepared-statements.js';

describe('statements prepared once on each connection', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await createDataSource({ url: database.url, applicationName: 'prepared', poolSize: 2 }).initialize();
    await migrate(dataSource);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('are planned once, however often they run', async () => {
    const single = await createDataSource({ url: database.url, applicationName: 'single', poolSize: 1 }).initialize();
    try {
      const statements = preparedStatements(single);
      for (const value of [1, 2, 3]) {
        expect(await statements.query('select $1::int + 1 as next', [value])).toEqual([{ next: value + 1 }]);
      }
      const known: unknown = await single.query(
        `select count(*)::int as n from pg_prepared_statements where statement like '%as next%'`,
      );
      expect(known).toEqual([{ n: 1 }]);
    } finally {
      await single.destroy();
    }
  });

  it('carry the log and the leases as plain ones do', async () => {
    const log = new PostgresEventLog(preparedStatements(dataSource));
    const leases = new PostgresLeases(preparedStatements(dataSource));
    const lease = await leases.acquire('prepared', 'a', 10_000);
    expect(lease).toMatchObject({ epoch: 1 });
    expect(await leases.acquire('prepared', 'b', 10_000)).toBeUndefined();
    const raised = {
      type: 'davit.fleet.alarm-raised',
      data: { alarm: 'x', severity: 'warning', about: 'y', detail: '' },
    } as const;
    const write = { stream: 'fleet/alarms', expectedVersion: 0, events: [raised] } as const;
    const context = { tenant: 'default', service: 'test', lease: { name: 'prepared', epoch: 1 } };
    expect(await log.append([write], context)).toMatchObject({ outcome: 'appended' });
    expect(await log.append([write], context)).toMatchObject({ outcome: 'wrong-version', actual: 1 });
    expect(await log.append([write], { ...context, lease: { name: 'prepared', epoch: 2 } })).toMatchObject({
      outcome: 'fenced',
    });
    if (lease) await leases.release(lease);
    expect(await leases.acquire('prepared', 'b', 10_000)).toMatchObject({ epoch: 2 });
  });

  it('tell the fate of a refused statement by the SQLSTATE of the server', async () => {
    const refused = preparedStatements(dataSource).query('select 1 / $1::int', [0]);
    await expect(refused).rejects.toMatchObject({ code: '22012', severity: 'ERROR' });
  });
});
