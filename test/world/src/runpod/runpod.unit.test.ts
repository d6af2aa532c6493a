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
    expect(bare).toMatchObject({ status: 403, body: 'error code: 1010' });
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
    const test = new TestWorld({ runPodPerMinute: 2 });
    await get(test, '/v2/catalog/gpus');
    await get(test, '/v2/catalog/gpus');
    expect(await get(test, '/v2/catalog/gpus')).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    await test.clock.advance(60_000);
    expect(await get(test, '/v2/catalog/gpus')).toMatchObject({ status: 200 });
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

describe('RunPod GraphQL', () => {
  const query =
    'query($f: GpuTypeFilter, $p: GpuLowestPriceInput) { gpuTypes(input: $f) { id lowestPrice(input: $p) { stockStatus } } }';
  const ask = (test: TestWorld, variables: unknown, key?: string) =>
    test.json('POST', `${BASE}/graphql`, key, { query, variables });

  it('answers stock without a key, from the same table', async () => {
    const test = new TestWorld();
    const variables = { f: { id: 'NVIDIA L4' }, p: { gpuCount: 2, secureCloud: true } };
    expect(await ask(test, variables)).toMatchObject({
      data: { gpuTypes: [{ id: 'NVIDIA L4', lowestPrice: { stockStatus: 'High', uninterruptablePrice: 0.43 } }] },
    });
    test.world.stock.set({ gpu: 'L4', free: 1 });
    expect(await ask(test, variables)).toMatchObject({ data: { gpuTypes: [{ lowestPrice: { stockStatus: null } }] } });
    expect(await ask(test, { f: { id: 'none' } })).toEqual({ data: { gpuTypes: [] } });
  });

  it('reads arguments written into the query, and refuses a wrong key', async () => {
    const test = new TestWorld();
    const written = {
      query: '{ gpuTypes(input: {id: "NVIDIA L4"}) { id lowestPrice(input: {gpuCount: 16}) { stockStatus } } }',
    };
    expect(await test.json('POST', `${BASE}/graphql`, undefined, written)).toMatchObject({
      data: { gpuTypes: [{ id: 'NVIDIA L4', lowestPrice: { stockStatus: null } }] },
    });
    expect(await test.http('POST', `${BASE}/graphql`, 'wrong', written)).toMatchObject({ status: 401 });
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
