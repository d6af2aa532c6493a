import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { addAmounts, compareAmounts, multiplyAmount, orderOf } from './money.js';

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
  it('are ordered as the numbers they are, whatever zeros are written before and after', () => {
    const digits = fc.tuple(fc.stringMatching(/^[0-9]{1,25}$/), fc.stringMatching(/^[0-9]{0,25}$/));
    const unitsOf = ([whole, fraction]: readonly [string, string]): bigint => BigInt(whole + fraction.padEnd(25, '0'));
    const written = ([whole, fraction]: readonly [string, string]): string =>
      fraction === '' ? whole : `${whole}.${fraction}`;
    fc.assert(
      fc.property(digits, digits, (a, b) => {
        const [left, right] = [unitsOf(a), unitsOf(b)];
        expect(Math.sign(compareAmounts(written(a), written(b)))).toBe(left < right ? -1 : left > right ? 1 : 0);
        expect(compareAmounts(written(a), `000${written(a)}${a[1] === '' ? '.' : ''}00`)).toBe(0);
      }),
    );
    expect(compareAmounts('10', '9.99')).toBeGreaterThan(0);
  });
  it('get numbers that compare as they do, however long they are, and those that are not known come last', () => {
    const decimal = (most: number): fc.Arbitrary<string> =>
      fc.stringMatching(new RegExp(`^[0-9]{1,${most}}(\\.[0-9]{1,${most}})?$`));
    for (const most of [4, 20]) {
      fc.assert(
        fc.property(fc.array(fc.option(decimal(most)), { minLength: 2, maxLength: 8 }), (amounts) => {
          const order = orderOf(amounts);
          for (const [at, a] of amounts.entries()) {
            if (a === null) expect(order[at]).toBe(Infinity);
            else expect(order[at]).toBeLessThan(Infinity);
            for (const [other, b] of amounts.entries()) {
              if (a === null || b === null) continue;
              const difference = (order[at] ?? Number.NaN) - (order[other] ?? Number.NaN);
              expect(Math.sign(difference)).toBe(Math.sign(compareAmounts(a, b)));
            }
          }
        }),
      );
    }
  });
  it('are equal whatever the number of decimals written', () => expect(compareAmounts('4', '4.00')).toBe(0));
});
