import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BACKOFF_JITTER, backoffMs } from './backoff.js';
import { seededRandom } from './random.js';

describe('the back-off', () => {
  it('keeps every wait between the first and the cap, spread by no more than the jitter', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.nat(),
        fc.integer({ min: 1, max: 1_000 }),
        (failures, seed, firstMs) => {
          const wait = backoffMs({ firstMs, maxMs: 60_000 }, failures, seededRandom(seed));
          expect(wait).toBeGreaterThanOrEqual(firstMs * (1 - BACKOFF_JITTER));
          expect(wait).toBeLessThanOrEqual(60_000 * (1 + BACKOFF_JITTER));
        },
      ),
    );
  });
});
