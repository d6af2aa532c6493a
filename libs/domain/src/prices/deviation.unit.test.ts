import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { describeDeviation, deviationOf } from './deviation.js';

const usd = (amount: string) => ({ amount, currency: 'USD' });
const words = (billed: string, estimate: string): string | null => {
  const deviation = deviationOf(usd(billed), usd(estimate));
  return deviation && describeDeviation(deviation);
};

describe('what is billed against what was estimated', () => {
  it('deviates by a percentage of the estimate, rounded half up', () => {
    expect(words('0.30', '0.43')).toBe('-30.23 %');
    expect(words('0.90', '0.80')).toBe('+12.50 %');
    expect(words('2', '2.00')).toBe('0.00 %');
    expect(words('1.00005', '1')).toBe('+0.01 %');
  });
  it('is not compared where one is missing, the currencies differ, or the estimate is zero', () => {
    expect(deviationOf(null, usd('1'))).toBeNull();
    expect(deviationOf(usd('1'), null)).toBeNull();
    expect(deviationOf(usd('1'), { amount: '1', currency: 'EUR' })).toBeNull();
    expect(deviationOf(usd('1'), usd('0.00'))).toBeNull();
  });
  it('agrees with whole numbers, however large', () => {
    const units = fc.bigInt({ min: 1n, max: 10n ** 25n });
    fc.assert(
      fc.property(units, units, (billed, estimate) => {
        const deviation = deviationOf(usd(`${billed}`), usd(`${estimate}`));
        const apart = billed > estimate ? billed - estimate : estimate - billed;
        const hundredths = (apart * 20_000n + estimate) / (2n * estimate);
        expect(deviation?.percent.replace('.', '')).toBe(hundredths.toString().padStart(3, '0'));
        expect(deviation?.sign).toBe(billed < estimate ? -1 : billed > estimate ? 1 : 0);
      }),
    );
  });
});
