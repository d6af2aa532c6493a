import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { problemDocument } from '@davit/contracts';
import { PUBLISHED_NAMES } from '@davit/contracts/published';
import { type NatsBroker, type TestDatabase, createDatabase, eventually, startNats } from '@davit/test-support';
import { DataSource } from 'typeorm';
import type { IndexDocument } from '../page/index-document.js';
import { publishedPath } from '../published/published.js';
import { manifest } from '../testing/manifest.js';
import { type Answer, type AskOptions, type Served, serve } from '../testing/served.js';

let database: TestDatabase;
let broker: NatsBroker;
let served: Served;

const start = (more: Record<string, string> = {}): Promise<Served> =>
  serve({ DATABASE_URL: database.url, NATS_URL: broker.url, ...more });

beforeAll(async () => {
  [database, broker] = await Promise.all([createDatabase(), startNats()]);
  served = await start();
}, 60_000);
afterAll(async () => {
  await served.service.stop();
  await broker.dispose();
  await database.drop();
}, 60_000);

interface Asked extends AskOptions {
  readonly method?: string;
  readonly of?: Served;
}

const ask = (path: string, { method, of = served, ...options }: Asked = {}): Promise<Answer> =>
  of.ask(method ?? (options.body === undefined && options.raw === undefined ? 'GET' : 'POST'), path, options);
const APPLY = '/v1/intents/deployment/apply';
const SCALE = '/v1/intents/deployment/scale';
const named = (name: string) => manifest({}, { name });

/** Applies it, and waits until it can be read. */
async function applied(name: string): Promise<string> {
  expect((await ask(APPLY, { body: named(name) })).status).toBe(202);
  return eventually(async () => (await ask(`/v1/deployments/default/${name}`)).headers.get('etag') ?? false);
}

describe('what is no right request', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);

  test.each<[string, string, Asked, number, string]>([
    ['an unknown path', '/v1/nothing', {}, 404, 'not-found'],
    ['an unknown path outside of the API', '/nothing/at/all', {}, 404, 'not-found'],
    ['a method that is not answered', APPLY, {}, 405, 'method-not-allowed'],
    ['an answer that nobody can give', '/v1/deployments', { headers: { accept: 'text/html' } }, 406, 'not-acceptable'],
    [
      'a body of a foreign type',
      APPLY,
      { raw: 'a: 1', headers: { 'content-type': 'text/yaml' } },
      415,
      'unsupported-media-type',
    ],
    ['malformed JSON', APPLY, { raw: '{"a": 1,}' }, 400, 'malformed-json'],
    ['JSON that never ends to nest', APPLY, { raw: deep }, 422, 'invalid-spec'],
    ['the same where the body is read by a schema', '/v1/plan/delete', { raw: deep }, 422, 'invalid-request'],
    ['a body beyond all measure', APPLY, { raw: `"${'a'.repeat(2_000_000)}"` }, 413, 'payload-too-large'],
    ['a name beyond all measure', `/v1/replicas/default/${'a'.repeat(1_000)}`, {}, 414, 'address-too-long'],
    ['an address beyond all measure', `/v1/replicas?cloud=${'a'.repeat(20_000)}`, {}, 431, 'headers-too-large'],
    ['a filter beyond all measure', `/v1/replicas?cloud=${'a'.repeat(1_000)}`, {}, 400, 'invalid-request'],
    ['a percent sign that escapes nothing', '/v1/replicas/default/%', {}, 400, 'bad-request'],
  ])('%s is answered with a problem document', async (_what, path, asked, status, code) => {
    const answer = await ask(path, asked);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(problemDocument.parse(answer.body)).toMatchObject({ status, code });
    expect(answer.status).toBe(status);
  });

  test.each([
    ['a length that is no number', 'content-length: many'],
    ['two lengths', 'content-length: 2\r\ncontent-length: 3'],
    ['a length and chunks', 'content-length: 2\r\ntransfer-encoding: chunked'],
  ])('%s is told, and the connection ends', async (_what, header) => {
    const { hostname, port } = new URL(served.service.url);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(`POST ${APPLY} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${header}\r\n\r\n{}`);
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('"code":"malformed-request"');
  });
});

describe('entity tags', () => {
  test('spare who has an answer already the reading of it, until it is another', async () => {
    const tag = await applied('tagged');
    const path = '/v1/deployments/default/tagged';
    const again = await ask(path, { headers: { 'if-none-match': `"1-other", ${tag}` } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(tag);
    expect((await ask(SCALE, { body: { name: 'tagged', replicas: 4 } })).status).toBe(202);
    const changed = await eventually(async () => {
      const answer = await ask(path, { headers: { 'if-none-match': tag } });
      return answer.status === 200 && answer;
    });
    expect(changed.body).toMatchObject({ desiredReplicas: 4 });
    expect(changed.headers.get('etag')).not.toBe(tag);
  });

  test('refuse an intent where somebody ordered something since they were read, with what is so now', async () => {
    const tag = await applied('matched');
    const scale = (replicas: number) =>
      ask(SCALE, { body: { name: 'matched', replicas }, headers: { 'if-match': tag } });
    expect((await scale(3)).status).toBe(202);
    const late = await scale(9);
    expect(late.status).toBe(412);
    const { code, detail } = problemDocument.parse(late.body);
    expect(code).toBe('precondition-failed');
    expect(detail).toContain('active, generation 2, revision 1, 3 replicas');
    const twice = await ask(APPLY, { body: named('matched'), headers: { 'if-none-match': '*' } });
    expect(twice.status).toBe(412);
    const unreadable = await ask(APPLY, { body: named('matched'), headers: { 'if-match': 'x' } });
    expect(unreadable.status).toBe(400);
  });
});

describe('the published contract', () => {
  const REFERENCE = path.resolve('docs/reference');

  test.each(PUBLISHED_NAMES)('%s is served byte for byte as it stands in the reference', async (name) => {
    const answer = await ask(publishedPath(name));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('json');
    expect(answer.text === readFileSync(path.join(REFERENCE, name), 'utf8')).toBe(true);
    const etag = answer.headers.get('etag') ?? '';
    expect((await ask(publishedPath(name), { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('is named, with all that may be read, to whoever asks for nothing in particular', async () => {
    const { documents, read, health } = (await ask('/')).body as IndexDocument; // what is asked for is held below
    expect([documents.length, read.length, health.length]).toEqual([4, expect.any(Number), 3]);
    expect(read).toEqual(expect.arrayContaining(['/v1/deployments', '/v1/replicas', '/v1/routes', '/v1/events']));
    for (const link of [...documents, ...read, ...health])
      expect([link, (await ask(link)).status]).toEqual([link, 200]);
  });

  test('has no other schema', async () => {
    expect((await ask('/schemas/nothing.schema.json')).status).toBe(404);
  });
});

describe('an idempotency key', () => {
  test('gives the same answer after a restart, refusals among them, and other content is a conflict', async () => {
    const orders: readonly [string, object][] = [
      [APPLY, named('again')],
      [SCALE, { name: 'again', replicas: 3 }],
      ['/v1/intents/deployment/pause', { name: 'again', reason: 'x' }],
      ['/v1/intents/deployment/resume', { name: 'again' }],
      ['/v1/intents/deployment/delete', { name: 'again' }],
      [SCALE, { name: 'nobody', replicas: 3 }],
    ];
    const all = async () => {
      const answers = [];
      for (const [index, [path, body]] of orders.entries())
        answers.push(await ask(path, { body, headers: { 'idempotency-key': `k${index}` } }));
      return answers.map(({ status, body }) => ({ status, body }));
    };
    const first = await all();
    expect(first.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 404]);
    await served.service.stop();
    served = await start();
    expect(await all()).toEqual(first);
    const other = await ask(SCALE, { body: { name: 'again', replicas: 8 }, headers: { 'idempotency-key': 'k1' } });
    expect(other.status).toBe(409);
    expect(problemDocument.parse(other.body)).toMatchObject({ code: 'idempotency-conflict' });
  }, 60_000);
});

describe('under more load than there is room for', () => {
  const overloaded = expect.objectContaining({ status: 503, body: expect.objectContaining({ code: 'overloaded' }) });

  test('reads are turned away at once and told when to come back, while intents and health are answered', async () => {
    const narrow = await start({ DAVIT_MAX_READS: '1' });
    const { hostname, port } = new URL(narrow.service.url);
    // A question that never comes to its end is in work all the while.
    const slow = connect(Number(port), hostname);
    slow.write(
      `POST /v1/plan HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{`,
    );
    try {
      const refused = await eventually(async () => {
        const answer = await ask('/v1/deployments', { of: narrow });
        return answer.status === 503 && answer;
      });
      expect(refused).toEqual(overloaded);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect((await ask(APPLY, { body: named('pressed'), of: narrow })).status).toBe(202);
      expect((await ask('/livez', { of: narrow })).status).toBe(200);
      expect((await ask('/metrics', { of: narrow })).status).toBe(200);
      slow.destroy();
      await eventually(async () => (await ask('/v1/deployments', { of: narrow })).status === 200);
    } finally {
      slow.destroy();
      await narrow.service.stop();
    }
  }, 60_000);

  test('intents that the log cannot take in time are turned away before they are read, and nothing of those taken is lost', async () => {
    const narrow = await start({ DAVIT_MAX_INTENTS: '1' });
    const other = new DataSource({ type: 'postgres', url: database.url });
    await other.initialize();
    const holder = other.createQueryRunner();
    try {
      await holder.startTransaction();
      await holder.query('update log.head set position = position');
      const held = ask(APPLY, { body: named('held'), of: narrow });
      const refused = await eventually(async () => {
        const answer = await ask(APPLY, { body: named('refused'), of: narrow });
        return answer.status === 503 && answer;
      });
      expect(refused).toEqual(overloaded);
      expect((await ask('/livez', { of: narrow })).status).toBe(200);
      await holder.rollbackTransaction();
      expect((await held).status).toBe(202);
      expect((await ask(APPLY, { body: named('later'), of: narrow })).status).toBe(202);
    } finally {
      await holder.release();
      await other.destroy();
      await narrow.service.stop();
    }
  }, 60_000);
});
