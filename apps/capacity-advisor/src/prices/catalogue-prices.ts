import type { HourlyPrice, Placement } from '@davit/contracts';
import { marketOf } from '@davit/domain';
import { isoTime } from '@davit/ports';
import type { CatalogueReader } from './catalogue.js';
import type { PriceSource } from './source.js';

/** Source of prices that SkyPilot's catalogue files list. */
export const SKY_CATALOGUE_SOURCE = 'sky-catalogue';

/**
 * List prices as a source. SkyPilot may launch any of the rows that fit a placement, so the dearest counts: a placement that
 * names its region has fewer of them. A row without a price for the market says nothing, and least of all zero.
 */
export const cataloguePrices = (catalogue: CatalogueReader, lifetimeMs: number): PriceSource => ({
  async pricesOf(placement) {
    const answer = await catalogue.lookUp(placement);
    if (answer.outcome !== 'listed') return [];
    const amount = answer.listing.dearest[placement.spot ? 'spot' : 'onDemand'];
    return amount === null ? [] : [listPrice(amount, placement, answer.readAt, lifetimeMs)];
  },
});

/** SkyPilot's catalogues are in US dollars throughout. */
const listPrice = (amount: string, placement: Placement, readAt: string, lifetimeMs: number): HourlyPrice => ({
  amount,
  currency: 'USD',
  unit: 'instance-hour',
  kind: 'catalogue',
  source: SKY_CATALOGUE_SOURCE,
  observedAt: readAt,
  market: marketOf(placement),
  staleAfter: isoTime(Date.parse(readAt) + lifetimeMs),
  // RunPod's disks are billed beside the GPU; other lists do not say.
  ...(placement.cloud === 'runpod' ? { storage: 'excluded' as const } : {}),
});
