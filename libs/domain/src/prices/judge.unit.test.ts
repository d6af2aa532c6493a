import type { HourlyPrice } from '@davit/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Estimate, authorises } from './estimate.js';
import { CLOCK_SKEW_MS, PRICE_LIFETIME_MS, isGuaranteed, judgePrice } from './judge.js';

const NOW = Date.UTC(2026, 0, 1);
const at = (ms: number): string => new Date(ms).toISOString();
const price = (changes: Partial<HourlyPrice> = {}): HourlyPrice => ({
  amount: '0.86',
  currency: 'USD',
  unit: 'instance-hour',
  kind: 'quoted',
  source: 'runpod-v2',
  observedAt: at(NOW),
  ...changes,
});
const status = (changes: Partial<HourlyPrice>, nowMs = NOW) => judgePrice(price(changes), nowMs).status;

describe('the worth of a price', () => {
  it('is missing where there is none, which is neither zero nor stale', () =>
    expect(judgePrice(null, NOW)).toEqual({ status: 'missing' }));

  it('lasts until its stated end, and not a moment longer', () => {
    const staleAfter = at(NOW + 1_000);
    expect(judgePrice(price({ staleAfter }), NOW + 999)).toMatchObject({ status: 'fresh', ageMs: 999 });
    expect(judgePrice(price({ staleAfter }), NOW + 1_000)).toMatchObject({ status: 'stale', ageMs: 1_000 });
  });

  it('lasts by what kind of fact it is where its source states no end', () => {
    for (const kind of ['quoted', 'catalogue', 'billed'] as const) {
      expect(status({ kind }, NOW + PRICE_LIFETIME_MS[kind] - 1)).toBe('fresh');
      expect(status({ kind }, NOW + PRICE_LIFETIME_MS[kind])).toBe('stale');
    }
  });

  it('lasts for as long as the provider holds to it', () => {
    const held = { staleAfter: at(NOW + 1_000), guaranteedUntil: at(NOW + 5_000) };
    expect(status(held, NOW + 4_999)).toBe('fresh');
    expect(isGuaranteed(price(held), NOW + 4_999)).toBe(true);
    expect(status(held, NOW + 5_000)).toBe('stale');
    expect(isGuaranteed(price(held), NOW + 5_000)).toBe(false);
  });

  it('is refused where the price is of a moment that has not come, within what clocks may differ by', () => {
    expect(status({ observedAt: at(NOW + CLOCK_SKEW_MS) })).toBe('fresh');
    const future = { observedAt: at(NOW + CLOCK_SKEW_MS + 1), guaranteedUntil: at(NOW + 3_600_000) };
    expect(judgePrice(price(future), NOW)).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('has not come yet'),
    });
    expect(isGuaranteed(price(future), NOW)).toBe(false);
  });

  it('is refused where an end lies before its observation, or no instant can be read', () => {
    expect(status({ guaranteedUntil: at(NOW - 1) })).toBe('refused');
    expect(status({ staleAfter: at(NOW - 1) })).toBe('refused');
    expect(status({ staleAfter: 'soon' })).toBe('refused');
    expect(status({ observedAt: 'today' })).toBe('refused');
  });

  it('is refused where a provider says that a machine costs nothing, which is the operator’s to say alone', () => {
    expect(status({ amount: '0.00' })).toBe('refused');
    expect(status({ amount: '0.00', source: 'operator' })).toBe('fresh');
    expect(status({ amount: '0.01' })).toBe('fresh');
  });

  it('only falls as time passes: fresh turns into stale and never back', () => {
    const instant = fc.integer({ min: -7_200_000, max: 7_200_000 }).map((ms) => at(NOW + ms));
    const maybe = fc.option(instant, { nil: undefined });
    const kind = fc.constantFrom('quoted' as const, 'catalogue' as const, 'billed' as const);
    fc.assert(
      fc.property(
        instant,
        maybe,
        maybe,
        kind,
        fc.nat(100_000_000),
        fc.nat(100_000_000),
        (seen, stale, held, of, a, b) => {
          const given = price({
            observedAt: seen,
            kind: of,
            ...(stale === undefined ? {} : { staleAfter: stale }),
            ...(held === undefined ? {} : { guaranteedUntil: held }),
          });
          const before = judgePrice(given, NOW + Math.min(a, b));
          const after = judgePrice(given, NOW + Math.max(a, b));
          if (before.status === 'stale') expect(after.status).toBe('stale');
          if (before.status === 'fresh') expect(['fresh', 'stale']).toContain(after.status);
          // What is refused for the future alone may become a price when its time has come; what contradicts itself never does.
          if (before.status === 'refused' && before.reason.includes('lies before'))
            expect(after.status).toBe('refused');
          expect(judgePrice(given, NOW + 200_000_000).status).not.toBe('fresh');
        },
      ),
    );
  });

  it('is a matter of type: what authorises takes neither a stale nor an unjudged price', () => {
    const estimate: Estimate = {
      placement: { cloud: 'runpod', region: null, accelerator: null, spot: false, maxHourlyPrice: null },
      basis: 'none',
    };
    const judged = judgePrice(price({ staleAfter: at(NOW + 1) }), NOW);
    // Compiled, never called: the compiler is the one that has to refuse.
    const refusedByTheCompiler = () => {
      // @ts-expect-error a price that nobody judged authorises nothing
      authorises(price(), estimate, NOW);
      // @ts-expect-error a stale price authorises nothing
      if (judged.status === 'stale') authorises(judged.price, estimate, NOW);
    };
    expect(refusedByTheCompiler).toBeInstanceOf(Function);
    expect(judged.status === 'fresh' && authorises(judged.price, estimate, NOW)).toMatchObject({ allowed: true });
  });
});
