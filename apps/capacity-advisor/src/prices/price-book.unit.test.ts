import type { HourlyPrice, Placement, StockSignal } from '@davit/contracts';
import { judgePrice } from '@davit/domain';
import { VirtualClock, isoTime, silentLogger } from '@davit/ports';
import { describe, expect, it } from '@jest/globals';
import type { CatalogueReader } from './catalogue.js';
import { cataloguePrices } from './catalogue-prices.js';
import { PriceBook } from './price-book.js';
import type { PriceSource } from './source.js';

const clock = new VirtualClock();
const placement: Placement = {
  cloud: 'runpod',
  region: null,
  accelerator: { name: 'L40S', count: 2 },
  spot: false,
  maxHourlyPrice: null,
};
const price = (source: string, amount: string, changes: Partial<HourlyPrice> = {}): HourlyPrice => ({
  amount,
  currency: 'USD',
  unit: 'instance-hour',
  kind: 'quoted',
  source,
  observedAt: isoTime(clock.nowMs()),
  market: 'on-demand',
  ...changes,
});
const signal = (quoted: HourlyPrice | null): StockSignal => ({
  state: 'available',
  source: 'runpod-v2',
  scope: 'global',
  level: 'HIGH',
  observedAt: isoTime(clock.nowMs()),
  expiresAt: isoTime(clock.nowMs() + 60_000),
  price: quoted,
  detail: 'in stock',
  permanent: false,
});
const saying = (...prices: readonly HourlyPrice[]): PriceSource => ({ pricesOf: () => Promise.resolve(prices) });
const failing: PriceSource = { pricesOf: () => Promise.reject(new Error('defect')) };
const book = (...sources: readonly PriceSource[]) => new PriceBook(sources, clock, silentLogger);

const QUOTE = price('runpod-v2', '1.72');
const OPERATOR = price('operator', '0.79', { unit: 'gpu-hour', kind: 'catalogue' });
const LIST = price('sky-catalogue', '1.80', { kind: 'catalogue' });

describe('the book of prices', () => {
  it('gives a signal the price that counts, for the whole machine, and names every price it weighed', async () => {
    const { signal: priced, prices } = await book(saying(OPERATOR), saying(LIST)).priced(placement, signal(QUOTE));
    expect(priced).toEqual({ ...signal(null), price: { ...OPERATOR, amount: '1.58', unit: 'instance-hour' } });
    expect(prices).toEqual([QUOTE, OPERATOR, LIST]);
  });

  it('gives a signal without a quote the list price, and no price at all where nobody knows one', async () => {
    expect((await book(saying(LIST)).priced(placement, signal(null))).signal.price).toEqual(LIST);
    expect((await book(saying()).priced(placement, signal(null))).signal.price).toBeNull();
  });

  it('never gives a price of another market', async () => {
    const spot = price('runpod-v2', '0.10', { market: 'spot' });
    const { signal: priced, prices } = await book(saying()).priced(placement, signal(spot));
    expect(priced.price).toBeNull();
    expect(prices).toEqual([spot]);
  });

  it('gives a price past its lifetime only where none is fresh: as it is, to be shown', async () => {
    const stale = { ...OPERATOR, staleAfter: isoTime(clock.nowMs()) };
    const shown = (await book(saying(stale)).priced(placement, signal(null))).signal.price;
    expect(shown).toEqual({ ...stale, amount: '1.58', unit: 'instance-hour' });
    expect(judgePrice(shown, clock.nowMs()).status).toBe('stale');
    expect((await book(saying(stale), saying(LIST)).priced(placement, signal(null))).signal.price).toEqual(LIST);
  });

  it('takes a source with a defect for one that says nothing', async () => {
    expect((await book(failing, saying(LIST)).priced(placement, signal(null))).signal.price).toEqual(LIST);
  });
});

describe('list prices', () => {
  const listing = (onDemand: string | null, spot: string | null): CatalogueReader => ({
    lookUp: () =>
      Promise.resolve({
        outcome: 'listed',
        listing: { rows: [], regions: ['CA'], dearest: { onDemand, spot } },
        readAt: isoTime(clock.nowMs()),
      }),
  });

  it('are the dearest that may be launched, of the market that is asked for, until their lifetime ends', async () => {
    const source = cataloguePrices(listing('1.9', '1.00'), 60_000);
    const staleAfter = isoTime(clock.nowMs() + 60_000);
    expect(await source.pricesOf(placement)).toEqual([
      { ...LIST, amount: '1.9', market: 'on-demand', storage: 'excluded', staleAfter },
    ]);
    expect(await source.pricesOf({ ...placement, spot: true })).toMatchObject([{ amount: '1.00', market: 'spot' }]);
  });

  it('are none where no row has a price for the market, which is not zero', async () => {
    expect(await cataloguePrices(listing('1.72', null), 60_000).pricesOf({ ...placement, spot: true })).toEqual([]);
    const none: CatalogueReader = { lookUp: () => Promise.resolve({ outcome: 'no-catalogue', detail: '' }) };
    expect(await cataloguePrices(none, 60_000).pricesOf(placement)).toEqual([]);
  });
});
