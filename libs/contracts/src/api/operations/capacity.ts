import { z } from 'zod';
import { capacityHistory, offersAnswer } from '../capacity.js';
import { whatIfRequest, whatIfView } from '../whatif.js';
import { defineOperation } from './define.js';
import { asOf, countUpTo, flag, moment, wholeNumber } from './parameters.js';

const question = { tag: 'capacity', role: 'viewer' } as const;

/** Which offers are asked for. */
const offer = {
  cloud: z.string().max(60).optional(),
  accelerator: z
    .string()
    .max(60)
    .describe('Name with or without a count.')
    .meta({ examples: ['L40S:2'] })
    .optional(),
  region: z.string().max(100).optional(),
  spot: flag.optional(),
};

export const listOffers = defineOperation({
  ...question,
  id: 'listOffers',
  method: 'GET',
  path: '/v1/capacity/offers',
  summary: 'What is known of stock, prices and past starts of each offer',
  query: z.strictObject({ ...asOf, ...offer }),
  responses: { 200: offersAnswer },
});

export const getCapacityHistory = defineOperation({
  ...question,
  id: 'getCapacityHistory',
  method: 'GET',
  path: '/v1/capacity/history',
  summary: 'What was known of offers, in the order of time',
  query: z.strictObject({
    ...asOf,
    ...offer,
    from: moment,
    to: moment,
    after: wholeNumber(0).describe('`next` of the page before.'),
    limit: countUpTo(1_000, 200),
  }),
  responses: { 200: capacityHistory },
});

export const whatIf = defineOperation({
  ...question,
  id: 'whatIf',
  method: 'POST',
  path: '/v1/whatif',
  summary: 'What would have been, had another specification or policy been in place; nothing is changed',
  body: whatIfRequest,
  responses: { 200: whatIfView },
  problems: [404, 422],
});
