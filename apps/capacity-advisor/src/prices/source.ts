import type { HourlyPrice, Placement } from '@davit/contracts';

/** Knows prices without asking a provider. */
export interface PriceSource {
  /** What it says of a placement, for its market; nothing where it says nothing. Never throws. */
  pricesOf(placement: Placement): Promise<readonly HourlyPrice[]>;
}
