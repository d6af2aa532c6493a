import { describe, expect, it } from '@jest/globals';
import { seeded } from '../clock.js';
import { controlHandler } from '../control.js';
import { VastTest, type Row } from './testing.js';

const HOUR_MS = 3_600_000;
const GPU_HOURLY = 0.27;
const DISK_HOURLY = (40 * 0.15) / 720;

describe('what a worker is charged by its state', () => {
  it.each([
    ['idle', 1e9],
    ['stopped', 1],
  ] as const)('%s', async (status, inactivity_timeout) => {
    const test = new VastTest();
    const { endpoint } = await test.serving({ inactivity_timeout });
    await test.clock.advance(5_000);
    expect(await test.statuses(endpoint)).toEqual([status]);
    const before = test.vast.truth().spend;
    await test.clock.advance(HOUR_MS);
    const [machine] = test.world.cloud.running();
    const gpu = status === 'idle' ? (machine?.pricePerHour ?? 0) : 0;
    expect(test.vast.truth().spend - before).toBeCloseTo(gpu + DISK_HOURLY, 4);
  });

  it('nothing before it is rented, in error, or once it is gone; and the ledger says the same', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serving();
    await test.ask('DELETE', `/endptjobs/${endpoint}/`);
    await test.clock.advance(2_000);
    const { spend } = test.vast.truth();
    await test.clock.advance(HOUR_MS);
    expect(test.vast.truth().spend).toBe(spend);
    expect(spend).toBeGreaterThan(0);
    // The ledger counts from the moment of the rental, before the first state is entered.
    expect(test.world.ledger.cost()).toBeCloseTo(spend, 5);
  });
});

describe('what the account is told of its money', () => {
  async function spent(): Promise<{
    test: VastTest;
    endpoint: number;
    group: number;
    query: (more?: object) => string;
  }> {
    const test = new VastTest();
    const { endpoint, group } = await test.serving({ cold_workers: 2, min_load: 1_000 });
    await test.clock.advance(HOUR_MS);
    const second = test.clock.nowMs() / 1000;
    const day = { gte: second - 86_400, lte: second };
    const query = (more = {}): string =>
      new URLSearchParams({
        select_filters: JSON.stringify({ day, type: { in: ['serverless'] } }),
        ...more,
      }).toString();
    return { test, endpoint, group, query };
  }

  it('charges: one row a worker, by GPU and disk, which add up to what is true', async () => {
    const { test, endpoint, group, query } = await spent();
    const answer = await test.ask('GET', `/charges/?${query()}`);
    expect(answer).toMatchObject({ count: 2, total: 2, next_token: null });
    const rows = answer['results'] as { amount: number; metadata: object; items: { type: string; amount: number }[] }[];
    expect(rows[0]).toMatchObject({ metadata: { endpoint_id: endpoint, workergroup_id: group } });
    expect(rows[0]?.items.map(({ type }) => type)).toEqual(['gpu', 'disk']);
    expect(rows.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(test.vast.truth().spend, 6);
    expect(rows[0]?.items[0]?.amount).toBeGreaterThan(GPU_HOURLY * 0.9);
  });

  it('charges come in pages, and as a tree of endpoints and workergroups', async () => {
    const { test, endpoint, group, query } = await spent();
    const first = await test.ask('GET', `/charges/?${query({ limit: '1' })}`);
    expect(first).toMatchObject({ count: 1, total: 2, next_token: expect.any(String) });
    const second = await test.ask(
      'GET',
      `/charges/?${query({ limit: '1', after_token: String(first['next_token']) })}`,
    );
    expect(second).toMatchObject({ count: 1, next_token: null });
    expect(await test.ask('GET', `/charges/?${query({ format: 'tree' })}`)).toMatchObject({
      results: [{ source: `endpoint-${endpoint}`, items: [{ source: `workergroup-${group}`, items: [{}, {}] }] }],
    });
    expect(await test.ask('GET', `/charges/?${query({ after_token: 'x' })}`)).toMatchObject({
      status: 400,
      error: 'invalid_token',
    });
  });

  it('charges need both ends of their day', async () => {
    const msg = "Must provide both 'day' gte and lte filters for instance charges";
    expect(await new VastTest().ask('GET', '/charges/')).toMatchObject({ status: 400, msg });
  });

  it('spend by endpoint and by workergroup, and credit, follow from the same books', async () => {
    const { test, endpoint, group } = await spent();
    const { spend } = test.vast.truth();
    expect(await test.ask('GET', '/serverless/endpoints/spend')).toMatchObject({
      results: [{ endpoint_id: endpoint, spend }],
    });
    expect(await test.ask('GET', '/serverless/workergroups/spend')).toMatchObject({
      results: [{ workergroup_id: group, spend }],
    });
    expect(await test.ask('GET', '/users/current/')).toMatchObject({ credit: 10_000 - spend });
  });
});

describe('the engine', () => {
  it('takes a load that exactly fills its workers for enough, and one above it for too much', async () => {
    const active = async (cost: number): Promise<number> => {
      const test = new VastTest({}, { timings: { vast: { loadWindowMs: 1_000 } } });
      const { endpoint } = await test.serving({ target_util: 1, cold_mult: 1, cold_workers: 1, max_workers: 4 });
      const stored = test.vast.store.endpoints.get(endpoint);
      const [worker] = test.vast.store.workers.values();
      if (stored && worker) {
        worker.measured = 800;
        test.vast.engine.demand(stored, cost);
      }
      await test.clock.advance(60);
      return test.vast.store.workers.size;
    };
    expect([await active(800), await active(801)]).toEqual([1, 2]);
  });

  it('adds a worker while requests wait longer than the target', async () => {
    const test = new VastTest({ workerMaxQueueS: null });
    const { endpoint } = await test.serving({
      ...{ cold_workers: 1, max_workers: 3, target_queue_time: 1, max_queue_time: 0.5, cold_mult: 1, target_util: 1 },
    });
    test.begin(await test.route({ cost: 1 }), { model: 'qwen3-8b', max_tokens: 16_000, messages: [] });
    const { request_idx, ...waiting } = await test.route({ cost: 1 });
    expect(waiting).not.toHaveProperty('url');
    for (let second = 0; second < 12; second += 1) {
      await test.clock.advance(1_000);
      await test.route({ cost: 1, request_idx });
    }
    expect((await test.workers(endpoint)).length).toBeGreaterThan(1);
  });

  it('releases workers above the cap at once, and stopped ones above the need in time', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serving({ cold_workers: 3, max_workers: 3, inactivity_timeout: 1 });
    await test.clock.advance(5_000);
    const put = (policy: object): Promise<Row> => test.ask('PUT', `/endptjobs/${endpoint}/`, policy);
    await put({ cold_workers: 1 });
    await test.clock.advance(1_000);
    expect(await test.statuses(endpoint)).toHaveLength(3);
    await test.clock.advance(60_000);
    expect(await test.statuses(endpoint)).toEqual(['stopped']);
    await put({ max_workers: 0 });
    await test.clock.advance(1_000);
    expect(await test.statuses(endpoint)).toEqual([]);
  });

  it.each([
    ['suspended', ['idle']],
    ['stopped', ['stopped']],
  ] as const)('leaves the workers of an endpoint that is %s as %j', async (endpoint_state, expected) => {
    const test = new VastTest();
    const { endpoint } = await test.serving({ inactivity_timeout: 10 });
    await test.ask('PUT', `/endptjobs/${endpoint}/`, { endpoint_state });
    await test.clock.advance(60_000);
    expect(await test.statuses(endpoint)).toEqual(expected);
  });

  it('never lets go of the last active worker where the timeout is negative', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serving({ inactivity_timeout: -1 });
    await test.clock.advance(600_000);
    expect(await test.statuses(endpoint)).toEqual(['idle']);
  });
});

describe('one seed', () => {
  it('gives the same bytes twice, another seed others', async () => {
    const story = async (seed: number): Promise<string> => {
      const test = new VastTest({}, { random: seeded(seed) });
      const serving = await test.serving({ cold_workers: 2 });
      const auth = await test.route();
      const answer = await test.call(auth);
      await test.put(serving, await test.template());
      await test.clock.advance(20_000);
      return JSON.stringify([
        auth,
        answer,
        await test.ask('GET', 'v1/instances/'),
        test.vast.truth(),
        test.world.calls.all(),
      ]);
    };
    const [first, again, other] = [await story(1), await story(1), await story(2)];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });
});

describe('the control interface', () => {
  async function control(
    test: VastTest,
    method: string,
    path: string,
    body: unknown = '',
  ): Promise<readonly [number, Row]> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await controlHandler(test.world)({ method, url: new URL(path, 'http://c'), headers: {}, body: text });
    if (reply.kind !== 'response' || typeof reply.body !== 'string') throw new Error('no answer');
    return [reply.status, JSON.parse(reply.body) as Row];
  }

  it('shows switches without keys, and turns them', async () => {
    const test = new VastTest();
    expect(await control(test, 'PUT', '/vast', { rollTrigger: 'call-only' })).toEqual([200, { changed: 1 }]);
    const [, { switches }] = await control(test, 'GET', '/vast');
    expect(switches).toMatchObject({ rollTrigger: 'call-only', putEndpoint: 'merge' });
    expect(switches).not.toHaveProperty('apiKey');
    expect((await control(test, 'PUT', '/vast', { apiKey: 'mine' }))[0]).toBe(400);
  });

  it('arms, lists and ends faults', async () => {
    const test = new VastTest();
    expect(await control(test, 'POST', '/vast/faults', { kind: 'latency', ms: 5, workers: 2 })).toEqual([
      200,
      { id: 1 },
    ]);
    await control(test, 'POST', '/vast/faults', { kind: 'flap' });
    expect((await control(test, 'POST', '/vast/faults', { kind: 'x' }))[0]).toBe(400);
    await control(test, 'DELETE', '/vast/faults/2');
    expect(await control(test, 'GET', '/vast/faults')).toEqual([
      200,
      { faults: [{ id: 1, kind: 'latency', ms: 5, workers: 2, hit: [] }] },
    ]);
    await control(test, 'DELETE', '/vast/faults');
    expect(test.vast.defects.list()).toEqual([]);
  });

  it('tells the truth, the journal and what secrets stand in a text', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serving();
    expect(await control(test, 'GET', '/vast/truth')).toMatchObject([
      200,
      { workers: [{ endpointId: endpoint, status: 'idle', leaked: false }], leaked: 0 },
    ]);
    const [, { calls }] = await control(test, 'GET', '/vast/journal');
    expect(calls).toMatchObject([{ method: 'POST' }, { method: 'POST' }]);
    expect(await control(test, 'POST', '/vast/scan', `log: ${test.world.keys.vast}`)).toEqual([
      200,
      { found: ['account key'] },
    ]);
    expect((await control(test, 'GET', '/vast/nothing'))[0]).toBe(404);
  });
});
