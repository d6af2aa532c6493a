import type { CapacityHistory, OffersAnswer } from '@davit/contracts';
import type { OfferState } from '@davit/domain';
import { type ServicePorts, tokens } from '@davit/service-kit';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { type Query as Parameters, countOf, onlyKnown, wholeNumber } from '../queries/parameters.js';
import { readHistory } from './history.js';
import { OFFER_PARAMETERS, offerFilter } from './offer-filter.js';
import { readOffers } from './offers.js';
import { windowOf } from './window.js';

const MAX_LIMIT = 1_000;

/** What is and was known of offers: signals, prices, and what became of starts. */
@Controller('v1/capacity')
export class CapacityController {
  constructor(@Inject(tokens.SERVICE_PORTS) private readonly ports: ServicePorts) {}

  @Get('history')
  async history(@Query() query: Parameters): Promise<CapacityHistory> {
    onlyKnown(query, [...OFFER_PARAMETERS, 'from', 'to', 'after', 'limit']);
    const after = wholeNumber(query, 'after', 0);
    return readHistory(this.ports.log, {
      ...windowOf(query, this.ports.clock.nowMs()),
      wanted: offerFilter(query),
      after: after === 0 ? null : after,
      limit: countOf(query, 'limit', 200, MAX_LIMIT),
    });
  }

  @Get('offers')
  async offers(@Query() query: Parameters): Promise<OffersAnswer> {
    onlyKnown(query, OFFER_PARAMETERS);
    const records = await this.ports.model.list<OfferState>('offer');
    const documents = records.map(({ document }) => document);
    return readOffers(this.ports.log, documents, offerFilter(query), this.ports.clock.nowMs());
  }
}
