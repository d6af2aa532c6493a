import { describe, expect, it } from '@jest/globals';
import { controlHandler } from './control.js';
import { wholeBody } from './http/wire.js';
import { CANARY, TestWorld, type HttpAnswer } from './test-world.js';
import { WORLD_HOSTS } from './world.js';

async function control(test: TestWorld, method: string, path: string, body: unknown = ''): Promise<[number, unknown]> {
  const url = new URL(path, 'http://control');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const reply = await controlHandler(test.world)({ method, url, headers: {}, body: text });
  if (reply.kind !== 'response') throw new Error(reply.kind);
  return [reply.status, JSON.parse(await wholeBody(reply.body))];
}

async function running(): Promise<TestWorld> {
  const test = new TestWorld();
  await test.launch();
  await test.clock.advance(5_000);
  return test;
}

async function l4Price(test: TestWorld): Promise<unknown> {
  const url = 'https://api.runpod.io/v2/catalog/gpus/NVIDIA%20L4';
  const { price } = (await test.json('GET', url, test.world.keys.runpod)) as { price: { secure: unknown } };
  return price.secure;
}

const MACHINE = '/machines/ic-one-1a2b3c4d-head';
const BODIES: Readonly<Record<string, object>> = { fault: { kind: 'hang' }, load: { running: 1 }, restart: {} };

/** Asks the one model server there is. */
function server(test: TestWorld, path: string, key?: string): Promise<HttpAnswer | string> {
  const { host, port } = test.world.cloud.all()[0]?.address ?? { host: '', port: 0 };
  return test.http('GET', `http://${host}:${port}${path}`, key);
}

describe('the control interface', () => {
  it.each([
    ['POST', '/faults', 'not json'],
    ['POST', '/faults', { service: 'sky', effect: { kind: 'no-such' } }],
    ['POST', '/faults', { service: 'azure', effect: { kind: 'hang' } }],
    ['PUT', '/stock', { gpu: 'no-such' }],
    ['PUT', '/stock', { thresholds: { medium: 'some' } }],
    ['PUT', '/vast', { workersShape: 'heap' }],
    ['PUT', '/runpod', { perMinute: -1 }],
    ['PUT', '/runpod', { apiKey: 'mine' }],
    ['PUT', '/prices', ''],
    ['PUT', '/prices', { gpu: 'L4', secure: 'cheap' }],
    ['PUT', '/prices', { gpu: 'L4', billedFactor: -1 }],
    ['PUT', '/prices', { gpu: 'no-such', secure: 1 }],
    ['PUT', '/catalogue', { drift: 0 }],
    ['POST', '/machines/ic-one-1a2b3c4d-head/price', { pricePerHour: -1 }],
    ['POST', '/clusters/ic-one/melt', ''],
    ['POST', '/machines/ic-one-1a2b3c4d-head/fault', {}],
    ['POST', '/machines/ic-one-1a2b3c4d-head/fault', { kind: 'melt' }],
    ['POST', '/machines/ic-one-1a2b3c4d-head/fault', { faults: [{ kind: 'hang' }, { kind: 'melt' }] }],
    ['POST', '/machines/ic-one-1a2b3c4d-head/load', { walking: 1 }],
    ['POST', '/machines/ic-one-1a2b3c4d-head/restart', { profile: 'vllm-old' }],
    ['POST', '/machines/ic-one-1a2b3c4d-head/restart', { loadMs: -1 }],
    ['POST', '/machines/ic-one-1a2b3c4d-head/restart', { dataParallel: 0 }],
    ['POST', '/machines/ic-one-1a2b3c4d-head/restart', { servedModelNames: ['x'] }],
    ['POST', '/machines/ic-one-1a2b3c4d-head/melt', {}],
  ])('%s %s refuses %j with 400', async (method, path, body) => {
    const [status, answer] = await control(await running(), method, path, body);
    expect(status).toBe(400);
    expect(answer).toEqual({ error: expect.any(String) });
  });

  it('kills a machine by name, once, and does not know machines that never were', async () => {
    const test = await running();
    expect(await control(test, 'POST', '/machines/ic-one-1a2b3c4d-head/kill')).toMatchObject([200, { phase: 'ended' }]);
    expect(await control(test, 'GET', '/ledger')).toMatchObject([200, { running: 0, everCreated: 1 }]);
    expect(await control(test, 'POST', '/machines/nobody/kill')).toMatchObject([404, {}]);
    expect(await control(test, 'POST', '/machines/ic-one-1a2b3c4d-head/fault', { kind: 'hang' })).toMatchObject([
      409,
      {},
    ]);
  });

  it('lets a row fall back to INIT or be lost while its machine runs', async () => {
    const test = await running();
    await control(test, 'POST', '/clusters/ic-one/init');
    expect(await test.rows('ic-one')).toMatchObject([{ status: 'INIT', cluster_ever_up: true }]);
    await control(test, 'POST', '/clusters/ic-one/lose');
    expect(await test.rows('ic-one')).toEqual([]);
    expect(test.world.ledger.running()).toHaveLength(1);
  });

  it('sets prices, what is billed, limits and the catalogue while it runs', async () => {
    const test = await running();
    await control(test, 'PUT', '/prices', {
      prices: [
        { gpu: 'L4', secure: null },
        { gpu: 'A40', billedFactor: 2 },
      ],
    });
    expect(await l4Price(test)).toBeNull();
    await control(test, 'PUT', '/runpod', { perMinute: 60 });
    expect(test.world.runpodOptions.perMinute).toBe(60);
    await control(test, 'PUT', '/vast', { minIntervalScale: 0.5 });
    expect(test.world.vast.options.minIntervalScale).toBe(0.5);
    await control(test, 'PUT', '/stock', { thresholds: { medium: 2, high: 4 } });
    expect(test.world.stock.thresholds).toEqual({ medium: 2, high: 4 });
    await control(test, 'PUT', '/catalogue', { drift: 2 });
    expect(await control(test, 'POST', '/catalogue/refresh')).toEqual([200, { version: 1 }]);
    const [, { files }] = (await control(test, 'GET', '/catalogue')) as [number, { files: Record<string, string> }];
    expect(files['runpod/vms.csv']).toContain('1x_L40S_SECURE,L40S,1.0,8.0,48.0,US,0.86,1.72,US-KS-2');
    expect(files['runpod/vms.csv']).not.toContain('1x_L4_SECURE');
  });

  it('has a provider bill another price from now on, until the machine is gone', async () => {
    const test = await running();
    const path = '/machines/ic-one-1a2b3c4d-head/price';
    expect(await control(test, 'POST', path, { pricePerHour: 7 })).toMatchObject([200, { pricePerHour: 7 }]);
    expect(test.world.ledger.everCreated()[0]?.segments.map(({ pricePerHour }) => pricePerHour)).toEqual([0.43, 7]);
    await control(test, 'POST', '/machines/ic-one-1a2b3c4d-head/kill');
    expect(await control(test, 'POST', path, { pricePerHour: 8 })).toMatchObject([409, {}]);
  });

  it.each([{ kind: 'machine-doubled' }, { kind: 'job-log', text: 'pulling' }])('arms %j', async (effect) => {
    expect(await control(await running(), 'POST', '/faults', { service: 'sky', verb: 'launch', effect })).toMatchObject(
      [200, { id: 1 }],
    );
  });

  it('arms, lists and clears faults, and changes stock', async () => {
    const test = await running();
    const rule = { service: 'sky', verb: 'down', count: 2, effect: { kind: 'down-lies' } };
    expect(await control(test, 'POST', '/faults', rule)).toMatchObject([200, { id: 1 }]);
    expect(await control(test, 'GET', '/faults')).toMatchObject([200, { faults: [{ id: 1, left: 2, rule }] }]);
    await control(test, 'DELETE', '/faults');
    expect(await control(test, 'GET', '/faults')).toEqual([200, { faults: [] }]);
    await control(test, 'PUT', '/stock', { stock: [{ gpu: 'H100', place: 'EU-RO-1', free: 1 }] });
    expect(test.world.stock.freeAt('runpod', 'NVIDIA H100 PCIe', 'EU-RO-1')).toBe(1);
  });

  it.each(['fault', 'load', 'restart'])('has no server to %s on a machine that is gone', async (action) => {
    const test = await running();
    await control(test, 'POST', `${MACHINE}/kill`);
    expect(await control(test, 'POST', `${MACHINE}/${action}`, BODIES[action])).toMatchObject([409, {}]);
  });

  it('sets several faults of a model server at once', async () => {
    const test = await running();
    const faults = [
      { kind: 'second-name', name: 'also' },
      { kind: 'redirect', path: '/health', to: '/ping' },
    ];
    await control(test, 'POST', `${MACHINE}/fault`, { faults });
    expect(await server(test, '/v1/models', CANARY)).toMatchObject({ body: expect.stringContaining('"also"') });
    expect(await server(test, '/health')).toMatchObject({ status: 307 });
  });

  it('makes a model server believe in a load', async () => {
    const test = await running();
    await control(test, 'POST', `${MACHINE}/load`, { running: 7, waiting: 2 });
    expect(await server(test, '/metrics')).toMatchObject({
      body: expect.stringMatching(/num_requests_running\{.*\} 7\.0/),
    });
  });

  it('starts a model server again, as another one, with counters from zero', async () => {
    const test = await running();
    await control(test, 'POST', `${MACHINE}/load`, { running: 1, tokensPerSecond: 100 });
    await test.clock.advance(2_000);
    expect(await server(test, '/metrics')).toMatchObject({
      body: expect.stringContaining('generation_tokens_total{engine="0",model_name="qwen3-8b"} 200.0'),
    });
    const change = { profile: 'vllm-v0', loadMs: 3_000 };
    expect(await control(test, 'POST', `${MACHINE}/restart`, change)).toMatchObject([
      200,
      { profile: 'vllm-v0', version: '0.6.6', server: 'started' },
    ]);
    await test.clock.advance(2_900);
    expect(await server(test, '/health')).toBe('refused');
    await test.clock.advance(200);
    expect(await server(test, '/metrics')).toMatchObject({
      body: expect.stringContaining('\nvllm:generation_tokens_total{model_name="qwen3-8b"} 0.0\n'),
    });
    expect(await server(test, '/version')).toMatchObject({ body: '{"version":"0.6.6"}' });
  });

  it('has a launch end in another server than its task tells', async () => {
    const test = new TestWorld();
    const effect = { kind: 'server-change', change: { profile: 'llamacpp', version: 'b6700', loadMs: 60_000 } };
    await control(test, 'POST', '/faults', { service: 'sky', verb: 'launch', effect });
    await test.launch();
    await test.clock.advance(5_000);
    expect(await server(test, '/health')).toMatchObject({
      status: 503,
      body: expect.stringContaining('Loading model'),
    });
    expect(await server(test, '/v1/models')).toMatchObject({ status: 200 });
    await test.clock.advance(60_000);
    expect(await server(test, '/health')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  });

  it('knows which hosts were shown a key, and whether it was theirs', async () => {
    const test = await running();
    const to = `${WORLD_HOSTS.elsewhere}/metrics`;
    await control(test, 'POST', `${MACHINE}/fault`, { kind: 'redirect', path: '/metrics', to });
    await server(test, '/health');
    await server(test, '/v1/models', CANARY);
    await server(test, '/v1/models', 'some other key');
    const { headers } = (await server(test, '/metrics')) as HttpAnswer;
    expect(await test.http('GET', headers['location'] ?? '')).toMatchObject({ status: 200 });
    const { host, port } = test.world.cloud.all()[0]?.address ?? { host: '', port: 0 };
    const own = { host: `${host}:${port}`, own: 1, foreign: 1 };
    expect(await control(test, 'GET', '/keys')).toEqual([200, { hosts: [own] }]);
    await test.http('GET', headers['location'] ?? '', CANARY);
    expect(await control(test, 'GET', '/keys')).toEqual([
      200,
      { hosts: [own, { host: 'elsewhere.example', own: 0, foreign: 1 }] },
    ]);
    expect(JSON.stringify(test.world.keysSeen.all())).not.toContain(CANARY);
  });
});
