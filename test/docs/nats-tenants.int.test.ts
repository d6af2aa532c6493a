import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type NatsBroker, type TestDatabase, createDatabase, eventually, startNats } from '@davit/test-support';
import { type ConsumerMessages, type NatsConnection, connect } from 'nats';
import { manifest } from '../../apps/spec-api/src/testing/manifest.js';
import { type Served, serve } from '../../apps/spec-api/src/testing/served.js';
import { natsAccounts } from '../../scripts/lib/nats-accounts.mjs';
import { withPasswords } from './nats-passwords.js';

let database: TestDatabase;
let broker: NatsBroker;
let instances: readonly Served[];
const opened: NatsConnection[] = [];

beforeAll(async () => {
  database = await createDatabase();
  broker = await startNats({ extraConfig: withPasswords(natsAccounts(['acme', 'globex'])) });
  const environment = {
    DATABASE_URL: database.url,
    NATS_URL: broker.url.replace('//', '//spec-api:p-spec-api@'),
    DAVIT_TENANT_EVENTS: 'on',
  };
  instances = [await serve(environment), await serve(environment)];
  for (const tenant of ['acme', 'globex']) await apply(tenant, 'first');
}, 90_000);

afterAll(async () => {
  await Promise.all(opened.map((connection) => connection.close()));
  await Promise.all(instances.map(({ service }) => service.stop()));
  await broker.dispose();
  await database.drop();
}, 60_000);

async function as(user: string): Promise<NatsConnection> {
  const connection = await connect({ servers: broker.url, user, pass: `p-${user}` });
  opened.push(connection);
  return connection;
}

async function apply(tenant: string, name: string): Promise<void> {
  const body = manifest({}, { tenant, name });
  const answer = await instances[0]?.ask('POST', '/v1/intents/deployment/apply', { body });
  expect(answer?.status).toBe(202);
}

interface Told {
  readonly tenant: string;
  readonly position: number;
  readonly type: string;
  readonly data: unknown;
}

/** What the log holds of a tenant, as its door tells it. */
async function logOf(tenant: string): Promise<readonly Told[]> {
  const answer = await instances[1]?.ask('GET', `/v1/events?tenant=${tenant}&limit=1000`);
  return (answer?.body as { items: Told[] }).items; // the published answer
}

async function takeAll(messages: ConsumerMessages, count: number): Promise<readonly Told[]> {
  const told: Told[] = [];
  for await (const message of messages) {
    told.push(message.json<Told>());
    message.ack();
    if (told.length >= count) break;
  }
  return told;
}

describe('the subscriber of a tenant', () => {
  test('hears its own events live under the subjects of the log, and nothing of another tenant', async () => {
    const connection = await as('acme-subscriber');
    const heard: Told[] = [];
    connection.subscribe('davit.log.>', { callback: (_, message) => void heard.push(message.json<Told>()) });
    await connection.flush();
    await apply('globex', 'unheard');
    await apply('acme', 'heard');
    await eventually(() => heard.some(({ type }) => type === 'davit.deployment.declared'));
    expect(new Set(heard.map(({ tenant }) => tenant))).toEqual(new Set(['acme']));
    expect(JSON.stringify(heard)).not.toContain('globex');
  });

  test('takes what came while it was away from its inbox, each event once and in the order of the log', async () => {
    const connection = await as('acme-subscriber');
    const expected = (await logOf('acme')).map(({ position }) => position);
    const consumer = await connection.jetstream({ domain: 'davit', timeout: 10_000 }).consumers.get('TENANTS', 'acme');
    const told = await takeAll(await consumer.consume({ max_messages: 10 }), expected.length);
    expect(told.map(({ position }) => position)).toEqual(expected);
  });

  test('has no way to the inbox of another tenant, to the streams, or to the intents', async () => {
    const connection = await as('acme-subscriber');
    const forbidden = [
      '$JS.davit.API.CONSUMER.MSG.NEXT.TENANTS.globex',
      '$JS.API.CONSUMER.MSG.NEXT.TENANTS.globex',
      '$JS.API.STREAM.MSG.GET.LOG',
      '$JS.API.STREAM.MSG.GET.TENANTS',
      'davit.intent.deployment.delete',
      'davit.log.replica.ready',
    ];
    for (const subject of forbidden) {
      const refused = connection.request(subject, '{}', { timeout: 500 });
      await expect(refused).rejects.toThrow(/permission|timeout|503/i);
    }
    const spy = connection.subscribe('davit.tenant.globex.log.>');
    await expect((async () => spy[Symbol.asyncIterator]().next())()).rejects.toThrow(/permission/i);
  });
});

describe('the publisher of a tenant', () => {
  test('declares for its own tenant and is answered, with the tenant written down as who did it', async () => {
    const connection = await as('acme-publisher');
    const body = { deployment: manifest({}, { tenant: 'acme', name: 'by-bus' }), actor: 'somebody else' };
    const reply = await connection.request('davit.intent.deployment.apply', JSON.stringify(body), { timeout: 10_000 });
    expect(reply.json()).toMatchObject({ outcome: 'accepted', deployment: 'acme/by-bus' });
    const events = await instances[0]?.ask('GET', '/v1/events?deployment=acme/by-bus');
    expect(events?.text).toContain('"actor":"tenant acme on the bus"');
    expect(events?.text).not.toContain('somebody else');
  });

  test('cannot declare for another tenant, nor order what concerns the fleet', async () => {
    const connection = await as('acme-publisher');
    const send = async (subject: string, body: unknown) =>
      (await connection.request(subject, JSON.stringify(body), { timeout: 10_000 })).json();
    const theirs = manifest({}, { tenant: 'globex', name: 'stolen' });
    expect(await send('davit.intent.deployment.apply', theirs)).toMatchObject({ code: 'forbidden', status: 403 });
    const removal = { name: 'first', tenant: 'globex' };
    expect(await send('davit.intent.deployment.delete', removal)).toMatchObject({ code: 'forbidden', status: 403 });
    expect(await send('davit.intent.fleet.thaw', { reason: 'x' })).toMatchObject({ code: 'forbidden', status: 403 });
    expect(JSON.stringify(await logOf('globex'))).not.toContain('stolen');
  });

  test('does not hear the log', async () => {
    const connection = await as('acme-publisher');
    const spy = connection.subscribe('davit.log.>');
    await expect((async () => spy[Symbol.asyncIterator]().next())()).rejects.toThrow(/permission/i);
  });
});

describe('the stream of tenants', () => {
  test('is filled again, the same, when the broker loses everything', async () => {
    await broker.wipe();
    await apply('acme', 'after-the-loss');
    const connection = await as('acme-subscriber');
    const declared = await eventually(
      async () => {
        const own = await logOf('acme');
        return own.some(({ data }) => JSON.stringify(data).includes('after-the-loss')) && own;
      },
      { timeoutMs: 20_000 },
    );
    const consumer = await eventually(
      () =>
        connection
          .jetstream({ domain: 'davit', timeout: 2_000 })
          .consumers.get('TENANTS', 'acme')
          .catch(() => undefined),
      { timeoutMs: 30_000 },
    );
    const told = await takeAll(await consumer.consume({ max_messages: 10 }), declared.length);
    expect(told.map(({ position }) => position)).toEqual(declared.map(({ position }) => position));
  }, 90_000);
});
