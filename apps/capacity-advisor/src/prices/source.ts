import type { HourlyPrice, Placement } from '@davit/contracts';

/** Knows prices without asking a provider. */
export interface PriceSource {
  /** What it says of a placement, for its market; nothing where it says nothing. Never throws. */
  pricesOf(placement: Placement): Promise<readonly HourlyPrice[]>;
  /** What keeps it from saying what it should, in words for its operator; undefined while nothing does. Never throws. */
  fault?(): Promise<string | undefined>;
}
