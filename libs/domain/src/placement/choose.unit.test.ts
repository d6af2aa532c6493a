import { describe, expect, it } from '@jest/globals';
import type { Placement, StockSignal, StockState } from '@davit/contracts';
import { REFUSAL_MEMORY_MS, choosePlacement } from './choose.js';

const NOW = Date.UTC(2026, 0, 1);
const placement = (name: string, maxHourlyPrice: string | null = null): Placement => ({
  cloud: 'runpod',
  region: null,
  accelerator: { name, count: 1 },
  spot: false,
  maxHourlyPrice,
});
const signal = (state: StockState, amount?: string, ageMs = 0): StockSignal => ({
  state,
  source: 'runpod-v2',
  scope: 'global',
  level: null,
  observedAt: new Date(NOW - ageMs).toISOString(),
  expiresAt: new Date(NOW - ageMs + 30_000).toISOString(),
  price:
    amount === undefined
      ? null
      : {
          amount,
          currency: 'USD',
          unit: 'instance-hour',
          kind: 'quoted',
          source: 'runpod-v2',
          observedAt: new Date(NOW).toISOString(),
        },
  detail: state,
  permanent: false,
});
const choose = (
  signals: (StockSignal | undefined)[],
  extra: { ceiling?: string; maxHourly?: string; currency?: string; replicas?: number; refusedAgoMs?: number } = {},
) => {
  const rungs = signals.map((given, rung) => ({
    rung,
    placement: placement(`GPU${rung}`, extra.ceiling ?? null),
    signal: given,
  }));
  const first = rungs[0];
  const refusals =
    extra.refusedAgoMs === undefined || !first
      ? []
      : [
          {
            placement: first.placement,
            class: 'capacity' as const,
            at: new Date(NOW - extra.refusedAgoMs).toISOString(),
          },
        ];
  const choice = choosePlacement(
    rungs,
    refusals,
    {
      budget: extra.maxHourly === undefined ? null : { maxHourly: extra.maxHourly, currency: extra.currency ?? 'USD' },
      replicas: extra.replicas ?? 1,
    },
    NOW,
  );
  return choice.outcome === 'chosen' ? choice.rung : choice.outcome;
};

describe('choosing a rung of the ladder', () => {
  it('takes the first with stock', () => expect(choose([signal('unavailable'), signal('available')])).toBe(1));
  it('is not blocked by not knowing', () => {
    expect(choose([signal('unknown'), signal('available')])).toBe(0);
    expect(choose([undefined, signal('available')])).toBe(0);
  });
  it('goes on with little stock', () => expect(choose([signal('constrained'), signal('available')])).toBe(0));
  it('treats a signal past its lifetime as unknown, also a bad one', () =>
    expect(choose([signal('unavailable', undefined, 60_000)])).toBe(0));
  it('waits when every rung is out of stock', () =>
    expect(choose([signal('unavailable'), signal('unavailable')])).toBe('none'));
  it('passes over a rung that refused lately, and forgives it later', () => {
    expect(choose([signal('available'), signal('available')], { refusedAgoMs: 1_000 })).toBe(1);
    expect(choose([signal('available'), signal('available')], { refusedAgoMs: REFUSAL_MEMORY_MS })).toBe(0);
  });
  it('keeps to the ceiling of a placement', () =>
    expect(choose([signal('available', '1.00')], { ceiling: '0.99' })).toBe('none'));
  it('keeps to the budget for all replicas together', () => {
    expect(choose([signal('available', '0.10')], { maxHourly: '0.3', replicas: 3 })).toBe(0);
    expect(choose([signal('available', '0.10')], { maxHourly: '0.29', replicas: 3 })).toBe('none');
  });
  it('never passes a price by a budget in another currency', () =>
    expect(choose([signal('available', '0.10')], { maxHourly: '9', currency: 'EUR' })).toBe('none'));
  it('counts a price for each GPU as often as the machine has GPUs', () => {
    const four = { ...placement('GPU0', '1.00'), accelerator: { name: 'GPU0', count: 4 } };
    const quoted = signal('available', '0.30');
    const perGpu = { ...quoted, price: quoted.price && { ...quoted.price, unit: 'gpu-hour' as const } };
    const choice = choosePlacement(
      [{ rung: 0, placement: four, signal: perGpu }],
      [],
      { budget: null, replicas: 1 },
      NOW,
    );
    expect(choice).toMatchObject({ outcome: 'none', reason: expect.stringContaining('1.20 an hour') });
  });
  it('holds no price that is past its lifetime against a rung', () =>
    expect(choose([signal('available', '1.00', 60_000)], { ceiling: '0.99' })).toBe(0));
});
