import type { HourlyPrice, Placement } from '@davit/contracts';
import { type OfferState, changedQuotes, offerKeyOf, quoteKeyOf } from '@davit/domain';
import type { Clock } from '@davit/ports';

type Told = { readonly quotes: Readonly<Record<string, HourlyPrice>>; readonly untilMs: number };

/** What was told lately need not have reached the read model yet; older than this, the read model knows better. */
const REMEMBERED_MS = 60_000;

/**
 * Which prices are news, for many who ask about the same offers at once: what one of them is about to tell, the others do not
 * tell again.
 */
export class QuoteNews {
  private readonly told = new Map<string, Told>();

  constructor(private readonly clock: Clock) {}

  /** @param history what the log tells of the offer; read only where there may be news */
  async of(
    placement: Placement,
    prices: readonly HourlyPrice[],
    history: (placement: Placement) => Promise<OfferState | undefined>,
    nowMs: number,
  ): Promise<readonly HourlyPrice[]> {
    const key = offerKeyOf(placement);
    if (changedQuotes(prices, this.toldOf(key), nowMs).length === 0) return [];
    const folded = (await history(placement))?.quotes;
    const news = changedQuotes(prices, { ...folded, ...this.toldOf(key) }, nowMs);
    const quotes = { ...this.toldOf(key), ...Object.fromEntries(prices.map((price) => [quoteKeyOf(price), price])) };
    this.told.set(key, { quotes, untilMs: this.clock.monotonicMs() + REMEMBERED_MS });
    return news;
  }

  /** What was to be told did not come into the log. */
  forget(placement: Placement): void {
    this.told.delete(offerKeyOf(placement));
  }

  private toldOf(key: string): Readonly<Record<string, HourlyPrice>> | undefined {
    const told = this.told.get(key);
    if (!told || this.clock.monotonicMs() < told.untilMs) return told?.quotes;
    this.told.delete(key);
    return undefined;
  }
}
