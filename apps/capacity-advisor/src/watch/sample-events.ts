import type { HourlyPrice, NewEvent, StockSignal } from '@davit/contracts';
import { type OfferState, changedQuotes } from '@davit/domain';
import { isoTime } from '@davit/ports';
import { quoteEvents } from '../assessment/assessment-events.js';
import type { Watched } from './watched.js';

export type Sample = {
  readonly watched: Watched;
  readonly offer: OfferState | undefined;
  readonly signal: StockSignal;
  /** All prices that were weighed for the signal's. */
  readonly prices: readonly HourlyPrice[];
};

/**
 * One `sampled`, and one `price-quoted` for each price that is news. A sample holds until the one after the next is due, so that
 * history has no holes while samples are taken, and one where they are not.
 * @param roundMs time until every offer of its cloud had its turn
 */
export function sampleEvents(
  { watched: { placement }, offer, signal, prices }: Sample,
  roundMs: number,
  nowMs: number,
): readonly NewEvent[] {
  const sampled = { placement, signal: heldFor(signal, 2 * roundMs) };
  const news = changedQuotes(prices, offer?.quotes, nowMs);
  return [{ type: 'davit.capacity.sampled', data: sampled }, ...quoteEvents(placement, news)];
}

/** The price stands for as long as the signal that it came with. */
function heldFor(signal: StockSignal, ms: number): StockSignal {
  const expiresAt = isoTime(Date.parse(signal.observedAt) + ms);
  const { price } = signal;
  if (price === null) return { ...signal, expiresAt };
  const staleAfter = isoTime(Date.parse(price.observedAt) + ms);
  const longer = price.staleAfter === undefined || price.staleAfter < staleAfter;
  return { ...signal, expiresAt, price: longer ? { ...price, staleAfter } : price };
}
