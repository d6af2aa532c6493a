import { z } from 'zod';
import { currency, decimal } from './primitives.js';

/** Share of a ceiling at which an alarm is raised, where nothing else is said. */
export const DEFAULT_ALARM_AT = 0.8;

/** Ceilings of spend. At least one of the two is there. */
export const spendLimits = z.strictObject({
  /** Of all machines that bill at once, per hour. */
  maxHourly: decimal.optional(),
  /** Of everything since the deployment was declared, or since the limits of a tenant were first set. */
  maxTotal: decimal.optional(),
  currency,
  /** `refuse`: nothing more is rented; `drain`: what came last goes first, until the rest fits. */
  onExceed: z.enum(['refuse', 'drain']),
  /** Share of a ceiling, 0 to 1, at which an alarm is raised; {@link DEFAULT_ALARM_AT} where absent. */
  alarmAt: z.number().positive().max(1).optional(),
});
export type SpendLimits = z.infer<typeof spendLimits>;

/** Why a budget ends a replica: whose budget, the ceiling, what was held against it then, and what the replica cost an hour. */
export const overBudget = z.strictObject({
  of: z.enum(['deployment', 'tenant']),
  /** Key of the deployment, or name of the tenant. */
  name: z.string(),
  ceiling: z.enum(['hourly', 'total']),
  limit: decimal,
  held: decimal,
  currency,
  /** Null where nobody said what it cost. */
  rate: decimal.nullable(),
});
export type OverBudget = z.infer<typeof overBudget>;
