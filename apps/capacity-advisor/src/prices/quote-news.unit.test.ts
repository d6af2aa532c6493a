import type { HourlyPrice, Placement } from '@davit/contracts';
import type { OfferState } from '@davit/domain';
import { VirtualClock, isoTime } from '@davit/ports';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { QuoteNews } from './quote-news.js';

const placement: Placement = {
  cloud: 'runpod',
  region: null,
  accelerator: { name: 'L40S', count: 1 },
  spot: false,
  maxHourlyPrice: null,
};
const price = (amount: string): HourlyPrice => ({
  amount,
  currency: 'USD',
  unit: 'instance-hour',
  kind: 'quoted',
  source: 'runpod-v2',
  observedAt: isoTime(0),
  market: 'on-demand',
});

describe('prices that are told with assessments', () => {
  let clock: VirtualClock;
  let quotes: QuoteNews;
  let folded: OfferState | undefined;
  let reads: number;
  const history = () => {
    reads += 1;
    return Promise.resolve(folded);
  };
  const news = async (amount: string) =>
    (await quotes.of(placement, [price(amount)], history, clock.nowMs())).map((told) => told.amount);
  const inLog = (amount: string): OfferState => ({
    key: '',
    offer: placement,
    open: {},
    tries: [],
    losses: [],
    quotes: { 'runpod-v2/quoted/on-demand': price(amount) },
  });

  beforeEach(() => {
    clock = new VirtualClock();
    quotes = new QuoteNews(clock);
    folded = undefined;
    reads = 0;
  });

  it('are told by one of many who ask at once, and the log is read for that one', async () => {
    const first = await news('0.86');
    const all = await Promise.all(Array.from({ length: 50 }, () => news('0.86')));
    expect([first, ...all].flat()).toEqual(['0.86']);
    expect(reads).toBe(1);
    expect((await Promise.all([news('0.90'), news('0.90')])).flat()).toEqual(['0.90']);
  });

  it('are not told where the log has them, also from before a restart or by another instance', async () => {
    folded = inLog('0.86');
    expect(await news('0.86')).toEqual([]);
    expect(await news('0.90')).toEqual(['0.90']);
  });

  it('are told again when another instance told another one meanwhile', async () => {
    expect(await news('0.86')).toEqual(['0.86']);
    folded = inLog('0.90');
    await clock.advance(60_000);
    expect(await news('0.86')).toEqual(['0.86']);
  });

  it('are told anew where what was to be told did not come into the log', async () => {
    expect(await news('0.86')).toEqual(['0.86']);
    quotes.forget(placement);
    expect(await news('0.86')).toEqual(['0.86']);
  });
});
