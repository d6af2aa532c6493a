import { describe, expect, test } from '@jest/globals';
import { rampRecord, rampSteps } from '../ramp/ramp.js';
import { History } from './history.js';
import type { Look, SeenWorker } from './look.js';
import { chargedTo, spendBetween, spendSoFar } from './spend.js';

const HOUR_MS = 3_600_000;
const usd = (amount: string) => ({ amount, currency: 'USD' });
const worker = (id: number, more: Partial<SeenWorker> = {}): SeenWorker => ({
  ...{ id, status: 'idle', revision: 'old', loadedAtMs: 1, gpu: 'RTX 4090', perf: 900, hourly: usd('0.40') },
  addresses: [`10.0.0.${id}:40000`],
  ...more,
});
const look = (atMs: number, workers: readonly SeenWorker[], hourly: string | null = '0.40'): Look => ({
  ...{ atMs, workers, hourly: hourly === null ? null : usd(hourly) },
});

describe('spend', () => {
  const looks = [look(0, [], '1'), look(HOUR_MS, [], '3'), look(2 * HOUR_MS, [], null), look(3 * HOUR_MS, [], '2')];

  test('counts the higher price between two looks, across those that knew none', () => {
    expect(spendBetween(looks, 0, HOUR_MS)).toEqual(usd('3.000000000'));
    expect(spendBetween(looks, HOUR_MS / 2, 3 * HOUR_MS)).toEqual(usd('7.500000000'));
  });

  test('is unknown beyond the looks that know a price', () => {
    expect(spendBetween(looks, 0, 3 * HOUR_MS + 1)).toBeNull();
    expect(spendBetween(looks.slice(1), 0, HOUR_MS)).toBeNull();
    expect(spendBetween([look(0, [], null)], 0, 0)).toBeNull();
  });

  test('so far goes on at the last price, and tells how old that is', () => {
    expect(spendSoFar(looks.slice(0, 1), 0, HOUR_MS)).toEqual({ spend: usd('1.000000000'), ageMs: HOUR_MS });
    expect(spendSoFar([], 0, HOUR_MS)).toEqual({ spend: null, ageMs: HOUR_MS });
  });

  test('as charged is that of the endpoint alone, and no charge is no proof of none', () => {
    const row = (endpoint_id: number, amount: string | null) => ({ amount, metadata: { endpoint_id } });
    expect(chargedTo([row(7, '0.25'), row(7, '0.5'), row(8, '9')], 7)).toEqual(usd('0.75'));
    expect(chargedTo([row(8, '9')], 7)).toBeNull();
    expect(chargedTo([row(7, '0.25'), row(7, null)], 7)).toBeNull();
  });
});

describe('who stood behind an address', () => {
  const history = new History();
  history.add(look(0, [worker(1)]));
  history.add(look(100, [worker(1, { status: 'update_rebooting', revision: null })]));
  history.add(look(200, [worker(1, { revision: 'candidate' })]));
  history.add(look(300, [worker(2, { addresses: ['10.0.0.1:40000'], revision: 'candidate' })]));

  test.each([
    ['before the change', 10, 20, { workerId: 1, revision: 'old' }],
    ['over the change', 10, 190, { workerId: 1, revision: null }],
    ['after it', 210, 220, { workerId: 1, revision: 'candidate' }],
    ['when another has its address', 310, 320, { workerId: 2, revision: 'candidate' }],
  ])('%s', (_, from, to, expected) => {
    expect(history.identify('https://10.0.0.1:40000', from, to)).toEqual(expected);
  });

  test('is unknown for an address that nobody had', () => {
    expect(history.identify('https://10.9.9.9:40000', 10, 20)).toBeNull();
    expect(history.identify('no address', 10, 20)).toBeNull();
  });
});

describe('a ramp', () => {
  test('fits its time, and goes to twice what is expected and back', () => {
    const steps = rampSteps({ requestsPerSecond: 5, rampDurationMs: 600_000 });
    expect(steps.map(({ requestsPerSecond }) => requestsPerSecond)).toEqual([2, 4, 6, 8, 10, 8, 6, 4, 2]);
    expect([steps[0]?.fromMs, steps.at(-1)?.toMs]).toEqual([0, 600_000]);
  });

  test('tells workers that served, how many at most, and which were given up rather than released', () => {
    const history = new History();
    history.add(look(0, [worker(1), worker(2, { status: 'model_loading' })]));
    history.add(look(1, [worker(1), worker(2), worker(3)]));
    history.add(look(2, [worker(2), worker(3, { status: 'stopping' })]));
    history.add(look(3, [worker(2)]));
    const record = rampRecord(2, { history, steps: [] });
    expect(record).toMatchObject({ ramp: 2, peakWorkers: 3, rotated: ['1'], queueP95AtPeakMs: null });
    expect(record.workers.map(({ workerId }) => workerId)).toEqual(['1', '2', '3']);
  });
});
