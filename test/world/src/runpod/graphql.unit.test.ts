import { describe, expect, it } from '@jest/globals';
import { TestWorld, type HttpAnswer } from '../test-world.js';
import { parseOperation } from './graphql-document.js';

const URL = 'https://api.runpod.io/graphql';
const QUERY = `query Stock($f: GpuTypeFilter, $p: GpuLowestPriceInput) {
  gpuTypes(input: $f) {
    id displayName secureCloud maxGpuCountSecureCloud securePrice
    lowestPrice(input: $p) { stockStatus uninterruptablePrice minimumBidPrice availableGpuCounts }
  }
}`;
const L4 = { f: { id: 'NVIDIA L4' }, p: { gpuCount: 2, secureCloud: true } };

const ask = (test: TestWorld, variables: unknown = L4, query = QUERY, key?: string) =>
  test.json('POST', URL, key, { query, variables });

describe('RunPod GraphQL', () => {
  it('answers stock without a key, from the same table as REST', async () => {
    const test = new TestWorld();
    expect(await ask(test)).toEqual({
      data: {
        gpuTypes: [
          {
            id: 'NVIDIA L4',
            displayName: 'L4',
            secureCloud: true,
            maxGpuCountSecureCloud: 8,
            securePrice: 0.43,
            lowestPrice: {
              stockStatus: 'High',
              uninterruptablePrice: 0.43,
              minimumBidPrice: 0.215,
              availableGpuCounts: [1, 2, 3, 4, 5, 6, 7, 8],
            },
          },
        ],
      },
    });
    test.world.stock.set({ gpu: 'L4', free: 1 });
    expect(await ask(test)).toMatchObject({ data: { gpuTypes: [{ lowestPrice: { stockStatus: null } }] } });
    expect(await ask(test, { f: { id: 'none' } })).toEqual({ data: { gpuTypes: [] } });
  });

  it('answers what was asked and nothing else, under the names asked for', async () => {
    const query = '{ cards: gpuTypes(input: {ids: ["NVIDIA L4", "NVIDIA A40"]}) { displayName } }';
    expect(await ask(new TestWorld(), {}, query)).toEqual({
      data: { cards: [{ displayName: 'L4' }, { displayName: 'A40' }] },
    });
  });

  it.each([
    ['{ gpuTypes { id stock } }', 'Cannot query field "stock"', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ gpuTypes { id lowestPrice } }', 'must have a selection', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ gpuTypes }', 'must have a selection', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ gpuTypes { id ', 'Syntax Error', 'GRAPHQL_PARSE_FAILED'],
    ['{ gpuTypes { ... on GpuType { id } } }', 'Syntax Error', 'GRAPHQL_PARSE_FAILED'],
  ])('refuses %j', async (query, message, code) => {
    const answer = (await new TestWorld().http('POST', URL, undefined, { query })) as HttpAnswer;
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      errors: [{ message: expect.stringContaining(message), extensions: { code } }],
    });
  });

  it('narrows by data center, by country and by cloud', async () => {
    const test = new TestWorld();
    test.world.stock.set({ gpu: 'L4', free: 0 });
    test.world.stock.set({ gpu: 'L4', place: 'EU-RO-1', tier: 'COMMUNITY', free: 4 });
    const status = async (input: object): Promise<unknown> => {
      const answer = (await ask(test, { ...L4, p: { gpuCount: 1, ...input } })) as {
        data: { gpuTypes: { lowestPrice: { stockStatus: unknown } }[] };
      };
      return answer.data.gpuTypes[0]?.lowestPrice.stockStatus;
    };
    expect(await status({})).toBe('Medium');
    expect(await status({ secureCloud: true })).toBeNull();
    expect(await status({ secureCloud: false, countryCode: 'RO' })).toBe('Medium');
    expect(await status({ dataCenterId: 'US-TX-3' })).toBeNull();
    expect(await status({ secureCloud: false, gpuCount: 5 })).toBeNull();
  });

  it('words "nothing" in each of the ways that its sources leave open, and a level of its own as it is', async () => {
    const test = new TestWorld();
    test.world.stock.set({ gpu: 'L4', free: 0 });
    const lowest = async (): Promise<unknown> =>
      ((await ask(test)) as { data: { gpuTypes: { lowestPrice: unknown }[] } }).data.gpuTypes[0]?.lowestPrice;
    expect(await lowest()).toMatchObject({ stockStatus: null, uninterruptablePrice: null });
    test.world.runpodOptions.noStockStatus = 'None';
    expect(await lowest()).toMatchObject({ stockStatus: 'None' });
    test.world.runpodOptions.lowestPriceOfNone = 'null';
    expect(await lowest()).toBeNull();
    test.world.stock.set({ gpu: 'L4', shownLevel: 'VERY_LOW' });
    expect(await lowest()).toMatchObject({ stockStatus: 'VERY_LOW' });
  });

  it('lists an entry "unknown" that means nothing, unless types are named', async () => {
    const query = '{ gpuTypes { id lowestPrice(input: {gpuCount: 1}) { stockStatus } } }';
    const { data } = (await ask(new TestWorld(), {}, query)) as { data: { gpuTypes: object[] } };
    expect(data.gpuTypes.at(-1)).toEqual({ id: 'unknown', lowestPrice: null });
  });

  it('shows the stock of each data center', async () => {
    const test = new TestWorld();
    test.world.stock.set({ gpu: 'L4', place: 'EU-RO-1', free: 0 });
    const query = '{ dataCenters { id listed gpuAvailability { gpuTypeId stockStatus available } } }';
    const { data } = (await ask(test, {}, query)) as {
      data: { dataCenters: { id: string; gpuAvailability: { gpuTypeId: string }[] }[] };
    };
    const at = (id: string): unknown =>
      data.dataCenters
        .find((center) => center.id === id)
        ?.gpuAvailability.find(({ gpuTypeId }) => gpuTypeId === 'NVIDIA L4');
    expect(at('EU-RO-1')).toEqual({ gpuTypeId: 'NVIDIA L4', stockStatus: null, available: false });
    expect(at('US-TX-3')).toEqual({ gpuTypeId: 'NVIDIA L4', stockStatus: 'High', available: true });
  });

  it('refuses a wrong key, and pods that are out of stock with 200 and errors', async () => {
    const test = new TestWorld();
    expect(await test.http('POST', URL, 'wrong', { query: QUERY })).toMatchObject({ status: 401 });
    test.world.stock.set({ gpu: 'L4', free: 0 });
    const query =
      'mutation { podFindAndDeployOnDemand(input: { name: "x", gpuTypeId: "NVIDIA L4", gpuCount: 1 }) { id } }';
    expect(await ask(test, {}, query, test.world.keys.runpod)).toMatchObject({
      errors: [{ extensions: { code: 'SUPPLY_CONSTRAINT' } }],
      data: { podFindAndDeployOnDemand: null },
    });
  });

  it('answers 200 with errors, for the whole or for one field, when told to', async () => {
    const test = new TestWorld();
    const fault = (path?: (string | number)[]): void =>
      void test.world.faults.add({
        service: 'runpod',
        effect: { kind: 'graphql-errors', message: 'went wrong', ...(path ? { path } : {}) },
      });
    fault();
    expect(await ask(test)).toEqual({
      errors: [{ message: 'went wrong', extensions: { code: 'RUNPOD' } }],
      data: null,
    });
    fault(['gpuTypes', 0, 'lowestPrice']);
    expect(await ask(test)).toMatchObject({
      errors: [{ path: ['gpuTypes', 0, 'lowestPrice'] }],
      data: { gpuTypes: [{ id: 'NVIDIA L4', lowestPrice: null }] },
    });
  });

  it('is limited like REST when told to', async () => {
    const test = new TestWorld({ runpod: { perMinute: 1, limitGraphql: true } });
    await ask(test);
    expect(await test.http('POST', URL, undefined, { query: QUERY })).toMatchObject({ status: 429 });
  });
});

describe('a document', () => {
  it('is read with comments, commas, nested values, braces in texts and values that are variables', () => {
    const document = `query Q($a: [Int!]! = [1], $b: B) { # a comment {
      x: y(input: {s: "a { b, \\" }", list: [1, $a, {deep: true}], none: null, e: NAME, v: $b}) { z }
    }`;
    expect(parseOperation(document, { a: [7], b: { c: 1 } })).toEqual([
      {
        name: 'y',
        alias: 'x',
        args: { input: { s: 'a { b, " }', list: [1, [7], { deep: true }], none: null, e: 'NAME', v: { c: 1 } } },
        selection: [{ name: 'z', alias: 'z', args: {}, selection: null }],
      },
    ]);
  });
});
