import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { addAmounts, compareAmounts, multiplyAmount } from './money.js';

const cents = fc.bigInt({ min: 0n, max: 10n ** 12n });
const text = (value: bigint): string => `${value / 100n}.${(value % 100n).toString().padStart(2, '0')}`;

describe('decimal amounts', () => {
  it('add and multiply exactly, where floats do not', () => {
    expect(addAmounts('0.1', '0.2')).toBe('0.3');
    expect(multiplyAmount('0.79', 3)).toBe('2.37');
  });
  it('agree with whole cents', () => {
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        expect(addAmounts(text(a), text(b))).toBe(text(a + b));
        expect(Math.sign(compareAmounts(text(a), text(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
  it('are equal whatever the number of decimals written', () => expect(compareAmounts('4', '4.00')).toBe(0));
});
