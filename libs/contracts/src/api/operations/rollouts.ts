import { z } from 'zod';
import { rolloutId } from '../../primitives.js';
import { rolloutPage, rolloutReceipt, rolloutView } from '../rollouts.js';
import { defineOperation } from './define.js';
import { alsoPast, asOf, countUpTo, listPart, onlyOfDeployment, onlyOfTenant, rolloutPath } from './parameters.js';

const question = { method: 'GET', tag: 'rollouts', role: 'viewer' } as const;

export const listRollouts = defineOperation({
  ...question,
  id: 'listRollouts',
  path: '/v1/rollouts',
  summary: 'Rollouts on evidence, in the order of their ids',
  query: z.strictObject({
    ...asOf,
    deployment: onlyOfDeployment,
    tenant: onlyOfTenant,
    all: alsoPast,
    phase: z.array(z.string().max(40)).min(1).describe('Only in one of these.').optional(),
    after: rolloutId.describe('`next` of the page before.').optional(),
    changedAfter: listPart.changedAfter,
    limit: countUpTo(1_000, 100),
  }),
  responses: { 200: rolloutPage },
});

export const getRollout = defineOperation({
  ...question,
  id: 'getRollout',
  path: '/v1/rollouts/{tenant}/{rollout}',
  summary: 'One rollout',
  params: rolloutPath,
  query: z.strictObject(asOf),
  responses: { 200: rolloutView },
  problems: [404],
});

export const getReceipt = defineOperation({
  ...question,
  id: 'getReceipt',
  path: '/v1/rollouts/{tenant}/{rollout}/receipt',
  summary: 'What a rollout did, with all that it rests on, as files that can be checked without us',
  params: rolloutPath,
  query: z.strictObject(asOf),
  responses: { 200: rolloutReceipt },
  problems: [404],
});
