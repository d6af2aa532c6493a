import { describe, expect, it } from '@jest/globals';
import { TestWorld, type HttpAnswer } from '../test-world.js';

const BASE = 'https://api.runpod.io';
const POD = 'include=AVAILABILITY&product=POD';

const get = (test: TestWorld, path: string, key: string | undefined = test.world.keys.runpod) =>
  test.http('GET', `${BASE}${path}`, key);

async function l4(test: TestWorld, query = POD): Promise<Record<string, unknown>> {
  const { gpus } = (await test.json('GET', `${BASE}/v2/catalog/gpus?${query}`, test.world.keys.runpod)) as {
    gpus: Record<string, unknown>[];
  };
  return gpus.find(({ id }) => id === 'NVIDIA L4') ?? {};
}

describe('RunPod REST v2', () => {
  it.each([
    ['include=AVAILABILITY', 400],
    ['product=POD', 400],
    ['count=2', 400],
    [`${POD}&count=0`, 400],
    [`${POD}&cloud=OTHER`, 400],
    [`${POD}&countryCodes=usa`, 422],
    [`${POD}&cudaVersions=12.8&minCudaVersion=12`, 400],
    [`${POD}&cudaVersions=twelve`, 422],
    [`${POD}&minCudaVersion=12.x`, 422],
    ['include=EVERYTHING', 422],
    ['countryCodes=US', 400],
    ['include=AVAILABILITY&product=BOX', 400],
    [`${POD}&countryCodes=US,RO`, 200],
    ['', 200],
  ])('answers the query "%s" with %i', async (query, status) => {
    const answer = (await get(new TestWorld(), `/v2/catalog/gpus?${query}`)) as HttpAnswer;
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe(status === 200 ? 'application/json' : 'application/problem+json');
    expect(answer.headers['ratelimit-policy']).toContain('"minute";q=60;w=60');
  });

  it('wants a bearer token, an agent and no key in the URL, and notes the attempt without the key', async () => {
    const test = new TestWorld();
    expect(await test.http('GET', `${BASE}/v2/catalog/gpus`)).toMatchObject({ status: 401 });
    expect(await get(test, '/v2/catalog/gpus', 'wrong')).toMatchObject({ status: 403 });
    const bare = await test.world.handleHttp({ method: 'GET', url: `${BASE}/v2/catalog/gpus`, headers: {}, body: '' });
    expect(bare).toMatchObject({ status: 403, body: expect.stringMatching(/^<!DOCTYPE html>.*error code: 1010/) });
    expect(await get(test, `/graphql?api_key=${test.world.keys.runpod}`)).toMatchObject({ status: 400 });
    expect(test.world.calls.all().at(-1)).toMatchObject({ keyInUrl: true, url: '/graphql?api_key=[key]' });
    expect(JSON.stringify(test.world.calls.all())).not.toContain(test.world.keys.runpod);
  });

  it('shows stock only when asked, by what is free in the places asked for', async () => {
    const test = new TestWorld();
    expect(await l4(test, '')).not.toHaveProperty('availability');
    expect(await l4(test)).toMatchObject({ availability: 'HIGH', price: { secure: 0.43 }, maxCount: { secure: 8 } });
    test.world.stock.set({ gpu: 'L4', free: 0 });
    const none = await l4(test);
    expect(none).toMatchObject({ availability: 'NONE' });
    expect(none).not.toHaveProperty('dataCenters');
    test.world.stock.set({ gpu: 'L4', place: 'EU-RO-1', free: 2 });
    expect(await l4(test)).toMatchObject({
      availability: 'LOW',
      dataCenters: [{ id: 'EU-RO-1', availability: 'LOW' }],
    });
    expect(await l4(test, `${POD}&count=4`)).toMatchObject({ availability: 'NONE' });
    expect(await l4(test, `${POD}&countryCodes=US`)).toEqual({});
  });

  it('has stock of its own in each cloud, with prices that can be missing', async () => {
    const test = new TestWorld();
    test.world.stock.set({ gpu: 'L4', tier: 'COMMUNITY', free: 0 });
    expect(await l4(test, `${POD}&cloud=COMMUNITY`)).toMatchObject({ availability: 'NONE' });
    expect(await l4(test)).toMatchObject({ availability: 'HIGH', price: { secure: 0.43, serverless: 1.075 } });
    test.world.prices.set({ gpu: 'L4', secure: null, community: 0.5 });
    expect(await l4(test)).toMatchObject({ price: { secure: null, community: 0.5 } });
  });

  it('calls a count that no machine has unavailable, however much stock there is', async () => {
    const test = new TestWorld();
    test.world.stock.set({ gpu: 'L4', shownLevel: 'HIGH' });
    expect(await l4(test, `${POD}&count=8`)).toMatchObject({ availability: 'HIGH' });
    expect(await l4(test, `${POD}&count=9`)).toMatchObject({ availability: 'NONE', maxCount: { secure: 8 } });
  });

  it('says which CUDA versions fit the question', async () => {
    const versions = [
      { version: '12.8', available: true },
      { version: '12.4', available: false },
    ];
    expect(await l4(new TestWorld(), `${POD}&minCudaVersion=12.6`)).toMatchObject({ cudaVersions: versions });
    expect(await l4(new TestWorld(), `${POD}&cudaVersions=12.8`)).toMatchObject({ cudaVersions: versions });
  });

  it('shows stock that flaps, another level with every question but one level within an answer', async () => {
    const test = new TestWorld();
    test.world.stock.set({ gpu: 'L4', shownLevels: ['HIGH', 'NONE'] });
    const levels = [];
    for (let asked = 0; asked < 4; asked += 1) {
      const { availability, dataCenters = [] } = await l4(test);
      levels.push(availability);
      for (const center of dataCenters as { availability: string }[]) expect(center.availability).toBe(availability);
    }
    expect(levels).toEqual(['HIGH', 'NONE', 'HIGH', 'NONE']);
  });

  it('sets its levels by thresholds that can be moved', async () => {
    const test = new TestWorld();
    test.world.stock.set({ gpu: 'L4', free: 0 });
    test.world.stock.set({ gpu: 'L4', place: 'US-TX-3', free: 4 });
    expect(await l4(test)).toMatchObject({ availability: 'MEDIUM' });
    test.world.stock.thresholds = { medium: 5, high: 6 };
    expect(await l4(test)).toMatchObject({ availability: 'LOW' });
    test.world.stock.thresholds = { medium: 1, high: 4 };
    expect(await l4(test)).toMatchObject({ availability: 'HIGH' });
  });

  it('lists data centers with their stock when asked, and refuses a region that is none', async () => {
    const test = new TestWorld();
    test.world.stock.set({ gpu: 'L4', place: 'EU-RO-1', free: 0 });
    const answer = await test.json(
      'GET',
      `${BASE}/v2/catalog/datacenters?include=GPU_AVAILABILITY&regions=EUROPE`,
      test.world.keys.runpod,
    );
    expect(answer).toMatchObject({
      dataCenters: [
        {
          id: 'EU-RO-1',
          gpuAvailability: expect.arrayContaining([expect.objectContaining({ id: 'NVIDIA L4', availability: 'NONE' })]),
        },
        { id: 'EUR-IS-1' },
      ],
    });
    expect(await get(test, '/v2/catalog/datacenters?regions=MOON')).toMatchObject({ status: 422 });
    expect(await get(test, '/v2/catalog/datacenters/EU-RO-1')).toMatchObject({ status: 200 });
    expect(await get(test, '/v2/catalog/datacenters/EU-RO-9')).toMatchObject({ status: 404 });
  });

  it('loses a create to somebody faster although there is stock, so many times as told', async () => {
    const test = new TestWorld();
    test.world.stock.set({ gpu: 'L4', failNext: 1 });
    expect(await l4(test)).toMatchObject({ availability: 'HIGH' });
    await test.launch();
    await test.clock.advance(5_000);
    expect(test.world.sky.requests[0]).toMatchObject({ status: 'FAILED' });
    await test.launch('ic-two');
    await test.clock.advance(5_000);
    expect(test.world.sky.requests[1]).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('rents a pod over REST, and without stock answers 400 with nothing but a text', async () => {
    const test = new TestWorld();
    const order = { name: 'one', gpu: { id: 'NVIDIA L4', count: 2 } };
    const ask = (): Promise<unknown> => test.http('POST', `${BASE}/v2/pods`, test.world.keys.runpod, order);
    expect(await ask()).toMatchObject({ status: 201 });
    test.world.stock.set({ gpu: 'L4', free: 1 });
    expect(await ask()).toMatchObject({
      status: 400,
      body: expect.stringContaining('no longer any instances available'),
    });
    expect(test.world.ledger.running()).toHaveLength(1);
  });

  it('bills another price than it lists when told to, from the start or from now on', async () => {
    const test = new TestWorld();
    test.world.prices.set({ gpu: 'L4', billedFactor: 1.5 });
    await test.launch();
    await test.clock.advance(3_600_000);
    const cost = async (): Promise<unknown> =>
      ((await test.json('GET', `${BASE}/v2/pods`, test.world.keys.runpod)) as { pods: { cost: number }[] }).pods[0]
        ?.cost;
    expect(await l4(test)).toMatchObject({ price: { secure: 0.43 } });
    expect(await cost()).toBe(0.645);
    const billed = test.world.ledger.cost();
    expect(billed).toBeCloseTo(0.645, 2);
    const [machine] = test.world.cloud.running();
    if (machine) test.world.cloud.reprice(machine, 2);
    expect(await cost()).toBe(2);
    await test.clock.advance(1_800_000);
    expect(test.world.ledger.cost() - billed).toBeCloseTo(1, 3);
  });

  it('keeps a type without a site in the country on the single route, and knows no other ids', async () => {
    const test = new TestWorld();
    test.world.stock.set({ gpu: 'L4', free: 0 });
    expect(await get(test, `/v2/catalog/gpus/NVIDIA%20L4?${POD}&countryCodes=US`)).toMatchObject({ status: 200 });
    expect(await get(test, `/v2/catalog/gpus/NVIDIA%20L5?${POD}`)).toMatchObject({ status: 404 });
  });

  it('can show a level that stock does not bear out, so that the create fails after all', async () => {
    const test = new TestWorld();
    test.world.stock.set({ gpu: 'L4', free: 0, shownLevel: 'LOW' });
    expect(await l4(test)).toMatchObject({ availability: 'LOW' });
    await test.launch();
    await test.clock.advance(5_000);
    expect(test.world.sky.requests[0]).toMatchObject({ status: 'FAILED' });
    test.world.stock.set({ gpu: 'L4', shownLevel: 'VERY_LOW' });
    expect(await l4(test)).toMatchObject({ availability: 'VERY_LOW' });
  });

  it('limits requests a minute when told to, with Retry-After', async () => {
    const test = new TestWorld({ runpod: { perMinute: 2 } });
    await get(test, '/v2/catalog/gpus');
    await get(test, '/v2/catalog/gpus');
    expect(await get(test, '/v2/catalog/gpus')).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    await test.clock.advance(60_000);
    expect(await get(test, '/v2/catalog/gpus')).toMatchObject({ status: 200 });
  });

  it('limits the hour as well, and waits for the window that is full', async () => {
    const test = new TestWorld({ runpod: { perMinute: 60, perHour: 2 } });
    await get(test, '/v2/catalog/gpus');
    const second = (await get(test, '/v2/catalog/gpus')) as HttpAnswer;
    expect(second.headers['ratelimit']).toMatch(/^"minute";r=58;t=\d+, "hour";r=0;t=3600, "day"/);
    expect(await get(test, '/v2/catalog/gpus')).toMatchObject({ status: 429, headers: { 'retry-after': '3600' } });
  });

  it('lists the pods that SkyPilot rented, and a pod deleted here is gone there', async () => {
    const test = new TestWorld();
    await test.launch();
    await test.clock.advance(5_000);
    const { pods } = (await test.json('GET', `${BASE}/v2/pods`, test.world.keys.runpod)) as {
      pods: { id: string; name: string; status: string }[];
    };
    expect(pods).toMatchObject([{ name: 'ic-one-1a2b3c4d-head', status: 'RUNNING' }]);
    expect(await test.http('DELETE', `${BASE}/v2/pods/${pods[0]?.id ?? ''}`, test.world.keys.runpod)).toMatchObject({
      status: 204,
    });
    expect(test.world.ledger.running()).toEqual([]);
  });

  it('lists in pages, and shows a machine whose row SkyPilot has lost, and one it rented twice', async () => {
    const test = new TestWorld();
    test.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'row-lost' } });
    await test.launch();
    await test.clock.advance(5_000);
    test.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'machine-doubled' } });
    await test.launch('ic-two');
    await test.clock.advance(5_000);
    expect((await test.rows()).map(({ name }) => name)).toEqual(['ic-two']);
    const names: string[] = [];
    for (let cursor = '', pages = 0; pages < 3; pages += 1) {
      const page = (await test.json('GET', `${BASE}/v2/pods?limit=1${cursor}`, test.world.keys.runpod)) as {
        pods: { name: string }[];
        pagination: { hasNextPage: boolean; nextCursor: string | null };
      };
      names.push(...page.pods.map(({ name }) => name));
      cursor = `&cursor=${page.pagination.nextCursor ?? ''}`;
      expect(page.pagination.hasNextPage).toBe(pages < 2);
    }
    expect(names).toEqual(['ic-one-1a2b3c4d-head', 'ic-two-1a2b3c4d-head', 'ic-two-1a2b3c4d-head']);
  });
});

describe('faults before an HTTP service', () => {
  it.each([
    [{ kind: 'status', status: 500 } as const, { status: 500 }],
    [{ kind: 'status', status: 429, retryAfterSeconds: 7 } as const, { status: 429, headers: { 'retry-after': '7' } }],
    [{ kind: 'lost-reply' } as const, 'reset'],
    [{ kind: 'hang' } as const, 'hang'],
    [{ kind: 'refusal', reason: 'unreachable' } as const, 'refused'],
    [{ kind: 'malformed', how: 'garbage' } as const, { status: 200, body: '<html><body>upstream error</body></html>' }],
  ])('%j', async (effect, expected) => {
    const test = new TestWorld();
    test.world.faults.add({ service: 'runpod', verb: 'GET /v2/catalog/*', effect });
    const answer = await get(test, '/v2/catalog/gpus');
    if (typeof expected === 'string') expect(answer).toBe(expected);
    else expect(answer).toMatchObject(expected);
    expect(await get(test, '/v2/catalog/gpus')).toMatchObject({ status: 200 });
  });
});
