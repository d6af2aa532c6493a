import type { HourlyPrice, Placement } from '@davit/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OPERATOR_SOURCE, judgePrice } from './judge.js';
import { machinePrice, wholeMachine } from './machine.js';
import { pickPrice } from './pick.js';

const NOW = Date.UTC(2026, 0, 1);
const at = (ms: number): string => new Date(ms).toISOString();
const placement: Placement = {
  cloud: 'vast',
  region: null,
  accelerator: { name: 'RTX4090', count: 2 },
  spot: false,
  maxHourlyPrice: null,
};
const price = (changes: Partial<HourlyPrice> = {}): HourlyPrice => ({
  amount: '0.80',
  currency: 'USD',
  unit: 'instance-hour',
  kind: 'quoted',
  source: 'vast',
  observedAt: at(NOW),
  market: 'on-demand',
  ...changes,
});

const CATALOGUE = price({ kind: 'catalogue', source: 'skypilot', amount: '0.10' });
const BILLED = price({ kind: 'billed', amount: '0.20' });
const QUOTE = price({ amount: '0.30' });
const HELD = price({ amount: '0.40', guaranteedUntil: at(NOW + 1_000) });
const OPERATOR = price({ kind: 'catalogue', source: OPERATOR_SOURCE, amount: '0.50' });

describe('the price that counts', () => {
  it('is the operator’s, then a held quote, a quote, what is billed, a list price', () => {
    const all = [CATALOGUE, BILLED, QUOTE, HELD, OPERATOR];
    for (let length = all.length; length > 0; length -= 1) {
      const given = all.slice(0, length);
      const { picked, rejected } = pickPrice(given, placement, NOW);
      expect(picked?.price).toEqual(given.at(-1));
      expect(rejected.map(({ price: other }) => other)).toEqual(given.slice(0, -1).toReversed());
    }
    expect(pickPrice([CATALOGUE, OPERATOR], placement, NOW).rejected).toEqual([
      { price: CATALOGUE, reason: "the operator's own table counts before a list price" },
    ]);
  });

  it('is the latest of its kind, and the dearest of one moment for the whole machine', () => {
    const older = price({ observedAt: at(NOW - 1_000), amount: '9' });
    expect(pickPrice([older, QUOTE], placement, NOW).picked?.price).toEqual(QUOTE);
    const each = price({ amount: '0.20', unit: 'gpu-hour' });
    expect(pickPrice([QUOTE, each], placement, NOW).picked?.price).toEqual(each);
  });

  it('is null where none is fresh: the stale one is shown and nothing is zero', () => {
    expect(pickPrice([], placement, NOW)).toEqual({ picked: null, stale: null, rejected: [] });
    const old = price({ observedAt: at(NOW - 3_600_000) });
    expect(pickPrice([old], placement, NOW)).toMatchObject({
      picked: null,
      stale: { price: old, ageMs: 3_600_000 },
      rejected: [{ reason: 'it is 3600 s old, past its lifetime' }],
    });
  });

  it('prefers a fresh list price to a stale table of the operator', () => {
    const old = { ...OPERATOR, staleAfter: at(NOW) };
    expect(pickPrice([old, CATALOGUE], placement, NOW).picked?.price).toEqual(CATALOGUE);
  });

  it('names what is wrong with a price that is no price of this placement', () => {
    const spot = price({ market: 'spot' });
    const future = price({ observedAt: at(NOW + 3_600_000) });
    const free = price({ amount: '0' });
    const { picked, rejected } = pickPrice([spot, future, free], placement, NOW);
    expect(picked).toBeNull();
    expect(rejected.map(({ reason }) => reason).toSorted()).toEqual([
      expect.stringContaining('it is a price for spot'),
      expect.stringContaining('it was observed at'),
      expect.stringContaining('vast says 0'),
    ]);
    const cpu = { ...placement, accelerator: null };
    expect(pickPrice([price({ unit: 'gpu-hour' })], cpu, NOW)).toMatchObject({
      picked: null,
      rejected: [{ reason: expect.stringContaining('for each GPU') }],
    });
  });

  const instant = fc.integer({ min: -100_000_000, max: 200_000 }).map((ms) => at(NOW + ms));
  const anyPrice: fc.Arbitrary<HourlyPrice> = fc
    .record({
      amount: fc.constantFrom('0', '0.30', '0.3', '0.15', '1'),
      unit: fc.constantFrom('gpu-hour' as const, 'instance-hour' as const),
      kind: fc.constantFrom('quoted' as const, 'catalogue' as const, 'billed' as const),
      source: fc.constantFrom('vast', 'skypilot', OPERATOR_SOURCE),
      observedAt: fc.oneof(instant, fc.constant(at(NOW))),
      market: fc.constantFrom('on-demand' as const, 'spot' as const),
      guaranteedUntil: fc.option(instant, { nil: undefined }),
    })
    .map(({ guaranteedUntil, ...rest }) => price(guaranteedUntil === undefined ? rest : { ...rest, guaranteedUntil }));

  it('is the same whatever the order and repetition of the prices, and every other is answered for once', () => {
    const shuffled = fc
      .array(anyPrice, { maxLength: 12 })
      .chain((prices) =>
        fc.tuple(fc.constant(prices), fc.shuffledSubarray([...prices, ...prices], { minLength: prices.length * 2 })),
      );
    fc.assert(
      fc.property(shuffled, ([prices, others]) => {
        const pick = pickPrice(prices, placement, NOW);
        expect(pickPrice(others, placement, NOW)).toEqual(pick);
        const answered = [
          ...pick.rejected.map(({ price: other }) => other),
          ...(pick.picked ? [pick.picked.price] : []),
        ];
        const distinct = new Set(prices.map((given) => JSON.stringify(given)));
        expect(new Set(answered.map((given) => JSON.stringify(given)))).toEqual(distinct);
        expect(answered).toHaveLength(distinct.size);
      }),
    );
  });

  it('is never stale, missing or zero unless the operator says zero', () => {
    fc.assert(
      fc.property(fc.array(anyPrice, { maxLength: 8 }), fc.nat(100_000_000), (prices, laterMs) => {
        const { picked } = pickPrice(prices, placement, NOW + laterMs);
        const fresh = prices.filter(
          (given) => judgePrice(given, NOW + laterMs).status === 'fresh' && given.market === 'on-demand',
        );
        expect(picked === null).toBe(fresh.length === 0);
        if (picked?.price.amount === '0') expect(picked.price.source).toBe(OPERATOR_SOURCE);
      }),
    );
  });
});

describe('the price of a whole machine', () => {
  it('is the price of each GPU as often as there are GPUs, exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 1, max: 64 }), (cents, count) => {
        const text = (value: bigint): string => `${value / 100n}.${(value % 100n).toString().padStart(2, '0')}`;
        const machine = { accelerator: { name: 'L4', count } };
        const each = price({ amount: text(cents), unit: 'gpu-hour' });
        expect(wholeMachine(each, machine)).toBe(text(cents * BigInt(count)));
        expect(machinePrice(each, machine)).toMatchObject({
          unit: 'instance-hour',
          amount: text(cents * BigInt(count)),
        });
      }),
    );
  });
  it('is the price itself where that is for the machine', () => expect(wholeMachine(QUOTE, placement)).toBe('0.30'));
});
