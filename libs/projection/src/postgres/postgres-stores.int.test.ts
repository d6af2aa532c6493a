import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDataSource } from '@davit/event-log';
import { createDatabase, type TestDatabase } from '@davit/test-support';
import type { DataSource } from 'typeorm';
import { projectionStoreConformance } from '../testing/store-conformance.js';
import { postgresProjectionStores } from './postgres-stores.js';

let database: TestDatabase;
let connection: DataSource;
let services = 0;

beforeAll(async () => {
  database = await createDatabase();
  connection = await createDataSource({ url: database.url, applicationName: 'projection-test' }).initialize();
});

afterAll(async () => {
  await connection.destroy();
  await database.drop();
});

const freshStores = () => postgresProjectionStores({ database: connection, service: `service-${++services}` });

projectionStoreConformance('PostgreSQL', () => Promise.resolve(freshStores()));

it('is prepared by many processes at once', async () => {
  const stores = freshStores();
  const rivals = Array.from({ length: 12 }, () => stores.store({ name: 'loads', version: 1 }));
  await Promise.all(rivals.map((store) => store.prepare()));
  expect(await rivals[0]?.position()).toBe(0);
});

it('commits without waiting for the disk, and leaves the connection as it was', async () => {
  const single = await createDataSource({
    url: database.url,
    applicationName: 'projection-test',
    poolSize: 1,
  }).initialize();
  try {
    const stores = postgresProjectionStores({ database: single, service: 'relaxed' });
    const store = stores.store({ name: 'loads', version: 1 });
    await store.prepare();
    await single.query(
      `CREATE FUNCTION note_mode() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN PERFORM set_config('davit.mode', current_setting('synchronous_commit'), false); RETURN NULL; END $$`,
    );
    await single.query(
      `CREATE CONSTRAINT TRIGGER mode AFTER UPDATE ON projection_relaxed.loads_v1
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_mode()`,
    );
    await single.query('SET synchronous_commit = on');
    expect(await store.commit(0, 1, [])).toBe(true);
    const [row] = await single.query<{ during: string; after: string }[]>(
      `SELECT current_setting('davit.mode') AS during, current_setting('synchronous_commit') AS after`,
    );
    expect(row).toEqual({ during: 'off', after: 'on' });
  } finally {
    await single.destroy();
  }
});

it('starts from nothing when the checkpoint alone was lost', async () => {
  const service = `service-${++services}`;
  const store = postgresProjectionStores({ database: connection, service }).store({ name: 'loads', version: 1 });
  await store.prepare();
  await store.commit(0, 1, [{ kind: 'replica', key: 'a', document: {}, groups: [], position: 1 }]);
  await connection.query(`DELETE FROM projection_service_${services}.loads_v1 WHERE kind = ''`);
  await expect(store.position()).rejects.toMatchObject({ code: 'projection-missing' });
  await store.prepare();
  expect(await store.position()).toBe(0);
  expect(await store.scan(undefined, 10)).toEqual([]);
});

it.each(['Upper', 'a b', 'x"; drop table t', 'under_score', 'a'.repeat(60)])(
  'refuses the name %s, which cannot name a table safely',
  (name) => {
    const stores = postgresProjectionStores({ database: connection, service: 'names' });
    expect(() => stores.store({ name, version: 1 })).toThrow(
      expect.objectContaining({ code: 'invalid-projection-name' }),
    );
  },
);
