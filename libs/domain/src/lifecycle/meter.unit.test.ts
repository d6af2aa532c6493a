import { describe, expect, it } from '@jest/globals';
import type { HourlyPrice, Placement } from '@davit/contracts';
import fc from 'fast-check';
import { addAmounts, compareAmounts } from '../money.js';
import {
  type Citation,
  type Meter,
  type Spent,
  changeRate,
  confirmedOn,
  describeSpent,
  endMeter,
  endSight,
  heldOn,
  rateNow,
  reopenMeter,
  spentOn,
  startMeter,
  startSight,
} from './meter.js';

const at = (minutes: number): string => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
const ms = (minutes: number): number => Date.parse(at(minutes));
const cite = (minutes: number, position = 1): Citation => ({ time: at(minutes), position });
const price = (amount: string, change: Partial<HourlyPrice> = {}): HourlyPrice => ({
  ...{ amount, currency: 'USD', unit: 'instance-hour', kind: 'billed', source: 'test', observedAt: at(0) },
  ...change,
});
const four: Placement = {
  ...{ cloud: 'runpod', region: null, accelerator: { name: 'L40S', count: 4 }, spot: false, maxHourlyPrice: null },
};

describe('what a machine has cost', () => {
  it('is a sum over the price at each time, in decimals', () => {
    const dear = changeRate(startMeter(cite(0), price('0.79'), null), cite(30), price('1.00'), null);
    expect(spentOn([dear], ms(60)).amounts).toEqual([{ currency: 'USD', amount: '0.895000' }]);
  });

  it('counts each accelerator where the price is for one, and is unknown where nobody knows how many there are', () => {
    const each = price('0.50', { unit: 'gpu-hour' });
    expect(spentOn([startMeter(cite(0), each, four)], ms(60)).amounts).toEqual([
      { currency: 'USD', amount: '2.000000' },
    ]);
    expect(spentOn([startMeter(cite(0), each, null)], ms(60))).toMatchObject({ amounts: [], unpricedMs: 3_600_000 });
  });

  it('keeps currencies apart, and time without a price as time', () => {
    const first = startMeter(cite(0), null, null);
    const priced = changeRate(first, cite(20), price('3', { currency: 'EUR' }), null);
    const again = changeRate(priced, cite(40), price('3'), null);
    const spent = spentOn([endMeter(again, cite(60))], ms(600));
    expect(describeSpent(spent)).toBe('1.0000 EUR and 1.0000 USD and 20 minutes at an unknown price');
    expect(spent.billing).toBe(0);
    expect(describeSpent(spentOn([first], ms(5)))).toBe('an unknown sum (5 minutes at an unknown price)');
    expect(describeSpent(spentOn([first], ms(1)))).toBe('an unknown sum (1 minute at an unknown price)');
    expect(describeSpent(spentOn([], 0))).toBe('nothing');
  });

  it('is the same however often the same price is told', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 599 }), { maxLength: 20 }), (minutes) => {
        let meter = startMeter(cite(0), price('0.33'), null);
        for (const minute of minutes.toSorted((a, b) => a - b)) {
          meter = changeRate(meter, cite(minute), price('0.34'), null);
          meter = changeRate(meter, cite(minute), price('0.33'), null);
        }
        expect(spentOn([meter], ms(600)).amounts).toEqual([{ currency: 'USD', amount: '3.300000' }]);
      }),
    );
  });

  it('cites the event of each price, also of one that only rests on something else', () => {
    const quoted = startMeter(cite(0, 7), price('1', { kind: 'quoted', source: 'sky' }), null);
    const billed = changeRate(quoted, cite(5, 9), price('1', { source: 'runpod-v2' }), null);
    expect(billed.rates.map(({ position, price: rate }) => [position, rate?.kind, rate?.source])).toEqual([
      [7, 'quoted', 'sky'],
      [9, 'billed', 'runpod-v2'],
    ]);
    expect(changeRate(billed, cite(6, 10), price('1', { source: 'runpod-v2' }), null)).toBe(billed);
  });

  it('is confirmed only for the times in which it was seen to run, and at most held for all of them', () => {
    const launched = startMeter(cite(0), price('6'), null);
    const seen = endSight(startSight(launched, cite(10, 3)), cite(40, 5));
    const gone = endMeter(endSight(startSight(seen, cite(50, 6)), cite(55, 8)), cite(60, 9));
    expect(confirmedOn([gone], ms(0), ms(600)).amounts).toEqual([{ currency: 'USD', amount: '3.500000' }]);
    expect(heldOn([gone], ms(0), ms(600)).amounts).toEqual([{ currency: 'USD', amount: '6.000000' }]);
    expect(confirmedOn([endMeter(launched, cite(60))], ms(0), ms(600)).amounts).toEqual([]);
    expect(gone.seen.map(({ fromPosition, untilPosition }) => [fromPosition, untilPosition])).toEqual([
      [3, 5],
      [6, 8],
    ]);
  });
});

it('is told at any moment, one between two milliseconds too', () => {
  expect(spentOn([startMeter(cite(0), price('1'), null)], ms(60) + 0.71).amounts[0]?.amount).toBe('1.000000');
});

describe('the present rate', () => {
  it('is that of all machines that are not proven gone, and counts those without a price apart', () => {
    const gone = endMeter(startMeter(cite(0), price('9'), null), cite(1));
    const machines = [
      startMeter(cite(0), price('1.5'), null),
      startMeter(cite(0), price('0.25', { unit: 'gpu-hour' }), four),
      startMeter(cite(0), null, null),
    ];
    const amounts = [{ currency: 'USD', amount: '2.50' }];
    expect(rateNow([...machines, gone])).toEqual({ amounts, unpriced: 1, billing: 3 });
  });
});

type Change = {
  readonly minute: number;
  readonly what: 'sight' | 'end' | 'rate' | 'gone' | 'back';
  readonly cents: number;
};
const changes = fc.array(
  fc.record({
    minute: fc.integer({ min: 0, max: 3_000 }),
    what: fc.constantFrom('sight', 'end', 'rate', 'gone', 'back' as const),
    cents: fc.integer({ min: 0, max: 999 }),
  }),
  { maxLength: 25 },
);
/** One meter for each prefix of the log, with the instant up to which that log reaches. */
function metersOf(log: readonly Change[]): readonly (readonly [Meter, number])[] {
  let meter = startMeter(cite(0), price('0.77'), null);
  const ordered = log.toSorted((a, b) => a.minute - b.minute);
  return ordered.map(({ minute, what, cents }, index) => {
    const when = cite(minute, index + 2);
    if (what === 'sight') meter = startSight(meter.until === null ? meter : reopenMeter(meter, when), when);
    else if (what === 'end') meter = endSight(meter, when);
    else if (what === 'rate') meter = changeRate(meter, when, cents === 0 ? null : price(`${cents / 100}`), null);
    else if (what === 'gone') meter = endMeter(endSight(meter, when), when);
    else if (meter.until !== null) meter = reopenMeter(meter, when);
    return [meter, ms(minute)] as const;
  });
}
const usd = ({ amounts }: Spent): string => amounts[0]?.amount ?? '0';

describe('sums over intervals', () => {
  it('law-14: add up to the last digit, over days as over machines, wherever the cut is', () => {
    const cuts = fc.array(fc.integer({ min: 0, max: 3_100 }), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(changes, { minLength: 1, maxLength: 4 }), cuts, (logs, minutes) => {
        const meters = logs.flatMap((log) => metersOf(log).at(-1)?.[0] ?? []);
        const ends = [0, ...minutes.toSorted((a, b) => a - b), 3_200].map(ms);
        for (const on of [heldOn, confirmedOn]) {
          const whole = on(meters, ms(0), ms(3_200));
          const parts = ends.slice(1).map((end, index) => on(meters, ends[index] ?? 0, end));
          expect(compareAmounts(parts.map(usd).reduce(addAmounts, '0'), usd(whole))).toBe(0);
          expect(parts.reduce((sum, { unpricedMs }) => sum + unpricedMs, 0)).toBe(whole.unpricedMs);
          const single = meters.map((meter) => usd(on([meter], ms(0), ms(3_200))));
          expect(compareAmounts(single.reduce(addAmounts, '0'), usd(whole))).toBe(0);
        }
      }),
    );
  });

  it('law-14: what is confirmed of a past day stays as it is, whatever comes later', () => {
    fc.assert(
      fc.property(changes, fc.integer({ min: 0, max: 3_000 }), (log, fromMinute) => {
        const prefixes = metersOf(log);
        const last = prefixes.at(-1);
        if (!last) return;
        for (const [meter, reachedMs] of prefixes) {
          const then = confirmedOn([meter], ms(fromMinute), reachedMs);
          const now = confirmedOn([last[0]], ms(fromMinute), reachedMs);
          expect([now.amounts, now.unpricedMs]).toEqual([then.amounts, then.unpricedMs]);
        }
      }),
    );
  });

  it('law-14: what is held of a past day never falls, and is never less than what is confirmed', () => {
    fc.assert(
      fc.property(changes, (log) => {
        const prefixes = metersOf(log);
        const last = prefixes.at(-1);
        if (!last) return;
        for (const [meter, reachedMs] of prefixes) {
          const held = heldOn([meter], 0, reachedMs);
          expect(compareAmounts(usd(heldOn([last[0]], 0, reachedMs)), usd(held))).toBeGreaterThanOrEqual(0);
          expect(compareAmounts(usd(held), usd(confirmedOn([meter], 0, reachedMs)))).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
