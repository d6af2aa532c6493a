import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { NewEvent } from '@davit/contracts';
import { PostgresEventLog, createDataSource, migrate } from '@davit/event-log';
import { silentLogger, systemClock } from '@davit/ports';
import { type TestDatabase, createDatabase, eventually } from '@davit/test-support';
import type { DataSource } from 'typeorm';
import { type ProjectionRunner, createProjectionRunner } from '../runner.js';
import type { ProjectionStores } from '../stores.js';
import { ScriptedFeed } from '../testing/array-log.js';
import { contentOf, plainFold } from '../testing/plain-fold.js';
import { sampleProjection } from '../testing/sample-projection.js';
import { createVersionedProjection } from '../versioned-projection.js';
import { postgresProjectionStores } from './postgres-stores.js';

jest.setTimeout(60_000);

const definition = sampleProjection();
const SCHEMA = 'projection_sample_service';

async function connectTo(url: string): Promise<DataSource> {
  return await createDataSource({ url, applicationName: 'projection-test', poolSize: 4 }).initialize();
}

async function prepareTemplate(url: string): Promise<void> {
  const connection = await connectTo(url);
  await migrate(connection);
  await connection.destroy();
}

describe('projections in PostgreSQL', () => {
  let database: TestDatabase;
  let connection: DataSource;
  let log: PostgresEventLog;
  let stores: ProjectionStores;
  let running: { stop(): Promise<void> }[] = [];
  const connections: DataSource[] = [];

  beforeEach(async () => {
    database = await createDatabase({ template: { name: 'projection_log', prepare: prepareTemplate } });
    connection = await connectTo(database.url);
    log = new PostgresEventLog(connection);
    stores = postgresProjectionStores({ database: connection, service: 'sample-service' });
  });
  afterEach(async () => {
    await Promise.all(running.map((one) => one.stop()));
    running = [];
    await Promise.all([connection, ...connections.splice(0)].map((one) => one.destroy()));
    await database.drop();
  });

  const append = async (count: number, feed?: ScriptedFeed): Promise<void> => {
    for (let done = 0; done < count; done += 100) {
      const events = Array.from({ length: Math.min(100, count - done) }, (_, index): NewEvent => ({
        type: 'davit.runtime.load-summarised',
        data: {
          replicaId: `acme/chat-1-${(done + index) % 37}-1`,
          running: 1 + (index % 5),
          waiting: null,
          kvCacheUsage: null,
        },
      }));
      const [first, ...rest] = events;
      if (!first) return;
      const result = await log.append(
        [{ stream: `runtime/acme/chat-1-${done % 5}-1`, expectedVersion: 'any', events: [first, ...rest] }],
        { tenant: 'acme', service: 'runtime-prober' },
      );
      if (result.outcome === 'appended') void feed?.deliver(result.events);
    }
  };

  /** A runner as another process would have it: with connections of its own. */
  const runner = async (feed: ScriptedFeed): Promise<ProjectionRunner> => {
    const own = await connectTo(database.url);
    connections.push(own);
    const parts = { log: new PostgresEventLog(own), feed, clock: systemClock, logger: silentLogger };
    const store = postgresProjectionStores({ database: own, service: 'sample-service' }).store(definition);
    const created = createProjectionRunner({ definition, store, ...parts });
    running.push(created);
    created.start();
    return created;
  };

  const expectWhole = async (): Promise<void> => {
    const head = await log.head();
    const store = stores.store(definition);
    expect(await store.position()).toBe(head);
    expect(await contentOf(store)).toEqual(plainFold(definition, await log.read(0, head)));
  };

  it('are built once by any number of rival instances, while events keep coming', async () => {
    await append(3_000);
    const feeds = [new ScriptedFeed(), new ScriptedFeed(), new ScriptedFeed()];
    const runners = await Promise.all(feeds.map((feed) => runner(feed)));
    for (let round = 0; round < 20; round++) await append(100, feeds[round % 3]);
    const head = await log.head();
    await Promise.all(runners.map((one) => one.untilCaughtUp(head)));
    await expectWhole();
  });

  it('lose and double nothing when connections are killed in the middle of batches', async () => {
    await append(6_000);
    const rivals = await Promise.all([runner(new ScriptedFeed()), runner(new ScriptedFeed())]);
    for (let kill = 0; kill < 10; kill++) {
      await connection.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%loads_v1%'`,
      );
      await append(100);
    }
    const head = await log.head();
    await Promise.all(rivals.map((one) => one.untilCaughtUp(head)));
    await expectWhole();
  });

  it.each([
    ['dropped', `DROP SCHEMA ${SCHEMA} CASCADE`],
    ['emptied', `TRUNCATE ${SCHEMA}.loads_v1`],
  ])('are rebuilt by themselves when their tables are %s under a running service', async (_how, sql) => {
    await append(1_500);
    const subject = await runner(new ScriptedFeed());
    await subject.untilCaughtUp(1_500);
    const before = await contentOf(stores.store(definition));
    await connection.query(sql);
    await eventually(async () => (await contentOf(stores.store(definition))).length === before.length);
    await eventually(() => subject.status().state === 'live');
    expect(await contentOf(stores.store(definition))).toEqual(before);
  });

  it('move readers to a new version under writes, and never show them less than before', async () => {
    await append(2_000);
    const feed = new ScriptedFeed();
    const parts = { stores, log, feed, clock: systemClock, logger: silentLogger };
    const first = createVersionedProjection({ definition, ...parts });
    running.push(first);
    first.start();
    await first.untilCaughtUp(2_000);
    const second = createVersionedProjection({ definition: sampleProjection(2), ...parts, retireAfterMs: 200 });
    running.push(second);
    second.start();
    let seen = 0;
    const versions = new Set<unknown>();
    while (!versions.has(2)) {
      await append(50, feed);
      const document = (await (await second.resolveActive()).get('tenant', 'acme'))?.document;
      const sum = Number(document?.['running']);
      versions.add(document?.['version']);
      // The new version may lag by as many events as the flip allows.
      expect(sum).toBeGreaterThanOrEqual(seen - 100 * 5);
      seen = sum;
    }
    expect(versions).toEqual(new Set([1, 2]));
    await first.stop();
    await append(50, feed);
    await eventually(async () => (await stores.versions('loads')).join() === '2');
    expect(await second.audit()).toMatchObject({ equal: true });
  });

  it('are audited beside the live tables, and a document changed by hand is named with its position', async () => {
    await append(2_500);
    const feed = new ScriptedFeed();
    const live = createVersionedProjection({ definition, stores, log, feed, clock: systemClock, logger: silentLogger });
    running.push(live);
    live.start();
    await live.untilCaughtUp(2_500);
    expect(await live.audit()).toMatchObject({ equal: true, compared: 38, position: 2_500 });
    await connection.query(
      `UPDATE ${SCHEMA}.loads_v1 SET document = jsonb_set(document, '{running}', '77') WHERE key = 'acme/chat-1-5-1'`,
    );
    const { position } = (await live.model.get('replica', 'acme/chat-1-5-1')) ?? { position: 0 };
    expect(await live.audit()).toMatchObject({
      equal: false,
      differing: 1,
      firstDifference: { kind: 'replica', key: 'acme/chat-1-5-1', position, live: { running: 77 } },
    });
    const tables = await connection.query<{ tablename: string }[]>(
      'SELECT tablename FROM pg_tables WHERE schemaname = $1',
      [SCHEMA],
    );
    expect(tables.map((row) => row.tablename).sort()).toEqual(['active', 'loads_v1']);
  });
});
