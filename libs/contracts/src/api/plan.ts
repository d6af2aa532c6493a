import { z } from 'zod';
import { spendLimits } from '../budget.js';
import { placement, stockSignal } from '../placement.js';
import { decimal, hourlyPrice } from '../primitives.js';

/** A placement that the specification allows, with what is known of it now and what follows from that. */
export const planCandidate = z.object({
  rung: z.int(),
  placement,
  /** Past its lifetime a signal is unknown here. */
  signal: stockSignal,
  verdict: z.enum(['chosen', 'next', 'rejected']),
  reason: z.string(),
  /** Age of the signal; null where nothing was heard. */
  ageMs: z.number().nonnegative().nullable(),
  /** How far own history lets a promise of stock be believed, 0 to 1. */
  confidence: z.number(),
  /** Of the whole machine. A stale price is shown and decides nothing. */
  price: z.object({
    status: z.enum(['fresh', 'stale', 'missing']),
    price: hourlyPrice.nullable(),
    ageMs: z.number().nonnegative().nullable(),
    detail: z.string(),
  }),
  /** What the order compared, by its name, in words. */
  scores: z.record(z.string(), z.string()),
});
export type PlanCandidate = z.infer<typeof planCandidate>;

/** A budget that holds for the deployment, and what applying this would do to it. */
export const planBudget = z.object({
  of: z.enum(['deployment', 'tenant']),
  name: z.string(),
  limits: spendLimits,
  /** Held before this is applied, an hour and in all. */
  heldHourly: decimal,
  heldTotal: decimal,
  /** What is added an hour wherever it is placed; null where a price is not known, so that nothing is certain. */
  certainHourly: decimal.nullable(),
  /**
   * `exceeds`: even the cheapest placement is above what is left; `may-exceed`: the dearest is, and the budget holds it back;
   * `unknown`: a price is not known, or is in another currency.
   */
  verdict: z.enum(['within', 'may-exceed', 'exceeds', 'unknown']),
  detail: z.string(),
});
export type PlanBudget = z.infer<typeof planBudget>;

const amount = z.string().nullable();

/** Answer of `POST /v1/plan`. */
export const planView = z.object({
  deployment: z.string(),
  change: z.enum(['new', 'new-revision', 'scale', 'settings', 'none']),
  revision: z.int(),
  replicas: z.object({ from: z.int(), to: z.int() }),
  differences: z.array(z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })),
  /** In the order in which they would be taken by the last of the replicas that are placed. */
  rungs: z.array(planCandidate),
  /** How many of the replicas that are to be placed would go where, from what is known now; `rung` null: they would wait. */
  placed: z.array(z.object({ rung: z.int().nullable(), replicas: z.int() })).default([]),
  /** Amounts are null where a price is not known. */
  spend: z.object({
    currency: z.string(),
    /** All replicas where they would be placed now, and where they run. */
    chosenHourly: amount,
    /** All replicas on the dearest placement that they may end on, as far as budgets let them. */
    worstCaseHourly: amount,
    worstCaseDaily: amount.default(null),
    /** The placement that makes it; null where a budget caps it, or it is not known. */
    worstCaseRung: z.int().nullable().default(null),
    /** While the present revision hands over: machines at once, and what they cost an hour at most. */
    duringRollout: z.object({ machines: z.int(), hourly: amount }).nullable().default(null),
    ceilingHourly: amount,
    ceilingTotal: amount.default(null),
    /** How long what is left of the total lasts at the worst case; null without one, and where that is not known. */
    hoursUntilTotal: amount.default(null),
    /** What starts that fail may cost at most before they are given up, all replicas together; null where it is not known. */
    failedStarts: amount.default(null),
  }),
  budgets: z.array(planBudget).default([]),
  /** How the present revision hands over to this one; null when it does not. */
  rollout: z
    .object({
      strategy: z.enum(['surge', 'in-place', 'evidence']),
      /** Machines that it needs beside those that serve. */
      spareMachines: z.int(),
      /** Of the rung that would be taken. */
      stock: z.string(),
      /** What happens, and what to choose when that is not wanted. */
      outlook: z.string(),
    })
    .nullable()
    .default(null),
  notes: z.array(z.string()),
});
export type PlanView = z.infer<typeof planView>;
