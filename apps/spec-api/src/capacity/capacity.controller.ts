import type { CapacityHistory, OffersAnswer } from '@davit/contracts';
import type { OfferState } from '@davit/domain';
import { Controller, Get, Query } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { type Query as Parameters, countOf, onlyKnown, wholeNumber } from '../queries/parameters.js';
import { readHistory } from './history.js';
import { OFFER_PARAMETERS, offerFilter } from './offer-filter.js';
import { readOffers } from './offers.js';
import { windowOf } from './window.js';

const MAX_LIMIT = 1_000;

/** What is and was known of offers: signals, prices, and what became of starts. */
@Controller('v1/capacity')
export class CapacityController {
  @Get('history')
  async history(@Asked() asking: Asking, @Query() query: Parameters): Promise<CapacityHistory> {
    onlyKnown(query, [...OFFER_PARAMETERS, 'from', 'to', 'after', 'limit']);
    const after = wholeNumber(query, 'after', 0);
    const { log, nowMs } = await asking.view();
    return readHistory(log, {
      ...windowOf(query, nowMs),
      wanted: offerFilter(query),
      after: after === 0 ? null : after,
      limit: countOf(query, 'limit', 200, MAX_LIMIT),
    });
  }

  @Get('offers')
  async offers(@Asked() asking: Asking, @Query() query: Parameters): Promise<OffersAnswer> {
    onlyKnown(query, OFFER_PARAMETERS);
    const { model, log, nowMs } = await asking.view();
    const records = await model.list<OfferState>('offer');
    const documents = records.map(({ document }) => document);
    return readOffers(log, documents, offerFilter(query), nowMs);
  }
}
