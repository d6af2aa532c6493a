import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'nats';
import pg from 'pg';
import { createDatabase, eventually, startNats, type NatsBroker } from './index.js';

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('databases', () => {
  test('each one is separate, and gone after drop even with a connection open', async () => {
    const [first, second] = await Promise.all([createDatabase(), createDatabase()]);
    await query(first.url, 'CREATE TABLE t (a int)');
    await expect(query(second.url, 'SELECT * FROM t')).rejects.toThrow(/does not exist/);
    const lingering = new pg.Client({ connectionString: first.url });
    lingering.on('error', () => undefined);
    await lingering.connect();
    await first.drop();
    await second.drop();
    await expect(query(first.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });

  test('one whose log holds what is not published is told at its drop, unless that was the purpose', async () => {
    const log = `CREATE SCHEMA log; CREATE TABLE log.events AS SELECT 1::bigint AS position, 'future/thing' AS stream,
      1 AS version, gen_random_uuid() AS id, 'davit.future.thing' AS type, '/davit/future' AS source, now() AS time,
      'davit:future' AS dataschema, 'default' AS tenant, null::text AS causationid, null::text AS correlationid,
      null::text AS actor, null::bigint AS basedonposition, null::text AS traceparent, '{}'::jsonb AS data`;
    const [careless, deliberate] = [
      await createDatabase(),
      await createDatabase({ oddEvents: 'to see it passed over' }),
    ];
    for (const { url } of [careless, deliberate]) await query(url, log);
    await deliberate.drop();
    await expect(careless.drop()).rejects.toThrow(/davit\.future\.thing at position 1: .* is not published/);
    await expect(query(careless.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });

  test('a template is prepared once however many ask for it at once', async () => {
    let prepared = 0;
    const template = {
      name: `support_${process.pid}`,
      prepare: async (url: string): Promise<void> => {
        prepared += 1;
        await query(url, 'CREATE TABLE seeded AS SELECT 7 AS a');
      },
    };
    const databases = await Promise.all([1, 2, 3, 4].map(() => createDatabase({ template })));
    for (const database of databases) {
      expect(await query(database.url, 'SELECT a FROM seeded')).toEqual([{ a: 7 }]);
      await database.drop();
    }
    expect(prepared).toBe(1);
  });
});

describe('a private broker', () => {
  let broker: NatsBroker;
  beforeAll(async () => (broker = await startNats()));
  afterAll(() => broker.dispose());

  const messages = async (): Promise<number | undefined> => {
    const connection = await connect({ servers: broker.url });
    try {
      const manager = await connection.jetstreamManager();
      return (await manager.streams.info('S')).state.messages;
    } catch {
      return undefined;
    } finally {
      await connection.close();
    }
  };
  const publish = async (): Promise<void> => {
    const connection = await connect({ servers: broker.url });
    await (await connection.jetstreamManager()).streams.add({ name: 'S', subjects: ['s'] });
    await connection.jetstream().publish('s');
    await connection.close();
  };

  test('keeps its store over kill -9 and restart, and can be rolled back and wiped', async () => {
    await publish();
    await broker.stop();
    const copy = await broker.copyStore();
    await broker.restart();
    await publish();
    await broker.kill9();
    await broker.restart();
    expect(await eventually(messages)).toBe(2);
    await broker.restoreStore(copy);
    expect(await eventually(messages)).toBe(1);
    await broker.wipe();
    expect(await messages()).toBeUndefined();
  });
});
