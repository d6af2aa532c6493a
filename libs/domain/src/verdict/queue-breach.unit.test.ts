import { expect, test } from '@jest/globals';
import { queueBreachOf } from './queue-breach.js';
import { MINUTE_MS, START_MS, goodBundle, minutes } from './testing/bundles.js';

test('a breach of the queue time is proven by sequential evidence, and unknown where nothing was measured', () => {
  const bundle = goodBundle({ objectives: { queueTimeP95Ms: 500 } });
  const waiting = minutes(0, 30).map((window) => ({ ...window, queueMs: window.queueMs.map(() => 900) }));
  const unmeasured = minutes(0, 30).map((window) => ({ ...window, queueMs: [] }));
  expect(queueBreachOf(bundle)).toBe('none');
  expect(queueBreachOf({ ...bundle, candidate: waiting, asOfMs: START_MS + 6 * MINUTE_MS })).toBe('proven');
  expect(queueBreachOf({ ...bundle, candidate: waiting, asOfMs: START_MS + MINUTE_MS })).toBe('suspected');
  expect(queueBreachOf({ ...bundle, candidate: unmeasured })).toBe('unknown');
  expect(queueBreachOf({ ...bundle, objectives: {} })).toBe('unknown');
});
