import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { checkLaws } from '@davit/domain';
import { advisorCases } from './testing/capacity/advisor-cases.js';
import { budgetCases } from './testing/capacity/budget-cases.js';
import { costCases } from './testing/capacity/cost-cases.js';
import { planCases } from './testing/capacity/plan-cases.js';
import { stockCases } from './testing/capacity/stock-cases.js';
import { Market } from './testing/market.js';
import { LIFE_TIMEOUT_MS, type Rig, startRig } from './testing/rig.js';

jest.setTimeout(LIFE_TIMEOUT_MS);

/** What the operator has agreed with RunPod, which stands in no list. */
const AGREED = `prices:
  - { cloud: runpod, accelerator: RTXA6000, market: on-demand, amount: 0.11, currency: USD, unit: gpu-hour, storage: excluded }
`;

/** One stage for all cases: each rents cards that no other does. */
let rig: Rig;
let market: Market;
const scratch = mkdtempSync(path.join(tmpdir(), 'davit-capacity-'));
beforeAll(async () => {
  const table = path.join(scratch, 'prices.yaml');
  writeFileSync(table, AGREED);
  rig = await startRig('capacity', {
    env: { DAVIT_PRICES: table, DAVIT_INVENTORY_EVERY: '2s', DAVIT_CAPACITY_WATCH: '3s', DAVIT_ADVICE_TIMEOUT: '4s' },
  });
  market = new Market(rig);
}, LIFE_TIMEOUT_MS);
afterAll(async () => {
  await rig.system.stop();
  rmSync(scratch, { recursive: true });
}, LIFE_TIMEOUT_MS);

const stage = (): { readonly rig: Rig; readonly market: Market } => ({ rig, market });

describe('a plan', () => planCases(stage));
describe('stock and prices', () => stockCases(stage));
describe('a budget', () => budgetCases(stage));
describe('advice that fails', () => advisorCases(stage));
describe('cost', () => costCases(stage));

describe('after all of it', () => {
  test('the laws hold, nothing runs, and no key was ever in a URL or on a command line', async () => {
    expect(checkLaws(await market.log(), { ended: true })).toEqual([]);
    expect(await rig.world.running()).toEqual([]);
    const calls = await rig.world.calls();
    for (const service of ['runpod', 'vast-console', 'sky'])
      expect(calls.filter((call) => call.service === service).length).toBeGreaterThan(0);
    expect(calls.filter(({ keyInUrl, secretInArgv }) => keyInUrl === true || secretInArgv === true)).toEqual([]);
  });

  test('RunPod was only ever asked, and rented from by SkyPilot alone', async () => {
    const changing = (await rig.world.calls()).filter(
      ({ service, method, url }) => service === 'runpod' && method !== 'GET' && url !== '/graphql',
    );
    expect(changing.filter(({ method }) => method !== 'DELETE')).toEqual([]);
  });
});
