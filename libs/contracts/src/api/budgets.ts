import { z } from 'zod';
import { spendLimits } from '../budget.js';
import { decimal, instant } from '../primitives.js';

/** Row of `GET /v1/budgets`: a budget that is set, of a deployment or of a tenant. Amounts are in its currency. */
export const budgetView = z.object({
  of: z.enum(['deployment', 'tenant']),
  /** Key of the deployment, or name of the tenant. */
  name: z.string(),
  tenant: z.string(),
  limits: spendLimits,
  /** Spend before this counts against no total. */
  since: instant,
  /** `unknown`: something bills at a price that nobody knows, so that it cannot be said whether it is within. */
  state: z.enum(['within', 'near', 'unknown', 'hourly-exceeded', 'total-exhausted']),
  /** An hour, of all machines that bill or are about to, until each is proven gone. */
  heldHourly: decimal,
  /** At most so much was spent. */
  heldTotal: decimal,
  /** So much of it for machines that their provider showed. */
  confirmedTotal: decimal,
  /** Machines in `heldHourly`. */
  machines: z.int().nonnegative(),
  /** Further machines whose price is unknown or in another currency. */
  unjudged: z.int().nonnegative(),
  /** What may be added; null where there is no such ceiling. */
  hourlyLeft: decimal.nullable(),
  totalLeft: decimal.nullable(),
  /** When the total is used up at the present rate; null where there is none, where it is, and where nothing bills. */
  exhaustedAt: instant.nullable(),
  /** Slots whose replica a budget ended, and that wait for room, as `tenant/deployment revision/ordinal`. */
  heldBack: z.array(z.string()),
  why: z.string(),
  /** Position of the log that it stands for. */
  position: z.int(),
});
export type BudgetView = z.infer<typeof budgetView>;
