import { describe, expect, it } from '@jest/globals';
import { TestWorld, type HttpAnswer } from '../../test-world.js';

const URL = 'https://console.vast.ai/api/v0/bundles/';
interface Offer {
  readonly id: number;
  readonly gpu_name: string;
  readonly num_gpus: number;
  readonly machine_id: number;
  readonly dph_base: number;
  readonly dph_total: number;
  readonly min_bid: number;
  readonly geolocation: string;
}

const L40S = { gpu_name: { eq: 'L40S' }, num_gpus: { eq: 1 }, order: [['dph_total', 'asc']] };

const post = (test: TestWorld, body: unknown, key = test.world.keys.vast) => test.http('POST', URL, key, body);

async function offers(test: TestWorld, body: object = L40S): Promise<readonly Offer[]> {
  const answer = (await test.json('POST', URL, test.world.keys.vast, body)) as { offers: readonly Offer[] };
  return answer.offers;
}

describe('offers of the marketplace', () => {
  it('have the documented fields, memory in MB and a place that may lack its name', async () => {
    const [first, , third] = await offers(new TestWorld());
    expect(first).toMatchObject({
      gpu_name: 'L40S',
      num_gpus: 1,
      gpu_ram: 48 * 1024,
      dph_base: 0.86,
      min_bid: 0.387,
      storage_cost: 0.15,
      rentable: true,
      rented: false,
      verification: 'verified',
      geolocation: 'Texas, US',
      cpu_cores: null,
      reliability: 0.995,
      ask_contract_id: first?.id,
    });
    expect(third?.geolocation).toBe(', US');
  });

  it('are priced with the disk that was asked for, without one with 8 GB', async () => {
    const total = async (more: object): Promise<number | undefined> =>
      (await offers(new TestWorld(), { ...L40S, ...more }))[0]?.dph_total;
    expect(await total({})).toBe(0.861667);
    expect(await total({ allocated_storage: 0 })).toBe(0.86);
    expect(await total({ allocated_storage: 120 })).toBe(0.885);
    expect(await total({ allocated_storage: 120, type: 'bid' })).toBe(0.412);
  });

  it.each([
    [{ gpu_name: { eq: 'RTX_4090' } }, ['RTX 4090']],
    [{ gpu_name: { in: ['RTX 5090', 'H200'] }, dph_base: { lt: 2 } }, ['RTX 5090']],
    [{ gpu_ram: { gte: 143 * 1024 }, dph_base: { lte: 3.4 } }, ['H200 NVL', 'MI300X']],
    [{ gpu_name: { notin: ['RTX A5000', 'RTX_A4000'] }, dph_base: { lt: 0.3 } }, ['RTX 3080', 'Tesla V100']],
    [{ gpu_name: { neq: 'L40S' }, gpu_ram: { gt: 40_960, lt: 81_920 }, dph_base: { gte: 0.99, lte: 0.99 } }, ['L40']],
    [{ rented: { eq: true } }, []],
    [{ no_such_field: { gt: 1 } }, []],
  ])('are filtered by %j', async (filters, expected) => {
    const found = await offers(new TestWorld(), { num_gpus: { eq: 1 }, limit: 1_000, ...filters });
    expect([...new Set(found.map(({ gpu_name }) => gpu_name))].sort()).toEqual(expected);
  });

  it('come in the order asked for, and no more than asked for', async () => {
    const test = new TestWorld();
    const dearest = await offers(test, { ...L40S, order: [['dph_total', 'desc']], limit: 3 });
    const prices = dearest.map(({ dph_total }) => dph_total);
    expect(prices).toEqual([...prices].sort((a, b) => b - a));
    expect(dearest).toHaveLength(3);
    const byScore = await offers(test, { gpu_name: { eq: 'L40S' } });
    expect(byScore[0]?.machine_id).toBe((await offers(test))[0]?.machine_id);
  });

  it('vanish when they are rented and come back when the machine is free, the others unchanged', async () => {
    const test = new TestWorld();
    const before = await offers(test);
    expect(before).toHaveLength(12);
    const outcome = await test.world.cloud.create({
      name: 'one',
      cloud: 'vast',
      accelerator: 'L40S',
      gpuCount: 1,
      diskGb: 120,
      owner: 'test',
      image: null,
    });
    expect(await offers(test)).toEqual(before.slice(1));
    if (outcome.kind !== 'created') throw new Error(outcome.reason);
    expect(outcome.machine.pricePerHour).toBe(0.885);
    await test.world.cloud.end(outcome.machine, 'done');
    expect(await offers(test)).toEqual(before);
    test.world.stock.set({ cloud: 'vast', gpu: 'L40S', free: 2 });
    expect(await offers(test)).toEqual(before.slice(0, 2));
    test.world.stock.set({ cloud: 'vast', gpu: 'L40S', free: 0 });
    expect(await offers(test)).toEqual([]);
  });

  it.each([
    'not json',
    { type: 'lease' },
    { limit: 0 },
    { allocated_storage: 'big' },
    { order: ['dph_total'] },
    { num_gpus: { is: 1 } },
  ])('refuse the question %j with 400', async (body) => {
    const answer = (await post(new TestWorld(), body)) as HttpAnswer;
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, error: 'invalid_request' });
  });

  it('answer an unknown key with 404 and auth_error', async () => {
    const answer = (await post(new TestWorld(), L40S, 'wrong')) as HttpAnswer;
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toEqual({ success: false, error: 'auth_error', msg: 'Invalid user key' });
  });

  it.each([
    ['text', 'API requests too frequent'],
    ['threshold', 'API requests too frequent: endpoint threshold=6.0'],
    ['detail', '{"detail":"API requests too frequent endpoint threshold=6.0"}'],
    [
      'json',
      '{"success":false,"error":"rate_limit_exceeded","msg":"API requests too frequent endpoint threshold=6.0"}',
    ],
  ] as const)('are told ten times a minute, then 429 as %s without Retry-After', async (tooFrequentBody, body) => {
    const test = new TestWorld({ vast: { minIntervalScale: 1, tooFrequentBody } });
    for (let asked = 0; asked < 10; asked += 1) expect(await post(test, L40S)).toMatchObject({ status: 200 });
    const refused = await post(test, L40S);
    expect(refused).toMatchObject({ status: 429, body });
    expect(refused).not.toHaveProperty('headers.retry-after');
    await test.clock.advance(60_000);
    expect(await post(test, L40S)).toMatchObject({ status: 200 });
  });
});
