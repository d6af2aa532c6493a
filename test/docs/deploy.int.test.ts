import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Bus, connectBus, ensureStreams } from '@davit/bus';
import { ROUTES_BUCKET, routeCacheKey } from '@davit/contracts';
import { silentLogger } from '@davit/ports';
import { listRoutes } from '@davit/subscriber';
import { type NatsBroker, createDatabase, startNats } from '@davit/test-support';
import { AckPolicy, DeliverPolicy, Events, type NatsConnection, connect } from 'nats';
import pg from 'pg';
import { natsAccounts, passwordsIn } from '../../scripts/lib/nats-accounts.mjs';
import { passwordOf, withPasswords } from './nats-passwords.js';
import { deployFolder } from './deployment-files.js';

const settings = readFileSync(path.join(deployFolder, 'nats', 'accounts.conf'), 'utf8');
const passwords = Object.fromEntries(passwordsIn(settings).map((name) => [name, passwordOf(name)]));

test('the accounts are those that `npm run nats:accounts` writes', () => {
  expect(settings).toBe(natsAccounts([]));
});

const binary = process.env['NATS_SERVER_BIN'] ?? 'nats-server';
/** Before 2.10 the server knows no `sync_interval: always`, and refuses the file as its comment says. */
const isOld = / v2\.[0-9]\./.test(spawnSync(binary, ['-v'], { encoding: 'utf8' }).stdout);

test(`the NATS server ${isOld ? 'is too old for' : 'takes'} the settings as they stand`, () => {
  const store = mkdtempSync(path.join(process.env['DAVIT_TEST_SCRATCH'] ?? tmpdir(), 'davit-conf-'));
  const { status, stderr } = spawnSync(binary, ['-c', path.join(deployFolder, 'nats', 'nats.conf'), '-t'], {
    encoding: 'utf8',
    env: { ...process.env, ...passwords, NATS_SERVER_NAME: 'davit', NATS_STORE_DIR: store },
  });
  rmSync(store, { recursive: true });
  expect({ status, stderr }).toMatchObject({ status: isOld ? 1 : 0 });
});

describe('the permissions of nats.conf', () => {
  let broker: NatsBroker;
  let bus: Bus;
  const opened: NatsConnection[] = [];

  beforeAll(async () => {
    // The test's broker has its own address, store and sync; accounts and permissions are those of the file.
    broker = await startNats({ extraConfig: withPasswords(settings) });
    const url = broker.url.replace('//', `//spec-api:p-spec-api@`);
    bus = await connectBus({ url, name: 'test', logger: silentLogger });
    await ensureStreams(bus);
    const manager = await bus.connection.jetstreamManager();
    await manager.streams.add({ name: 'LOG', subjects: ['davit.log.>'] });
    for (const n of [1, 2, 3]) await bus.connection.jetstream().publish('davit.log.route.registered', `${n}`);
  });
  afterAll(async () => {
    await bus.close();
    await Promise.all(opened.map((connection) => connection.close()));
    await broker.dispose();
  });

  const as = async (user: string, pass: string): Promise<NatsConnection> => {
    const connection = await connect({ servers: broker.url, user, pass });
    opened.push(connection);
    return connection;
  };
  const publisher = (): Promise<NatsConnection> => as('publisher', 'p-publisher');
  const reader = (): Promise<NatsConnection> => as('reader', 'p-reader');

  /** Subjects of what the server refused, once it has seen everything sent. */
  async function refusals(connection: NatsConnection, act: () => void): Promise<string[]> {
    const found: string[] = [];
    void (async () => {
      for await (const { type, permissionContext } of connection.status()) {
        if (type === Events.Error && permissionContext) found.push(permissionContext.subject);
      }
    })();
    act();
    // Refusals come before the answer to the flush; the iterator hands them on a turn later.
    await connection.flush();
    await setImmediate();
    return found;
  }

  const lastSequence = async (stream: string): Promise<number> => {
    const manager = await bus.connection.jetstreamManager();
    return (await manager.streams.info(stream)).state.last_seq;
  };

  test('let nobody in without a password', async () => {
    await expect(connect({ servers: broker.url, maxReconnectAttempts: 0 })).rejects.toThrow(/authorization/i);
  });

  test('let a service in by the credentials of its NATS_URL, and let it make its streams', async () => {
    expect(await lastSequence('LOG')).toBe(3);
    expect(await lastSequence('DEADLETTERS')).toBe(0);
  });

  test('let a publisher ask, and hear the answer', async () => {
    const subject = 'davit.rpc.capacity-advisor.assess';
    const advisor = await as('capacity-advisor', 'p-capacity-advisor');
    advisor.subscribe(subject, { max: 1, callback: (_, message) => void message.respond('answer') });
    await advisor.flush();
    expect((await (await publisher()).request(subject, '{}')).string()).toBe('answer');
  });

  test('keep readers and publishers from writing the log', async () => {
    const before = await lastSequence('LOG');
    for (const connection of [await reader(), await publisher()]) {
      expect(await refusals(connection, () => connection.publish('davit.log.x', 'forged'))).toEqual(['davit.log.x']);
    }
    expect(await lastSequence('LOG')).toBe(before);
  });

  test('let publishers send intents, and not follow the log', async () => {
    const sender = await publisher();
    expect(await refusals(sender, () => sender.publish('davit.intent.deployment.apply', '{}'))).toEqual([]);
    expect(await lastSequence('INTENTS')).toBe(1);
    const curious = await publisher();
    expect(await refusals(curious, () => void curious.subscribe('davit.log.>'))).toEqual(['davit.log.>']);
  });

  test('let readers follow the log live, and again from any position', async () => {
    const connection = await reader();
    const manager = await connection.jetstreamManager({ checkAPI: false });
    const { name } = await manager.consumers.add('LOG', {
      name: 'gateway-7',
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: 2,
      ack_policy: AckPolicy.None,
      inactive_threshold: 30_000_000_000,
    });
    const messages = await (await connection.jetstream().consumers.get('LOG', name)).fetch({ max_messages: 2 });
    const sequences: number[] = [];
    for await (const message of messages) sequences.push(message.seq);
    expect(sequences).toEqual([2, 3]);
    const live = connection.subscribe('davit.log.>', { max: 1 });
    await connection.flush();
    await bus.connection.jetstream().publish('davit.log.route.withdrawn', 'now');
    for await (const message of live) expect(message.subject).toBe('davit.log.route.withdrawn');
  });

  test('let readers list the present routes, with and without a bucket, and not write them', async () => {
    const connection = await reader();
    expect(await listRoutes(connection)).toEqual([]);
    const registry = await as('router-registry', 'p-router-registry');
    const bucket = await registry.jetstream().views.kv(ROUTES_BUCKET, { history: 1 });
    const held = { tenant: 'default', targets: [], draining: [], digest: '0'.repeat(64), snapshot: 3, position: 9 };
    const views = ['default/a', 'default/b'].map((alias) => ({ ...held, alias, model: alias.slice(8) }));
    for (const view of views) await bucket.put(routeCacheKey(view.alias), JSON.stringify(view));
    expect(await listRoutes(connection)).toEqual(views);
    const subject = `$KV.${ROUTES_BUCKET}.default.a`;
    expect(await refusals(connection, () => connection.publish(subject, 'forged'))).toEqual([subject]);
  });

  test('keep readers from sending intents and from harming streams', async () => {
    const connection = await reader();
    const subjects = ['davit.intent.deployment.delete', '$JS.API.STREAM.PURGE.LOG', '$JS.API.STREAM.DELETE.LOG'];
    expect(await refusals(connection, () => subjects.forEach((subject) => connection.publish(subject)))).toEqual(
      subjects,
    );
  });
});

describe('postgresql.conf', () => {
  test('names settings of the server, with values that it takes, and leaves every commit durable', async () => {
    const lines = readFileSync(path.join(deployFolder, 'postgres', 'postgresql.conf'), 'utf8').split('\n');
    const wanted = lines.flatMap((line) => {
      const [, name, value] = /^(\w+) = '?([^']*?)'?$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [{ name, value }];
    });
    expect(wanted.length).toBe(lines.filter((line) => /^[a-z]/.test(line)).length);
    const database = await createDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      const { rows } = await client.query<Setting>('SELECT name, vartype, enumvals FROM pg_settings');
      const known = new Map(rows.map((row) => [row.name.toLowerCase(), row]));
      expect(wanted.filter(({ name, value }) => !takes(known.get(name), value))).toEqual([]);
    } finally {
      await client.end();
      await database.drop();
    }
    const set = new Map(wanted.map(({ name, value }) => [name, value]));
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) expect(set.get(name)).toBe('on');
  });

  interface Setting {
    readonly name: string;
    readonly vartype: string;
    readonly enumvals: readonly string[] | null;
  }

  function takes(setting: Setting | undefined, value: string): boolean {
    switch (setting?.vartype) {
      case 'bool':
        return /^(on|off)$/.test(value);
      case 'enum':
        return setting.enumvals?.includes(value) === true;
      case 'integer':
        return /^\d+(kB|MB|GB|ms|s|min)?$/.test(value);
      case 'real':
        return /^\d+(\.\d+)?$/.test(value);
      default:
        return setting !== undefined;
    }
  }
});
