import { describe, expect, it } from '@jest/globals';
import { VastTest } from '../testing.js';

const LIST = 'https://console.vast.ai/api/v0/endptjobs/';
const list = (test: VastTest) => test.http('GET', LIST, test.world.keys.vast);
const threshold = 'API requests too frequent endpoint threshold=3.0';

describe('calls that follow too closely', () => {
  it.each([
    ['text', 'API requests too frequent'],
    ['threshold', 'API requests too frequent: endpoint threshold=3.0'],
    ['detail', JSON.stringify({ detail: threshold })],
    ['json', JSON.stringify({ success: false, error: 'rate_limit_exceeded', msg: threshold })],
  ] as const)('are told so as %s', async (tooFrequentBody, body) => {
    const test = new VastTest({ minIntervalScale: 1, tooFrequentBody });
    await list(test);
    expect(await list(test)).toMatchObject({ status: 429, body });
  });

  it.each([
    ['GET', '/endptjobs/', 3],
    ['PUT', '/endptjobs/1/', 2],
    ['POST', '/endptjobs/', 4],
    ['DELETE', '/autojobs/1/', 3],
    ['GET', '/template/', 3],
    ['GET', '/instances/1/', 2],
    ['GET', 'v1/instances/', 1],
    ['DELETE', '/instances/1/', 3],
    ['GET', '/charges/', 1],
    ['POST', '/auth/apikeys/', 2],
    ['GET', '/benchmarks/', 3],
  ])('%s %s may come every %i s, at half the scale in half of it', async (method, path, seconds) => {
    const test = new VastTest({ minIntervalScale: 0.5 });
    const status = async (): Promise<unknown> => (await test.ask(method, path, {}))['status'];
    expect(await status()).not.toBe(429);
    await test.clock.advance(seconds * 500 - 100);
    expect(await status()).toBe(429);
    await test.clock.advance(100);
    expect(await status()).not.toBe(429);
  });

  it('are counted for each key', async () => {
    const test = new VastTest({ minIntervalScale: 1 });
    const { key } = await test.ask('POST', '/auth/apikeys/', { permissions: { api: { misc: {} } } });
    await list(test);
    expect(await test.http('GET', LIST, String(key))).toMatchObject({ status: 400 });
    expect(await list(test)).toMatchObject({ status: 429 });
  });

  it('are refused by chance where that is the rule: more often, the closer they come', async () => {
    const refused = async (pauseMs: number): Promise<number> => {
      const test = new VastTest({ minIntervalScale: 1, rateLimit: 'probabilistic' });
      let count = 0;
      for (let call = 0; call < 60; call += 1) {
        await test.clock.advance(pauseMs);
        const answer = await list(test);
        if (typeof answer !== 'string' && answer.status === 429) count += 1;
      }
      return count;
    };
    const [close, far] = [await refused(1_000), await refused(30_000)];
    expect(far).toBeGreaterThan(0);
    expect(close).toBeGreaterThan(far * 2);
  });

  it('empty a bucket where there is one, which says when to come again', async () => {
    const test = new VastTest({ minIntervalScale: 1, rateLimit: 'token-bucket' });
    for (let call = 0; call < 5; call += 1) expect(await list(test)).toMatchObject({ status: 400 });
    const refusal = await list(test);
    expect(refusal).toMatchObject({ status: 429, headers: { 'retry-after': '3', 'x-ratelimit-remaining': '0' } });
    if (typeof refusal !== 'string') expect(JSON.parse(refusal.body)).toMatchObject({ retry_after: 3, limit: 5 });
    await test.clock.advance(3_000);
    expect(await list(test)).toMatchObject({ status: 400 });
  });

  it('are let through where limits are off', async () => {
    const test = new VastTest({ minIntervalScale: 1, rateLimit: 'off' });
    await list(test);
    expect(await list(test)).toMatchObject({ status: 400 });
  });

  it('a storm refuses every call to both hosts for its time', async () => {
    const test = new VastTest();
    test.vast.arm({ kind: 'rate-storm', forMs: 10_000 });
    expect(await list(test)).toMatchObject({ status: 429 });
    const run = 'https://run.vast.ai/get_endpoint_workers/';
    expect(await test.http('POST', run, test.world.keys.vast, { id: 1 })).toMatchObject({ status: 429 });
    await test.clock.advance(10_000);
    expect(await list(test)).toMatchObject({ status: 400 });
    expect(await test.http('POST', run, test.world.keys.vast, { id: 1 })).toMatchObject({ status: 200 });
  });
});
