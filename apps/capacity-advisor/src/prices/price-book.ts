import type { HourlyPrice, Placement, StockSignal } from '@davit/contracts';
import { machinePrice, pickPrice } from '@davit/domain';
import type { Clock, Logger } from '@davit/ports';
import type { PriceSource } from './source.js';

/** A signal with the price that counts for its placement, and all prices that were weighed. */
export type PricedSignal = { readonly signal: StockSignal; readonly prices: readonly HourlyPrice[] };

/** Puts the sources of prices together: what the provider just quoted, the operator's own table, list prices. */
export class PriceBook {
  constructor(
    private readonly sources: readonly PriceSource[],
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * The signal's price becomes the one that counts, told for the whole machine; where none is fresh the best of the stale, which
   * whoever judges it may show and not spend; null where nobody knows one, which is never zero. Prices are looked up anew each time, however old the signal is. Never rejects: a source with a defect says nothing.
   */
  async priced(placement: Placement, signal: StockSignal): Promise<PricedSignal> {
    const known = await Promise.all(this.sources.map((source) => this.ask(source, placement)));
    const prices = [...(signal.price ? [signal.price] : []), ...known.flat()];
    const { picked, stale } = pickPrice(prices, placement, this.clock.nowMs());
    const price = picked?.price ?? stale?.price;
    return { signal: { ...signal, price: price ? machinePrice<HourlyPrice>(price, placement) : null }, prices };
  }

  /** What keeps sources from saying what they should, for people who can mend it. */
  async faults(): Promise<readonly string[]> {
    const told = await Promise.all(this.sources.map(async (source) => source.fault?.()));
    return told.flatMap((fault) => fault ?? []);
  }

  private async ask(source: PriceSource, placement: Placement): Promise<readonly HourlyPrice[]> {
    try {
      return await source.pricesOf(placement);
    } catch (error) {
      this.logger.error({ placement, err: error }, 'a source of prices failed');
      return [];
    }
  }
}
