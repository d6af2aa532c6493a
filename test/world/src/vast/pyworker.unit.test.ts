import { createVerify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CHAT, VastTest } from './testing.js';

describe('the server of a worker', () => {
  it('passes the payload of a signed call on to its model, and no key', async () => {
    const test = new VastTest();
    await test.serving();
    const answer = await test.call(await test.route());
    if (typeof answer === 'string') throw new Error(answer);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ object: 'chat.completion', model: 'qwen3-8b' });
    expect(test.world.keysSeen.all()).toEqual([]);
  });

  it('verifies RSA PKCS#1 v1.5 with SHA-256 over the address in JSON of four blanks, which anybody can check', async () => {
    const test = new VastTest();
    await test.serving();
    const { url, signature } = await test.route();
    const pem = await test.http('GET', 'https://run.vast.ai/pubkey/');
    if (typeof pem === 'string') throw new Error(pem);
    const signed = createVerify('sha256').update(`{\n    "url": "${url ?? ''}"\n}`);
    expect(signed.verify(pem.body, String(signature), 'base64')).toBe(true);
  });

  it.each([
    ['another address', { url: 'http://127.0.0.1:1' }],
    ['a signature of nobody', { signature: 'AAAA' }],
  ])('answers 401 to %s', async (_what, change) => {
    const test = new VastTest();
    await test.serving();
    const auth = await test.route();
    const body = { auth_data: { ...auth, ...change }, session_id: null, payload: CHAT };
    expect(await test.http('POST', `${auth.url ?? ''}/v1/completions`, undefined, body)).toMatchObject({
      status: 401,
      body: '',
    });
  });

  it('signs every field where workers are older, so that a changed cost is found out', async () => {
    const test = new VastTest({ signedFields: 'all' });
    await test.serving();
    const auth = await test.route();
    expect(await test.callStatus({ ...auth, cost: 1 })).toBe(401);
    expect(await test.callStatus(auth)).toBe(200);
    const newer = new VastTest();
    await newer.serving();
    expect(await newer.callStatus({ ...(await newer.route()), cost: 1 })).toBe(200);
  });

  it.each([
    ['no JSON', 'x', { error: 'invalid JSON' }],
    ['no auth_data', { payload: {} }, { auth_data: 'field missing' }],
    ['no payload', { auth_data: {} }, { payload: 'field missing' }],
    [
      'no signature',
      { auth_data: { cost: 1, endpoint: 'x', reqnum: 1, request_idx: 1, url: 'u' }, payload: {} },
      { auth_data: { signature: 'missing parameter' } },
    ],
  ])('answers 422 to a body with %s', async (_what, body, expected) => {
    const test = new VastTest();
    await test.serving();
    const { url = '' } = await test.route();
    const answer = await test.http('POST', `${url}/v1/completions`, undefined, body);
    if (typeof answer === 'string') throw new Error(answer);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([422, expected]);
  });

  it('knows no session, and answers 410 to one', async () => {
    const test = new VastTest();
    await test.serving();
    expect(await test.callStatus(await test.route(), CHAT, { session_id: 'gone' })).toBe(410);
  });

  it('does one thing after another at its throughput', async () => {
    const test = new VastTest();
    await test.serving();
    const [first, second] = [test.begin(await test.route()), test.begin(await test.route())];
    await test.clock.advance(150);
    expect([first.status, second.status]).toEqual([200, undefined]);
    await test.clock.advance(100);
    expect(second.status).toBe(200);
  });

  it('answers 429 when the work it has would keep a request longer than its limit', async () => {
    const test = new VastTest({ workerMaxQueueS: 1 });
    await test.serving();
    const [first, second] = [await test.route(), await test.route()];
    test.begin(first, { ...CHAT, max_tokens: 1_000 });
    expect(await test.callStatus(second)).toBe(429);
  });

  it('notes a client that left as 499 and does no work for it', async () => {
    const test = new VastTest();
    await test.serving();
    const gone = new AbortController();
    const call = test.begin(await test.route(), CHAT, gone.signal);
    gone.abort();
    await test.clock.advance(1_000);
    expect(call.status).toBe(499);
    expect(test.vast.truth().workers).toMatchObject([{ inFlight: 0 }]);
  });

  it('answers 500 when its model gives no answer', async () => {
    const test = new VastTest();
    await test.serving();
    const auth = await test.route();
    test.world.cloud.running().forEach((machine) => void test.world.cloud.stopServer(machine));
    expect(await test.callStatus(auth)).toBe(500);
  });
});

describe('routing', () => {
  it('goes to the worker with the least expected wait', async () => {
    const test = new VastTest();
    await test.serving({ cold_workers: 2, min_load: 1_000 });
    const first = await test.route();
    test.begin(first);
    const second = await test.route();
    expect(second.url).not.toBe(first.url);
  });

  it('counts a call as load once, however often it is repeated with its index, and anew without', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serve({ cold_workers: 0, min_load: 0 });
    await test.clock.advance(200);
    const { request_idx } = await test.route();
    for (let repeat = 0; repeat < 3; repeat += 1) await test.route({ request_idx });
    expect(test.vast.store.endpoints.get(endpoint)?.demand).toHaveLength(1);
    await test.route();
    expect(test.vast.store.endpoints.get(endpoint)?.demand).toHaveLength(2);
  });

  it('tells the states of workers while none is ready, and a cost of nothing wakes none', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serving({ inactivity_timeout: 1 });
    await test.clock.advance(5_000);
    const told = await test.route({ cost: 0 });
    expect(told).toMatchObject({ status: 'no worker ready (stopped: 1)', request_idx: expect.any(Number) });
    expect(told).not.toHaveProperty('url');
    await test.clock.advance(2_000);
    expect(await test.statuses(endpoint)).toEqual(['stopped']);
    await test.route({ cost: 1 });
    await test.clock.advance(2_000);
    expect(await test.statuses(endpoint)).toEqual(['idle']);
  });

  it.each([
    [{ endpoint: 'davit-x', cost: -1 }, 400, { error: 'Invalid endpoint or missing required parameters' }],
    [{ cost: 1 }, 400, { error: 'Invalid endpoint or missing required parameters' }],
  ])('answers %j with %i', async (body, status, expected) => {
    const test = new VastTest();
    const answer = await test.http('POST', 'https://run.vast.ai/route/', test.world.keys.vast, body);
    if (typeof answer === 'string') throw new Error(answer);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([status, expected]);
  });

  it('takes the key of the account or of the endpoint, and no other', async () => {
    const test = new VastTest();
    await test.serving();
    await test.ask('POST', '/endptjobs/', { endpoint_name: 'other' });
    const { results } = (await test.ask('GET', '/endptjobs/')) as unknown as { results: { api_key: string }[] };
    const statuses = [];
    for (const key of [results[0]?.api_key, results[1]?.api_key, 'nobody']) {
      const body = { endpoint: 'davit-x', cost: 0 };
      const answer = await test.http('POST', 'https://run.vast.ai/route/', key, body);
      statuses.push(typeof answer === 'string' ? answer : answer.status);
    }
    expect(statuses).toEqual([200, 401, 401]);
  });

  it.each([
    ['error-msg', { error_msg: 'endpoint davit-x not known yet' }],
    ['no-index', { endpoint: 'davit-x', status: 'no workers', __request_id: expect.any(String) }],
  ] as const)('says of an endpoint that the engine has not seen yet: %s', async (routeUnseen, expected) => {
    const test = new VastTest({ routeUnseen });
    await test.serve();
    expect(await test.route()).toEqual(expected);
  });
});
