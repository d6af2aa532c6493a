import { describe, expect, test } from '@jest/globals';
import { addTo, moneyText, sumsText } from './money.js';
import { machineAmount, placementText } from './placement.js';
import { durationText, exactText, relativeText } from './time.js';

const MINUTE = 60_000;

describe('times', () => {
  test.each([
    [0, '0 ms'],
    [12_400, '12 s'],
    [3 * MINUTE + 5_000, '3 m 05 s'],
    [41 * MINUTE, '41 m'],
    [125 * MINUTE, '2 h 05 m'],
    [75 * 60 * MINUTE, '3 d 3 h'],
  ])('%d ms last %s', (ms, text) => expect(durationText(ms)).toBe(text));

  test('are told from now, before and after', () => {
    expect(relativeText(1_000, 13_000)).toBe('12 s ago');
    expect(relativeText(13_000, 1_000)).toBe('in 12 s');
    expect(relativeText(1_000, 1_400)).toBe('now');
  });

  test('are told exactly to the millisecond', () => {
    expect(exactText(new Date(2026, 10, 30, 16, 38, 4, 7).getTime())).toBe('2026-11-30 16:38:04.007');
  });
});

describe('money', () => {
  test.each([
    ['1.72', 'USD', '$1.72'],
    ['0.9366', 'USD', '$0.94'],
    ['12', 'CHF', '12.00 CHF'],
    ['1234567.895', 'EUR', '€1 234 567.90'],
    ['0.00041', 'USD', '$0.00041'],
    ['0.999', 'USD', '$1.00'],
    ['0', 'USD', '$0.00'],
  ])('%s %s is written %s', (amount, currency, text) => expect(moneyText(amount, currency)).toBe(text));

  test('of two currencies is never added', () => {
    const sums = new Map<string, string>();
    for (const [amount, currency] of [
      ['0.1', 'USD'],
      ['0.2', 'USD'],
      ['1', 'EUR'],
    ] as const)
      addTo(sums, amount, currency);
    expect(sumsText(sums)).toBe('$0.30 + €1.00');
    expect(sumsText(new Map())).toBe('$0.00');
  });
});

test('a machine is named by its cloud, its cards, its place and its market, and costs all of its cards', () => {
  const placement = { cloud: 'runpod', region: 'EU-RO-1', accelerator: { name: 'L40S', count: 2 }, spot: true };
  expect(placementText(placement)).toBe('runpod L40S:2 EU-RO-1 spot');
  expect(placementText({ ...placement, accelerator: null, region: null, spot: false })).toBe('runpod CPU');
  const price = { amount: '0.86', currency: 'USD', kind: 'quoted', source: 'x', observedAt: '' } as const;
  expect(machineAmount({ ...price, unit: 'gpu-hour' }, placement)).toBe('1.72');
  expect(machineAmount({ ...price, unit: 'instance-hour' }, placement)).toBe('0.86');
});
