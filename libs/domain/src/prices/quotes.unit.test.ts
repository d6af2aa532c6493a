import type { HourlyPrice, Placement, RecordedEvent, StockSignal } from '@davit/contracts';
import { describe, expect, it } from '@jest/globals';
import { type OfferState, evolveOffer } from '../lifecycle/evolve-offer.js';
import { History } from '../testing/history.js';
import { changedQuotes } from './quotes.js';
import { NOW, price as quoted } from './testing/price.js';

const placement: Placement = {
  cloud: 'runpod',
  region: null,
  accelerator: { name: 'L40S', count: 1 },
  spot: false,
  maxHourlyPrice: null,
};
const price = (amount: string, changes: Partial<HourlyPrice> = {}): HourlyPrice =>
  quoted(amount, { market: 'on-demand', ...changes });
const folded = (...prices: readonly HourlyPrice[]): OfferState | undefined => {
  const history = new History(NOW);
  for (const told of prices) history.given('capacity/x', 'davit.capacity.price-quoted', { placement, price: told });
  return history.events.reduce<OfferState | undefined>(evolveOffer, undefined);
};
const news = (told: readonly HourlyPrice[], now: readonly HourlyPrice[]) =>
  changedQuotes(now, folded(...told)?.quotes, NOW);

describe('prices that are news', () => {
  it('are those that nobody told of before', () => expect(news([], [price('0.86')])).toEqual([price('0.86')]));

  it('are not those seen again, however much later and however they are written', () => {
    const later = price('0.860', {
      observedAt: new Date(NOW + 1_000).toISOString(),
      staleAfter: new Date(NOW + 9_000).toISOString(),
    });
    expect(news([price('0.86')], [later])).toEqual([]);
  });

  it('are those of another amount, currency, unit, guarantee or share of the disk', () => {
    for (const other of [
      price('0.87'),
      price('0.86', { currency: 'EUR' }),
      price('0.86', { unit: 'gpu-hour' }),
      price('0.86', { storage: 'included' }),
      price('0.86', { guaranteedUntil: new Date(NOW + 9_000).toISOString() }),
    ])
      expect(news([price('0.86')], [other])).toEqual([other]);
  });

  it('are told of each source, kind and market by itself: a list price does not replace a quote', () => {
    const told = [price('0.86'), price('0.80', { kind: 'catalogue', source: 'sky-catalogue' })];
    expect(news(told, told)).toEqual([]);
    expect(news(told, [price('0.80'), told[1] ?? price('1')])).toEqual([price('0.80')]);
    expect(news([price('0.86')], [price('0.86', { market: 'spot' })])).toHaveLength(1);
  });

  it('come back when a price does: what counts is the last that was told', () =>
    expect(news([price('0.86'), price('0.90')], [price('0.86')])).toEqual([price('0.86')]));

  it('are none that contradict the clock or themselves', () =>
    expect(news([], [price('0.86', { observedAt: new Date(NOW + 3_600_000).toISOString() }), price('0')])).toEqual([]));
});

describe('an offer', () => {
  it('remembers when it was last sampled, and starts and quotes beside it', () => {
    const signal: StockSignal = {
      state: 'available',
      source: 'runpod-v2',
      scope: 'global',
      level: 'HIGH',
      observedAt: new Date(NOW).toISOString(),
      expiresAt: new Date(NOW + 1_200_000).toISOString(),
      price: null,
      detail: '',
      permanent: false,
    };
    const history = new History(NOW)
      .given('capacity/x', 'davit.capacity.price-quoted', { placement, price: price('0.86') })
      .later(60_000)
      .given('capacity/x', 'davit.capacity.sampled', { placement, signal });
    const state = history.events.reduce(
      (before: OfferState | undefined, event: RecordedEvent) => evolveOffer(before, event),
      undefined,
    );
    expect(state).toMatchObject({
      key: 'runpod:*:L40S:1',
      sampledAt: new Date(NOW + 60_000).toISOString(),
      quotes: { 'runpod-v2/quoted/on-demand': { amount: '0.86' } },
      tries: [],
    });
  });
});
