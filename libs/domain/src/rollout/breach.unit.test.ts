import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareAmounts, multiplyAmount } from '../money.js';
import { type Raise, affordableRaise } from './breach.js';

const usd = (amount: string) => ({ amount, currency: 'USD' });
const BOUNDS = {
  ...{ minLoad: 1, coldWorkers: 2, maxWorkers: 4, inactivityTimeoutS: 600, targetQueueTimeS: 5 },
  ...{ maxQueueTimeS: 30, targetUtil: 0.9, coldMult: 2, minColdLoad: 0 },
};
const raise = (changes: Partial<Raise> = {}): Raise => ({
  ...{ bounds: BOUNDS, workers: 1, hourly: usd('0.50'), maxHourly: usd('2.50') },
  ...changes,
});

describe('one worker more when requests queue', () => {
  it('is added up to the last cent of what was promised, and kept ready', () => {
    expect(affordableRaise(raise())).toEqual({ ...BOUNDS, maxWorkers: 5, coldWorkers: 3 });
    expect(affordableRaise(raise({ maxHourly: usd('2.499') }))).toBeNull();
  });

  it('is never added for a price that is not known or in another currency, or where nothing was promised', () => {
    expect(affordableRaise(raise({ hourly: null }))).toBeNull();
    expect(affordableRaise(raise({ hourly: { amount: '0.1', currency: 'EUR' } }))).toBeNull();
    expect(affordableRaise(raise({ maxHourly: undefined }))).toBeNull();
    expect(affordableRaise(raise({ bounds: null }))).toBeNull();
  });

  it('never costs more than the promise, whatever the figures', () => {
    const cents = fc.integer({ min: 1, max: 1_000 }).map((count) => (count / 100).toFixed(2));
    fc.assert(
      fc.property(cents, cents, fc.integer({ min: 1, max: 20 }), (worker, most, workers) => {
        const hourly = usd(multiplyAmount(worker, workers));
        const raised = affordableRaise(raise({ workers, hourly, maxHourly: usd(most) }));
        if (raised === null) return;
        expect(compareAmounts(multiplyAmount(worker, raised.maxWorkers), most)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
