import { describe, expect, test } from '@jest/globals';
import type { HourlyPrice, ReplicaView } from '@davit/contracts';
import { amountText, replicaPrice } from './prices.js';

const four = {
  cloud: 'vast',
  region: null,
  accelerator: { name: 'L40S', count: 4 },
  spot: false,
  maxHourlyPrice: null,
};
const price = (change: Partial<HourlyPrice> = {}): HourlyPrice => ({
  ...{ amount: '0.30', currency: 'USD', unit: 'instance-hour', kind: 'billed', source: 'vast' },
  observedAt: '2026-11-30T00:00:00.000Z',
  ...change,
});
const of = (change: Partial<ReplicaView>): string =>
  replicaPrice({ price: null, placement: four, state: 'serving', ...change } as ReplicaView); // only what the text reads

describe('what a replica costs an hour', () => {
  test.each<[string, Partial<ReplicaView>, string]>([
    ['is of the whole machine, with its kind', { price: price() }, '0.30 USD billed'],
    [
      'counts every card where the price is for one',
      { price: price({ unit: 'gpu-hour', kind: 'quoted' }) },
      '1.20 USD quoted',
    ],
    [
      'is for one card where nobody knows how many',
      { price: price({ unit: 'gpu-hour' }), placement: null },
      '0.30 USD a card billed',
    ],
    ['is unknown, and never zero, where nobody said it', {}, 'unknown'],
    ['is nothing to tell before anything was rented', { state: 'waiting' }, '–'],
  ])('%s', (_rule, change, text) => {
    expect(of(change)).toBe(text);
  });

  test.each([
    ['1', '1.00'],
    ['1.998333', '1.998333'],
    ['4.000000', '4.00'],
    ['0.5', '0.50'],
  ])('%s reads %s', (amount, text) => {
    expect(amountText(amount)).toBe(text);
  });
});
