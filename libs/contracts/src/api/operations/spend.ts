import { z } from 'zod';
import { budgetView } from '../budgets.js';
import { COST_GROUPS, costView } from '../cost.js';
import { defineOperation } from './define.js';
import { asOf, countUpTo, listing, onlyOfDeployment, onlyOfTenant } from './parameters.js';

const question = { method: 'GET', tag: 'spend', role: 'viewer' } as const;

const day = z.iso
  .date({ error: 'is not a day; write a day in UTC, for example 2026-11-30' })
  .meta({ examples: ['2026-11-30'] });

export const listBudgets = defineOperation({
  ...question,
  id: 'listBudgets',
  path: '/v1/budgets',
  summary: 'How the budgets stand, those of tenants first',
  query: z.strictObject({ ...asOf, tenant: onlyOfTenant }),
  responses: { 200: listing(budgetView) },
});

export const getCost = defineOperation({
  ...question,
  id: 'getCost',
  path: '/v1/cost',
  summary: 'What was spent, from what the log says of prices and machines at the time',
  query: z.strictObject({
    ...asOf,
    deployment: onlyOfDeployment,
    tenant: onlyOfTenant,
    from: day.describe('First day, in UTC; 29 days before the last where nothing is said.').optional(),
    to: day.describe('Last day, inclusive; today where nothing is said.').optional(),
    by: z.enum(COST_GROUPS).default('deployment').describe('What rows are told apart by.'),
    cited: countUpTo(10_000, 100).describe('Positions of events that each figure cites at most.'),
  }),
  responses: { 200: costView },
  problems: [404],
});
