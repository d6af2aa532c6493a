import { expect, test } from '@jest/globals';
import { eventAt } from '../../testing/event.js';
import { summaryOf } from './summary.js';

const placement = {
  ...{ cloud: 'runpod', region: 'EU-RO-1', accelerator: { name: 'L40S', count: 2 }, spot: true },
  maxHourlyPrice: null,
};

test('an event is told by where it is about, for the price of the whole machine, and by its reason', () => {
  const price = {
    amount: '0.86',
    currency: 'USD',
    unit: 'gpu-hour' as const,
    kind: 'quoted' as const,
    source: 'runpod-v2',
    observedAt: '2026-11-30T17:00:00.000Z',
  };
  expect(summaryOf(eventAt(1, 0, 'davit.replica.placed', { placement, price, rung: 0 }))).toBe(
    'runpod L40S:2 EU-RO-1 spot · $1.72/h quoted',
  );
  expect(summaryOf(eventAt(2, 0, 'davit.runtime.load-summarised', { running: 3, waiting: 0 }))).toBe(
    'running 3 · waiting 0',
  );
});

test('what nobody said is left out of what is told of an event', () => {
  expect(summaryOf(eventAt(1, 0, 'davit.replica.placed', { placement, price: null }))).toBe(
    'runpod L40S:2 EU-RO-1 spot',
  );
  expect(summaryOf(eventAt(2, 0, 'davit.resource.observed', { phase: 'up', detail: 'UP', url: null }))).toBe(
    'detail UP · phase up',
  );
});
