import { z } from 'zod';
import type { SpendLimits } from '../budget.js';
import { amount, form } from './forms.js';

/** Ceilings as a user writes them, in a specification or for a tenant. */
export const budgetInput = z.strictObject({
  maxHourly: amount.optional().describe('At most so much an hour, for example "4.00".'),
  maxTotal: amount.optional().describe('At most so much in all.'),
  currency: form(/^[A-Z]{3}$/, 'is not a currency; write three capitals, for example "USD"', 3).default('USD'),
  onExceed: z
    .enum(['refuse', 'drain'])
    .default('refuse')
    .describe('What happens above it: nothing more is started, or replicas are drained too.'),
  alarmAt: z.number().positive().max(1).optional().describe('Share of the ceiling at which an alarm is raised.'),
});
type BudgetInput = z.output<typeof budgetInput>;

export const hasCeiling = ({ maxHourly, maxTotal }: BudgetInput): boolean =>
  maxHourly !== undefined || maxTotal !== undefined;

/** What was not asked for is absent. */
export const normaliseBudget = ({ maxHourly, maxTotal, alarmAt, ...rest }: BudgetInput): SpendLimits => ({
  ...rest,
  ...(maxHourly === undefined ? {} : { maxHourly }),
  ...(maxTotal === undefined ? {} : { maxTotal }),
  ...(alarmAt === undefined ? {} : { alarmAt }),
});
