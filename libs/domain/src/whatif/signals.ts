import type { RecordedEvent, StockSignal } from '@davit/contracts';
import { offerKeyOf } from '../placement/offer.js';

/** The last that was said of each offer, to anybody, while a log is read. */
export class Signals {
  private readonly byOffer = new Map<string, StockSignal>();

  /** Key of the offer that something was said of; undefined for other events. */
  see(event: RecordedEvent): string | undefined {
    if (event.type !== 'davit.capacity.assessed' && event.type !== 'davit.capacity.sampled') return undefined;
    const key = offerKeyOf(event.data.placement);
    this.byOffer.set(key, event.data.signal);
    return key;
  }

  readonly latest = (offer: string): StockSignal | undefined => this.byOffer.get(offer);

  /** When the first of these signals runs out after a moment. */
  nextExpiry(offers: readonly string[], nowMs: number): number | null {
    const expiries = offers.flatMap((offer) => {
      const signal = this.byOffer.get(offer);
      const ms = signal ? Date.parse(signal.expiresAt) : 0;
      return ms > nowMs ? [ms] : [];
    });
    return expiries.length === 0 ? null : Math.min(...expiries);
  }
}
