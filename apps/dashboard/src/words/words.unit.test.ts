import { describe, expect, test } from '@jest/globals';
import { spendOf, spendText } from '../views/fleet/spend.js';
import { toneOfDeployment } from './states.js';

const conditions = (available: string, progressing: string, budget = 'true') => [
  { condition: 'Available', status: available },
  { condition: 'Progressing', status: progressing },
  { condition: 'WithinBudget', status: budget },
];

describe('a deployment in one word', () => {
  test.each([
    ['active', conditions('true', 'false'), 'available', 'good'],
    ['active', conditions('true', 'true'), 'changing', 'progress'],
    ['active', conditions('false', 'true'), 'progressing', 'progress'],
    ['active', conditions('false', 'false'), 'unavailable', 'bad'],
    ['active', conditions('unknown', 'false'), 'unknown', 'unknown'],
    ['active', conditions('true', 'false', 'false'), 'over budget', 'bad'],
    ['active', [], 'unknown', 'unknown'],
    ['deleting', conditions('true', 'true'), 'deleting', 'ending'],
    ['deleted', conditions('false', 'false'), 'deleted', 'gone'],
  ])('%s with %j is %s', (status, told, word, tone) => {
    expect(toneOfDeployment({ status, conditions: told, desiredReplicas: 1 })).toEqual({ word, tone });
  });
});

describe('what machines cost now', () => {
  const price = (amount: string) => ({
    ...{ amount, currency: 'USD', unit: 'instance-hour', kind: 'quoted', source: 'x', observedAt: '' },
  });
  const placement = { cloud: 'x', region: null, accelerator: null, spot: false, maxHourlyPrice: null };
  const machine = (state: string, amount: string | null) =>
    ({ state, placement, price: amount === null ? null : price(amount) }) as Parameters<typeof spendOf>[0][number];

  test('is the price of each that may bill, until it is proven gone', () => {
    const spend = spendOf([machine('serving', '0.86'), machine('deleting', '0.86'), machine('deleted', '9')]);
    expect(spendText(spend)).toBe('$1.72');
    expect(spend.machines).toBe(2);
  });

  test('says of how many nobody knows the price, and counts none of them as free', () => {
    expect(spendText(spendOf([machine('launching', null), machine('serving', '1')]))).toBe('$1.00 + 1 unknown');
  });

  test('counts a serverless endpoint, which has a price and no placement', () => {
    expect(spendText(spendOf([machine('serving', '0.86'), { ...machine('serving', '1.75'), placement: null }]))).toBe(
      '$2.61',
    );
  });

  test('counts nothing that was not rented', () => {
    const adopted = { ...machine('serving', null), placement: null };
    expect(spendText(spendOf([adopted, machine('waiting', '1'), machine('requested', '1')]))).toBe('$0.00');
  });
});
