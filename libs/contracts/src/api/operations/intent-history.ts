import { z } from 'zod';
import { INTENTS } from '../../intents.js';
import { intentView } from '../lists.js';
import { defineOperation } from './define.js';
import { asOf, countUpTo, onlyOfDeployment, onlyOfTenant } from './parameters.js';

const question = { method: 'GET', tag: 'intents', role: 'viewer' } as const;

const VERBS = Object.values(INTENTS).flat();

export const listIntents = defineOperation({
  ...question,
  id: 'listIntents',
  path: '/v1/intents',
  summary: 'What was asked for and what was answered, the newest first',
  query: z.strictObject({
    ...asOf,
    tenant: onlyOfTenant,
    deployment: onlyOfDeployment,
    outcome: intentView.shape.outcome.describe('Only with this outcome.').optional(),
    verb: z.array(z.enum(VERBS)).min(1).describe('Only with one of these.').optional(),
    actor: z.string().max(200).describe('Only of this one.').optional(),
    after: z
      .string()
      .regex(/^[1-9]\d{0,15}$/, { error: 'is not `next` of a page; write it as it was given' })
      .describe('`next` of the page before: only what is older follows.')
      .optional(),
    limit: countUpTo(1_000, 100),
  }),
  responses: {
    200: z.object({
      position: z.int().nonnegative(),
      items: z.array(intentView),
      next: z
        .string()
        .nullable()
        .describe('A page may hold fewer than asked for, or none; null at the first intent of all.'),
    }),
  },
});

export const getIntent = defineOperation({
  ...question,
  id: 'getIntent',
  path: '/v1/intents/{id}',
  summary: 'What was asked for with one intent, and what was answered',
  params: z.strictObject({ id: z.uuid({ error: 'is not the id of an intent' }) }),
  query: z.strictObject(asOf),
  responses: { 200: intentView },
  problems: [404],
});
