import { type CapacityHistory, type OffersAnswer, type QueryOf, operations } from '@davit/contracts';
import type { OfferState } from '@davit/domain';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { readHistory } from './history.js';
import { offerFilter } from './offer-filter.js';
import { readOffers } from './offers.js';
import { windowOf } from './window.js';

/** What is and was known of offers: signals, prices, and what became of starts. */
@Controller()
export class CapacityController {
  @Serves(operations.getCapacityHistory)
  async history(
    @Asked() asking: Asking,
    @ReadQuery() query: QueryOf<typeof operations.getCapacityHistory>,
  ): Promise<CapacityHistory> {
    const { after, limit } = query;
    const { log, nowMs } = await asking.view();
    return readHistory(log, {
      ...windowOf(query, nowMs),
      wanted: offerFilter(query),
      after: after === 0 ? null : after,
      limit,
    });
  }

  @Serves(operations.listOffers)
  async offers(
    @Asked() asking: Asking,
    @ReadQuery() query: QueryOf<typeof operations.listOffers>,
  ): Promise<OffersAnswer> {
    const { model, log, nowMs } = await asking.view();
    const records = await model.list<OfferState>('offer');
    const documents = records.map(({ document }) => document);
    return readOffers(log, documents, offerFilter(query), nowMs);
  }
}
