import { z } from 'zod';
import type { Reply } from '../wire/reply.js';
import type { Transport } from '../wire/transport.js';
import { idText, maybeAmount, maybeNumberText, maybeText } from './fields.js';
import type { SearchQuery } from './workergroups.js';

const offerRow = z.object({
  id: idText,
  gpu_name: maybeText,
  num_gpus: maybeNumberText,
  /** MB. */
  gpu_ram: maybeNumberText,
  /** USD an hour. */
  dph_total: maybeAmount,
  reliability: maybeNumberText,
});
export type OfferRow = z.infer<typeof offerRow>;
const offerList = z.object({ offers: z.array(offerRow) }).transform(({ offers }) => offers);

/** Offers that the engine could rent workers from. None predicts that no worker will come. */
export class OffersApi {
  constructor(private readonly transport: Transport) {}

  /** @param query as a workergroup gives its search back; amounts of memory in MB */
  search(query: SearchQuery, limit = 64): Promise<Reply<readonly OfferRow[]>> {
    const defaults = { verified: { eq: true }, rentable: { eq: true }, rented: { eq: false } };
    const body = { ...defaults, ...query, type: 'ondemand', limit, order: [['dph_total', 'asc']] };
    return this.transport.call({
      route: 'POST bundles',
      path: '/api/v0/bundles/',
      schema: offerList,
      body,
      decimals: true,
    });
  }
}
