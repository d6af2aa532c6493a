import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DeadLetter, type Bus, connectBus, readDeadLetter, requestIntent } from '@davit/bus';
import { deploymentView, intentAnswer, problemDocument, subjects } from '@davit/contracts';
import { silentLogger } from '@davit/ports';
import { type RunningService, createService } from '@davit/service-kit';
import { type NatsBroker, type TestDatabase, createDatabase, eventually, startNats } from '@davit/test-support';
import { z } from 'zod';
import { AppModule } from './app.module.js';
import { manifest } from './testing/manifest.js';

let database: TestDatabase;
let broker: NatsBroker;
let bus: Bus;
let service: RunningService;

const start = async (): Promise<RunningService> => {
  const environment = {
    DATABASE_URL: database.url,
    NATS_URL: broker.url,
    DAVIT_ADVICE_TIMEOUT: '300ms',
    DAVIT_EVENT_HEARTBEAT: '200ms',
  };
  const started = await createService(AppModule, 'spec-api', { environment, logger: silentLogger });
  await started.ready;
  return started;
};

beforeAll(async () => {
  [database, broker] = await Promise.all([createDatabase(), startNats()]);
  service = await start();
  bus = await connectBus({ url: broker.url, name: 'test', logger: silentLogger });
}, 60_000);

afterAll(async () => {
  await bus.close();
  await service.stop();
  await broker.dispose();
  await database.drop();
}, 60_000);

async function http(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  return { status: response.status, type: response.headers.get('content-type'), body: json };
}

const named = (name: string, spec: object = {}) => manifest(spec, { name });
const APPLY = '/v1/intents/deployment/apply';

describe('intents over HTTP', () => {
  test('an accepted one is answered 202, and the deployment is listed with the position it stands for', async () => {
    const { status, body } = await http('POST', APPLY, named('over-http'));
    expect(status).toBe(202);
    const answer = intentAnswer.parse(body);
    const found = await eventually(async () => {
      const { body: one, status: code } = await http('GET', '/v1/deployments/default/over-http');
      return code === 200 && deploymentView.parse(one);
    });
    expect(found.position).toBeGreaterThan(answer.position);
    expect(found).toMatchObject({ desiredReplicas: 2, readyReplicas: 0, status: 'active' });
  });

  test('a refused one is a problem document with the place of each mistake', async () => {
    const { status, type, body } = await http('POST', APPLY, named('x', { scaling: { replicas: 10_000 }, foo: 1 }));
    expect(status).toBe(422);
    expect(type).toContain('application/problem+json');
    const paths = problemDocument.parse(body).errors?.map(({ path }) => path);
    expect(paths).toEqual(['spec.scaling.replicas', 'spec.foo']);
  });

  test('a key used for other content is a conflict', async () => {
    const headers = { 'idempotency-key': 'http-1' };
    expect((await http('POST', APPLY, named('keyed'), headers)).status).toBe(202);
    expect((await http('POST', APPLY, named('keyed', { scaling: { replicas: 1 } }), headers)).status).toBe(409);
  });

  test.each([
    ['malformed JSON, by place', '{\n  "a": 1,\n}', 400, 'malformed-json', 'line 3, column 1'],
    ['an empty body', ' ', 400, 'empty-body', 'Send a JSON document'],
    ['five megabytes', `"${'a'.repeat(5_000_000)}"`, 413, 'payload-too-large', 'At most 1 MiB'],
  ])('%s', async (_what, body, status, code, detail) => {
    const answer = await http('POST', APPLY, body);
    expect(answer.status).toBe(status);
    expect(problemDocument.parse(answer.body)).toMatchObject({ code, detail: expect.stringContaining(detail) });
  });

  test('another content type and an unknown route are told as such', async () => {
    const yaml = await http('POST', APPLY, 'a: 1', { 'content-type': 'application/yaml' });
    expect([yaml.status, problemDocument.parse(yaml.body).code]).toEqual([415, 'unsupported-media-type']);
    const route = await http('GET', '/v1/nothing');
    expect([route.status, problemDocument.parse(route.body).code]).toEqual([404, 'not-found']);
  });

  test.each([
    ['GET', 405, 'method-not-allowed', APPLY, 'POST is'],
    ['DELETE', 405, 'method-not-allowed', '/v1/deployments/default/x', 'GET is'],
    ['POST', 404, 'not-found', '/v1/intents/deployment/frobnicate', 'Nothing answers'],
    ['GET', 414, 'address-too-long', `/v1/deployments/default/${'x'.repeat(301)}`, 'at most 100'],
    ['GET', 400, 'bad-request', '/v1/deployments/default/%zz', 'url'],
    ['GET', 404, 'not-found', '/v1/deployments/default/%00', 'is not a name'],
    ['GET', 400, 'invalid-request', '/v1/replicas?tenant=%00', 'NUL'],
    ['GET', 431, 'headers-too-large', `/v1/deployments?tenant=${'x'.repeat(20_000)}`, '16 KiB'],
  ])('%s may be answered %d with the problem %s', async (method, status, code, path, detail) => {
    const answer = await http(method, path);
    expect([answer.status, answer.type?.split(';')[0]]).toEqual([status, 'application/problem+json']);
    expect(problemDocument.parse(answer.body)).toMatchObject({ code, detail: expect.stringContaining(detail) });
  });
});

describe('intents over the bus', () => {
  test('are answered after their event is in the log', async () => {
    const reply = await requestIntent(bus, 'apply', named('over-bus'), { timeoutMs: 10_000 });
    if (reply.outcome !== 'answered') throw new Error(`not answered: ${JSON.stringify(reply)}`);
    const { body } = await http('GET', `/v1/events?after=${reply.body.position - 1}&limit=1`);
    expect(body).toMatchObject({
      items: [{ type: 'davit.intent.accepted', data: { intentId: reply.body.intentId } }],
    });
  });

  test('that nobody waits for are carried out as well', async () => {
    bus.connection.publish(subjects.intent('deployment', 'apply'), JSON.stringify(named('unasked')));
    await eventually(async () => (await http('GET', '/v1/deployments/default/unasked')).status === 200);
  });

  test('that are invalid are refused with their mistakes', async () => {
    const reply = await requestIntent(bus, 'apply', named('bad', { foo: 1 }), { timeoutMs: 10_000 });
    expect(reply).toMatchObject({ outcome: 'answered', body: { outcome: 'rejected', code: 'invalid-spec' } });
  });

  test('that are no JSON are set aside with their payload, and the next one is handled', async () => {
    bus.connection.publish(subjects.intent('deployment', 'apply'), 'not { json');
    const letter = await eventually(deadLetter);
    expect(letter.kind).toBe('poison');
    expect(Buffer.from(letter.payload).toString()).toBe('not { json');
    expect(await requestIntent(bus, 'apply', named('after-poison'), { timeoutMs: 10_000 })).toMatchObject({
      outcome: 'answered',
      body: { outcome: 'accepted' },
    });
  });

  async function deadLetter(): Promise<DeadLetter | undefined> {
    const manager = await bus.connection.jetstreamManager();
    const message = await manager.streams.getMessage('DEADLETTERS', { last_by_subj: 'davit.deadletter.poison' });
    return readDeadLetter({ headers: message.header, data: message.data });
  }
});

describe('plans', () => {
  test('tell what would change and write nothing, with an advisor or without', async () => {
    const before = await http('GET', '/v1/events?limit=1');
    const { status, body } = await http('POST', '/v1/plan', { deployment: named('planned') });
    expect(status).toBe(200);
    expect(body).toMatchObject({ change: 'new', spend: { chosenHourly: null } });
    expect(JSON.stringify(body)).toContain('capacity-advisor is not running');
    const after = await http('GET', '/v1/events?limit=1');
    expect(after.body).toEqual(before.body);
  });
});

describe('the event stream', () => {
  test('catches up from any position, follows, and shows that it is alive', async () => {
    const { body } = await http('GET', '/v1/events');
    const { head } = z.object({ head: z.int() }).parse(body);
    const reader = await openStream(`/v1/events/stream`, { 'last-event-id': String(head - 2) });
    expect(reader.headers.get('connection')).toBe('close');
    await reader.until((text) => text.includes(`id: ${head}\n`));
    await http('POST', APPLY, named('streamed'));
    await reader.until((text) => text.includes(`id: ${head + 3}\n`) && text.includes('\n: at '));
    const ids = [...reader.text().matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
    expect(ids).toEqual(Array.from({ length: 5 }, (_, index) => head - 1 + index));
    reader.close();
  });

  test('a position beyond the end is refused', async () => {
    expect((await http('GET', '/v1/events/stream?after=999999')).status).toBe(400);
  });

  async function openStream(path: string, headers: Record<string, string>) {
    const left = new AbortController();
    const response = await fetch(`${service.url}${path}`, { headers, signal: left.signal });
    let text = '';
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array);
    })().catch(() => undefined);
    return {
      headers: response.headers,
      text: () => text,
      until: (done: (text: string) => boolean) => eventually(() => done(text)),
      close: () => {
        left.abort();
        void reading;
      },
    };
  }
});

describe('what supervisors ask', () => {
  test('it is live and ready, shows its metrics from zero, and proves its projection', async () => {
    expect((await http('GET', '/livez')).body).toEqual({ status: 'live' });
    expect(await http('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
    const { body: metrics } = await http('GET', '/metrics');
    expect(metrics).toContain('davit_appends_total{outcome="fenced",service="spec-api"} 0');
    expect(metrics).toMatch(/davit_projection_lag_events\{service="spec-api"\} \d/);
    const audit = await http('GET', '/audit/projections');
    expect(audit.body).toMatchObject({ projections: [{ projection: 'lifecycle', equal: true, differing: 0 }] });
  });

  test('without the broker it goes on, degraded but ready', async () => {
    await broker.stop();
    await eventually(async () => {
      const { status, body } = await http('GET', '/readyz');
      return status === 200 && z.object({ status: z.string() }).parse(body).status === 'degraded';
    });
    expect((await http('POST', APPLY, named('without-bus'))).status).toBe(202);
    await eventually(async () => (await http('GET', '/v1/deployments/default/without-bus')).status === 200);
    await broker.wipe();
    await eventually(
      async () => {
        const reply = await requestIntent(bus, 'apply', named('after-wipe'), { timeoutMs: 1_000 });
        return reply.outcome === 'answered';
      },
      { timeoutMs: 20_000 },
    );
  }, 60_000);

  test('it stops and starts again with what the log holds', async () => {
    await service.stop();
    service = await start();
    const { body } = await http('GET', '/v1/deployments');
    expect(JSON.stringify(body)).toContain('"over-http"');
  }, 30_000);
});
