import { createServer } from 'node:http';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RecordedEvent, problemDocument, webhookView } from '@davit/contracts';
import { silentLogger } from '@davit/ports';
import { type RunningService, createService } from '@davit/service-kit';
import { type NatsBroker, type TestDatabase, createDatabase, eventually, startNats } from '@davit/test-support';
import { Webhook } from 'standardwebhooks';
import { AppModule } from '../app.module.js';
import { manifest } from '../testing/manifest.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const VARIABLE = 'DAVIT_WEBHOOK_SECRET_TEST';
let database: TestDatabase;
let broker: NatsBroker;
let services: RunningService[];

/** A receiver that nobody of Davit wrote the verification of. */
class Receiver {
  readonly taken: RecordedEvent[] = [];
  readonly verifier = new Webhook(SECRET);
  answers = (): number => 200;
  readonly server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.once('end', () => {
      const body = Buffer.concat(pieces).toString();
      const headers = request.headers as Record<string, string>;
      const event = this.verifier.verify(body, headers) as RecordedEvent;
      const status = this.answers();
      if (status === 200) this.taken.push(event);
      response.writeHead(status).end();
    });
  });

  async listen(port = 0): Promise<string> {
    await once(this.server.listen(port, '127.0.0.1'), 'listening');
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/davit`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

beforeAll(async () => {
  process.env[VARIABLE] = SECRET;
  [database, broker] = await Promise.all([createDatabase(), startNats()]);
  const environment = { DATABASE_URL: database.url, NATS_URL: broker.url, DAVIT_ADVICE_TIMEOUT: '300ms' };
  services = await Promise.all(
    [1, 2].map(() => createService(AppModule, 'spec-api', { environment, logger: silentLogger })),
  );
  await Promise.all(services.map(({ ready }) => ready));
}, 60_000);

afterAll(async () => {
  process.env[VARIABLE] = '';
  await Promise.all(services.map((service) => service.stop()));
  await broker.dispose();
  await database.drop();
}, 60_000);

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${services[0]?.url}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const wanted = (url: string, more: object = {}) => ({
  name: 'billing',
  url,
  tenants: 'all',
  secret: { env: VARIABLE },
  ...more,
});
const apply = (name: string) => ask('POST', '/v1/intents/deployment/apply', manifest({}, { name }));
const positions = (events: readonly RecordedEvent[]): number[] => events.map(({ position }) => position);
const inOrder = (of: readonly number[]): number[] => [...of].sort((a, b) => a - b);

describe('webhooks', () => {
  test('send what was asked for, signed, in the order of the log and once, with two instances at work', async () => {
    const receiver = new Receiver();
    const created = await ask(
      'POST',
      '/v1/webhooks',
      wanted(await receiver.listen(), { filter: { categories: ['deployment'] } }),
    );
    expect(created.status).toBe(201);
    const { id } = webhookView.parse(created.body);
    for (const name of ['one', 'two', 'three']) await apply(name);
    await eventually(() => receiver.taken.length >= 3);
    expect(receiver.taken.map(({ type, subject }) => [type, subject])).toEqual(
      ['one', 'two', 'three'].map((name) => ['davit.deployment.declared', `default/${name}`]),
    );
    expect(positions(receiver.taken)).toEqual(inOrder(positions(receiver.taken)));
    const { events } = { events: (await ask('GET', '/v1/events?category=deployment')).body as { items: unknown[] } };
    expect(receiver.taken).toEqual(events.items);
    await ask('POST', `/v1/webhooks/${id}/remove`, { reason: 'done' });
    await receiver.close();
  }, 30_000);

  test('wait for a receiver that is away, and lose nothing meanwhile', async () => {
    const away = new Receiver();
    const url = await away.listen();
    await away.close();
    const { id } = webhookView.parse(
      (await ask('POST', '/v1/webhooks', wanted(url, { filter: { categories: ['deployment'] } }))).body,
    );
    await apply('four');
    await apply('five');
    const back = new Receiver();
    await back.listen(Number(new URL(url).port));
    await eventually(() => back.taken.length >= 2);
    expect(back.taken.map(({ subject }) => subject)).toEqual(['default/four', 'default/five']);
    await ask('POST', `/v1/webhooks/${id}/remove`, { reason: 'done' });
    await back.close();
  }, 30_000);

  test('a receiver that says it is gone is sent nothing more until it is resumed, and then what it missed', async () => {
    const receiver = new Receiver();
    receiver.answers = () => 410;
    const filter = { categories: ['deployment'] };
    const { id } = webhookView.parse(
      (await ask('POST', '/v1/webhooks', wanted(await receiver.listen(), { filter }))).body,
    );
    await apply('six');
    const state = async () => webhookView.parse((await ask('GET', `/v1/webhooks/${id}`)).body);
    const suspended = await eventually(async () => {
      const webhook = await state();
      return webhook.state === 'suspended' && webhook;
    });
    expect(suspended.suspended).toMatchObject({ reason: 'gone', detail: 'the receiver answered 410' });
    await apply('seven');
    receiver.answers = () => 200;
    expect((await ask('POST', `/v1/webhooks/${id}/resume`, {})).status).toBe(200);
    await eventually(() => receiver.taken.length >= 2);
    expect(receiver.taken.map(({ subject }) => subject)).toEqual(['default/six', 'default/seven']);
    await receiver.close();
  }, 30_000);

  test('registering twice under one key is one webhook, and other content under it a conflict', async () => {
    const headers = { 'idempotency-key': 'hook-1' };
    const body = wanted('https://hooks.example.org/davit', { after: 1 });
    const first = webhookView.parse((await ask('POST', '/v1/webhooks', body, headers)).body);
    const second = webhookView.parse((await ask('POST', '/v1/webhooks', body, headers)).body);
    expect(second.id).toBe(first.id);
    expect((await ask('POST', '/v1/webhooks', { ...body, name: 'other' }, headers)).status).toBe(409);
  });

  test.each([
    [{ url: 'http://hooks.example.org/' }, 'url'],
    [{ url: 'https://a:b@hooks.example.org/' }, 'url'],
    [{ secret: { env: 'DATABASE_URL' } }, 'secret.env'],
    [{ secret: { env: 'DAVIT_WEBHOOK_SECRET_UNSET' } }, 'secret.env'],
    [{ filter: { types: ['davit.replica.redy'] } }, 'filter.types[0]'],
    [{ filter: { category: 'route' } }, 'filter.category'],
    [{ tenants: [] }, 'tenants'],
  ])('%j is refused with the place of the mistake', async (wrong, path) => {
    const { status, body } = await ask('POST', '/v1/webhooks', { ...wanted('https://hooks.example.org/'), ...wrong });
    expect(status).toBe(422);
    expect(problemDocument.parse(body).errors?.map((problem) => problem.path)).toEqual([path]);
  });

  test('no event, answer or page holds the signing secret', async () => {
    const texts = await Promise.all(
      ['/v1/webhooks?all=true', '/v1/events?category=webhook&limit=1000'].map((path) => ask('GET', path)),
    );
    expect(JSON.stringify(texts)).toContain(VARIABLE);
    expect(JSON.stringify(texts)).not.toContain(SECRET.slice('whsec_'.length));
  });
});
