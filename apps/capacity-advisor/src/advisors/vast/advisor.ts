import { ADVISOR_CALLS } from '../calls.js';
import type { Dialect } from '../provider.js';
import { type Offers, decideOffers, readOffers } from './decide.js';
import { type VastQuestion, searchBody, vastQuestion } from './question.js';

const CALL = ADVISOR_CALLS['vast-offers'];

/** Rows are long, and only a few of their fields are read. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Vast's search of offers (https://docs.vast.ai/api-reference/search/search-offers, read September 2026). Nothing is rented by it. */
export const vastOffers = (baseUrl: string): Dialect<VastQuestion, Offers> => ({
  source: 'vast-offers',
  provider: 'Vast',
  needsKey: true,
  keyVariable: 'VAST_API_KEY',
  interruptible: 'bid',
  questionOf: vastQuestion,
  requestFor: (question) => ({
    method: CALL.method,
    url: `${baseUrl.replace(/\/+$/, '')}${CALL.path()}`,
    body: searchBody(question),
    maxBytes: MOST_BYTES,
  }),
  read: readOffers,
  decide: decideOffers,
});
