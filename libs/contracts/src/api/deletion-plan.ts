import { z } from 'zod';
import { hourlyPrice, instant } from '../primitives.js';

/** Answer of `POST /v1/plan/delete`: what deleting a deployment would do. */
export const deletionPlan = z.object({
  deployment: z.string(),
  status: z.enum(['active', 'deleting', 'deleted']),
  generation: z.int(),
  /** Aliases that lose targets, with what is left to serve under each. */
  routes: z.array(z.object({ alias: z.string(), withdrawn: z.array(z.string()), left: z.int() })),
  /** Every replica that is not proven gone. */
  replicas: z.array(
    z.object({
      id: z.string(),
      externalKey: z.string(),
      adapter: z.string(),
      state: z.string(),
      /** `drain`: its requests may end first; `delete`: at once; `leaving`: it is on its way out already. */
      step: z.enum(['drain', 'delete', 'leaving']),
      drainUntil: instant.nullable(),
      /** Requests in work when it was last heard; null where it is not known. */
      running: z.int().nullable(),
      /** It was adopted: it is let go, and keeps running. */
      keepsRunning: z.boolean(),
      /** Until it is proven gone, what may run counts as billing. */
      billing: z.boolean(),
      price: hourlyPrice.nullable(),
    }),
  ),
  /** A rollout that ends with it: its canary goes too. */
  rollout: z.object({ id: z.string(), phase: z.string(), canary: z.string().nullable() }).nullable(),
  /** What all of it costs an hour until it is proven gone. */
  billing: z.object({
    hourly: z.array(z.object({ amount: z.string(), currency: z.string() })),
    /** Things whose price is not known, which is not nothing. */
    unpriced: z.int(),
  }),
  notes: z.array(z.string()),
  position: z.int(),
});
export type DeletionPlan = z.infer<typeof deletionPlan>;
