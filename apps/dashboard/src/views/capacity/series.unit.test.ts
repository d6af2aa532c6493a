import { describe, expect, test } from '@jest/globals';
import type { CapacityEntry } from '@davit/contracts';
import { pricePoints, stockSpans } from './series.js';

const at = (second: number) => ({ position: second, time: new Date(second * 1_000).toISOString(), offer: 'x' });
const priced = (second: number, kind: 'quoted' | 'billed', amount: string) =>
  ({ ...at(second), kind: 'price', price: { amount, kind } }) as CapacityEntry;
const said = (second: number, state: string) =>
  ({ ...at(second), kind: 'signal', state, price: null }) as CapacityEntry;
const silence = (second: number) => ({ ...at(second), kind: 'unknown', until: null }) as CapacityEntry;

describe('capacity over time', () => {
  test('a kind of price keeps its last value until another is said; one that nobody said is unknown', () => {
    expect(pricePoints([priced(1, 'quoted', '0.86'), priced(3, 'billed', '0.9')], 9_000)).toEqual([
      { atMs: 1_000, quoted: 0.86, catalogue: null, billed: null },
      { atMs: 3_000, quoted: 0.86, catalogue: null, billed: 0.9 },
      { atMs: 9_000, quoted: 0.86, catalogue: null, billed: 0.9 },
    ]);
    expect(pricePoints([], 9_000)).toEqual([]);
  });

  test('stock is in a state until it is in another, and unknown where nothing holds any more', () => {
    const entries = [said(1, 'available'), said(2, 'available'), silence(4), said(6, 'unavailable')];
    expect(stockSpans(entries, 9_000)).toEqual([
      { state: 'available', fromMs: 1_000, toMs: 4_000 },
      { state: 'unknown', fromMs: 4_000, toMs: 6_000 },
      { state: 'unavailable', fromMs: 6_000, toMs: 9_000 },
    ]);
  });
});
