import { describe, expect, it } from '@jest/globals';
import type { HourlyPrice, Placement } from '@davit/contracts';
import fc from 'fast-check';
import { changeRate, describeSpent, spentOn, startMeter } from './meter.js';

const at = (minutes: number): string => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
const price = (amount: string, change: Partial<HourlyPrice> = {}): HourlyPrice => ({
  ...{ amount, currency: 'USD', unit: 'instance-hour', kind: 'billed', source: 'test', observedAt: at(0) },
  ...change,
});
const four: Placement = {
  ...{ cloud: 'runpod', region: null, accelerator: { name: 'L40S', count: 4 }, spot: false, maxHourlyPrice: null },
};

describe('what a machine has cost', () => {
  it('is a sum over the price at each time, in decimals', () => {
    const dear = changeRate(startMeter(at(0), price('0.79'), null), at(30), price('1.00'), null);
    expect(spentOn([dear], Date.parse(at(60))).amounts).toEqual([{ currency: 'USD', amount: '0.8950' }]);
  });

  it('counts each accelerator where the price is for one, and is unknown where nobody knows how many there are', () => {
    const each = price('0.50', { unit: 'gpu-hour' });
    expect(spentOn([startMeter(at(0), each, four)], Date.parse(at(60))).amounts).toEqual([
      { currency: 'USD', amount: '2.0000' },
    ]);
    expect(spentOn([startMeter(at(0), each, null)], Date.parse(at(60)))).toMatchObject({
      amounts: [],
      unpricedMs: 3_600_000,
    });
  });

  it('keeps currencies apart, and time without a price as time', () => {
    const first = startMeter(at(0), null, null);
    const priced = changeRate(first, at(20), price('3', { currency: 'EUR' }), null);
    const again = changeRate(priced, at(40), price('3'), null);
    const spent = spentOn([{ ...again, until: at(60) }], Date.parse(at(600)));
    expect(describeSpent(spent)).toBe('1.0000 EUR and 1.0000 USD and 20 minutes at an unknown price');
    expect(spent.billing).toBe(0);
    expect(describeSpent(spentOn([first], Date.parse(at(5))))).toBe('an unknown sum (5 minutes at an unknown price)');
    expect(describeSpent(spentOn([], 0))).toBe('nothing');
  });

  it('is the same however often the same price is told', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 599 }), { maxLength: 20 }), (minutes) => {
        let meter = startMeter(at(0), price('0.33'), null);
        for (const minute of minutes.toSorted((a, b) => a - b)) {
          meter = changeRate(meter, at(minute), price('0.34'), null);
          meter = changeRate(meter, at(minute), price('0.33'), null);
        }
        expect(spentOn([meter], Date.parse(at(600))).amounts).toEqual([{ currency: 'USD', amount: '3.3000' }]);
      }),
    );
  });
});
