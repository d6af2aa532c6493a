import type { HourlyPrice, Placement } from '@davit/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ESTIMATE_TOLERANCE, authorises, estimateOf } from './estimate.js';
import { type FreshPrice, judgePrice } from './judge.js';
import { NOW, price } from './testing/price.js';

const placement: Placement = {
  cloud: 'runpod',
  region: null,
  accelerator: { name: 'L40S', count: 4 },
  spot: false,
  maxHourlyPrice: null,
};
function fresh(amount: string, changes: Partial<HourlyPrice> = {}): FreshPrice {
  const judged = judgePrice(price(amount, changes), NOW);
  if (judged.status !== 'fresh') throw new Error(judged.status);
  return judged.price;
}
const held = { guaranteedUntil: new Date(NOW + 60_000).toISOString() };

describe('what a price may be spent on', () => {
  it('is anything that no estimate speaks of yet', () =>
    expect(authorises(fresh('9'), estimateOf(placement, null), NOW)).toEqual({
      allowed: true,
      because: 'no-estimate',
    }));

  it('is the estimate with its tolerance, and above it only what is guaranteed', () => {
    const estimate = estimateOf(placement, price('0.80'));
    expect(estimate).toMatchObject({ basis: 'first-price', limit: '1' });
    expect(authorises(fresh('1.00'), estimate, NOW)).toMatchObject({ because: 'within-estimate' });
    expect(authorises(fresh('1.0001'), estimate, NOW)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('1.0001 USD an hour, which nobody guarantees, is above 1 (1.25 times 0.80'),
    });
    expect(authorises(fresh('1.0001', held), estimate, NOW)).toMatchObject({ because: 'guaranteed' });
  });

  it('is the estimate again once a guarantee has ended, though the price is still fresh', () => {
    const estimate = estimateOf(placement, price('0.80'));
    const staleAfter = new Date(NOW + 600_000).toISOString();
    const once = fresh('1.0001', { ...held, staleAfter });
    expect(authorises(once, estimate, NOW + 59_999)).toMatchObject({ allowed: true });
    expect(authorises(once, estimate, NOW + 60_000)).toMatchObject({ allowed: false });
  });

  it('never is above a ceiling that the user wrote, whoever guarantees it, and a ceiling has no tolerance', () => {
    const estimate = estimateOf({ ...placement, maxHourlyPrice: '0.80' }, price('5'));
    expect(authorises(fresh('0.8'), estimate, NOW)).toMatchObject({ because: 'within-estimate' });
    expect(authorises(fresh('0.81', held), estimate, NOW)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('ceiling of 0.80'),
    });
  });

  it('is for the whole machine, on both sides', () => {
    const estimate = estimateOf(placement, price('0.20', { unit: 'gpu-hour' }));
    expect(estimate).toMatchObject({ limit: '1', first: '0.80' });
    expect(authorises(fresh('0.25', { unit: 'gpu-hour' }), estimate, NOW)).toMatchObject({ allowed: true });
    expect(authorises(fresh('0.26', { unit: 'gpu-hour' }), estimate, NOW)).toMatchObject({ allowed: false });
  });

  it('is of the market that is launched: a spot price never stands for on-demand, nor the reverse', () => {
    const none = estimateOf(placement, null);
    expect(authorises(fresh('0.1', { market: 'spot' }), none, NOW)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('it is a price for spot, and the placement is on-demand'),
    });
    const spot = estimateOf({ ...placement, spot: true }, null);
    expect(authorises(fresh('0.1', { market: 'bid' }), spot, NOW)).toMatchObject({ allowed: true });
    expect(authorises(fresh('0.1'), spot, NOW)).toMatchObject({ allowed: false });
    // A first price of another market is no estimate.
    expect(estimateOf(placement, price('0.1', { market: 'spot' }))).toMatchObject({ basis: 'none' });
  });

  it('is not compared across currencies: only a guarantee helps there', () => {
    const estimate = estimateOf(placement, price('0.80'));
    expect(authorises(fresh('0.10', { currency: 'EUR' }), estimate, NOW)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('cannot be compared'),
    });
    expect(authorises(fresh('0.10', { currency: 'EUR', ...held }), estimate, NOW)).toMatchObject({ allowed: true });
  });

  it('agrees with whole numbers however large, so no float is on the way', () => {
    const units = fc.bigInt({ min: 1n, max: 10n ** 30n });
    fc.assert(
      fc.property(units, units, (first, now) => {
        const decimal = (value: bigint): string =>
          `${value / 10_000n}.${(value % 10_000n).toString().padStart(4, '0')}`;
        const verdict = authorises(fresh(decimal(now)), estimateOf(placement, price(decimal(first))), NOW);
        expect(verdict.allowed).toBe(now * 100n <= first * BigInt(ESTIMATE_TOLERANCE.replace('.', '')));
      }),
    );
  });
});
