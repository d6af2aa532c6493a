import { z } from 'zod';
import { stockState } from '../placement.js';
import { hourlyPrice, instant } from '../primitives.js';
import { deploymentReference } from './operations/parameters.js';

/** Body of `POST /v1/whatif`. Times are instants, or so long ago: `30m`, `2h`, `7d`. */
export const whatIfRequest = z.strictObject({
  /** The specification that is tried; without one, what `against` declared at each moment. */
  deployment: z.unknown().optional(),
  from: z.string().max(40).optional(),
  to: z.string().max(40).optional(),
  /** Ranks the placements by this, as a set, instead of what the specification says. */
  objective: z.enum(['cost', 'readiness', 'reliability']).optional(),
  /** `tenant/name` of the deployment whose place it takes. */
  against: deploymentReference.optional(),
});
export type WhatIfRequest = z.infer<typeof whatIfRequest>;

const outcome = {
  outcome: z.enum(['placed', 'waits']),
  offer: z.string().nullable(),
  rung: z.int().nullable(),
  reason: z.string(),
};

const alternative = z.object({
  offer: z.string(),
  rung: z.int(),
  verdict: z.enum(['chosen', 'next', 'rejected']),
  reason: z.string(),
  state: stockState,
  ageMs: z.number().nullable(),
  price: hourlyPrice.nullable(),
});

const decision = z.object({
  ...outcome,
  at: instant,
  position: z.int(),
  price: hourlyPrice.nullable(),
  candidates: z.array(alternative),
  /** What was really decided then; null where nothing was. */
  real: z.object({ ...outcome, replica: z.string(), position: z.int() }).nullable(),
});

const spent = z.object({
  amounts: z.array(z.object({ currency: z.string(), amount: z.string() })),
  /** Machine time whose price is unknown: it comes on top. */
  unpricedMs: z.number(),
  billing: z.int(),
});

const slot = z.object({
  ordinal: z.int(),
  /** Position of the real decision from which on it went another way; null where it never did. */
  divergedAt: z.int().nullable(),
  decisions: z.array(decision),
  waits: z.array(z.object({ from: instant, to: instant.nullable(), reason: z.string() })),
  falls: z.array(z.object({ at: instant, position: z.int(), offer: z.string(), because: z.string() })),
  machines: z.array(
    z.object({
      offer: z.string(),
      from: instant,
      to: instant.nullable(),
      readyAt: instant.nullable(),
      readyBy: z.enum(['real', 'history', 'assumed']).nullable(),
      price: hourlyPrice.nullable(),
    }),
  ),
  cost: spent,
});

/** Answer of `POST /v1/whatif`: what would have been, replica by replica, next to what was. */
export const whatIfView = z.object({
  from: instant,
  to: instant,
  against: z.string().nullable(),
  slots: z.array(slot),
  /** Real decisions that were held against it, and how many would have been others. */
  compared: z.int(),
  differences: z.int(),
  cost: spent,
  realCost: spent.nullable(),
  /** Real replicas that the specification does not want. */
  notWanted: z.array(z.string()),
  /** By what rules it was replayed, and where they may be wrong. */
  rules: z.array(z.string()),
  notes: z.array(z.string()),
  read: z.object({ events: z.int(), fromPosition: z.int(), upTo: z.int() }),
});
export type WhatIfView = z.infer<typeof whatIfView>;
