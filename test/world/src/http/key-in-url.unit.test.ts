import { describe, expect, it } from '@jest/globals';
import { TestWorld } from '../test-world.js';

const RUNPOD = 'https://api.runpod.io';
const VAST = 'https://console.vast.ai/api/v0';

describe('a key in the URL', () => {
  it.each([
    ['as a parameter', (key: string) => `${RUNPOD}/v2/catalog/gpus?api_key=${key}`, '/v2/catalog/gpus?api_key=[key]'],
    ['of any other name', (key: string) => `${RUNPOD}/v2/catalog/gpus?x=${key}`, '/v2/catalog/gpus?x=[key]'],
    ['within a value', (key: string) => `${RUNPOD}/graphql?q=Bearer%20${key}`, '/graphql?q=Bearer%20[key]'],
    ['in the path', (key: string) => `${RUNPOD}/v2/${key}/gpus`, '/v2/[key]/gpus'],
    [
      'written with percents',
      (key: string) =>
        `${RUNPOD}/v2/${key
          .split('')
          .map((digit) => `%${digit.charCodeAt(0).toString(16)}`)
          .join('')}`,
      '/v2/[key]',
    ],
    ['as a password', (key: string) => `https://user:${key}@api.runpod.io/v2/pods`, '/v2/pods'],
    ['under a parameter for one, whatever it holds', () => `${RUNPOD}/v2/pods?token=short`, '/v2/pods?token=[key]'],
  ])('%s is refused, and noted without the key', async (_where, urlOf, shown) => {
    const test = new TestWorld();
    const key = test.world.keys.runpod;
    expect(await test.http('GET', urlOf(key), key)).toMatchObject({ status: 400 });
    expect(test.world.calls.all()).toMatchObject([{ service: 'runpod', url: shown, keyInUrl: true, status: 400 }]);
    expect(JSON.stringify(test.world.calls.all())).not.toContain(key);
  });

  it('is refused by Vast too, be it of the account or of one endpoint', async () => {
    const test = new TestWorld();
    const key = test.world.keys.vast;
    expect(await test.http('POST', `${VAST}/bundles/?api_key=${key}`, key, {})).toMatchObject({ status: 400 });
    const endpoint = test.world.vast.store.addEndpoint('x', {
      ...{ min_load: 0, min_cold_load: 0, target_util: 0.9, cold_mult: 1, cold_workers: 0, max_workers: 1 },
      ...{ max_queue_time: 30, target_queue_time: 10, inactivity_timeout: null },
    });
    const run = `https://run.vast.ai/route/${endpoint.api_key}`;
    expect(await test.http('POST', run, endpoint.api_key, {})).toMatchObject({ status: 400 });
    expect(test.world.calls.all()).toMatchObject([
      { service: 'vast-console', keyInUrl: true },
      { service: 'vast-run', keyInUrl: true, url: '/route/[key]' },
    ]);
  });

  it('is not seen where there is none, and the answer to each call is noted', async () => {
    const test = new TestWorld();
    await test.http(
      'GET',
      `${RUNPOD}/v2/catalog/gpus/NVIDIA%20L4?include=AVAILABILITY&product=POD`,
      test.world.keys.runpod,
    );
    test.world.faults.add({ service: 'runpod', effect: { kind: 'lost-reply' } });
    await test.http('GET', `${RUNPOD}/v2/pods`, test.world.keys.runpod);
    expect(test.world.calls.all()).toMatchObject([
      { url: '/v2/catalog/gpus/NVIDIA%20L4?include=AVAILABILITY&product=POD', keyInUrl: false, status: 200 },
      { url: '/v2/pods', keyInUrl: false, status: null },
    ]);
  });
});
