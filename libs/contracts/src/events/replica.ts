import { z } from 'zod';
import { overBudget } from '../budget.js';
import { placement, stockSignal, stockState } from '../placement.js';
import { deploymentKey, errorClass, externalKey, hourlyPrice, instant, replicaId } from '../primitives.js';
import { defineEvent } from './define.js';

const rung = z.int().nonnegative();
const id = { replicaId };

/** Why one rung of the ladder was chosen or passed over, with the age of what was known. */
const rungEvidence = z.strictObject({
  rung,
  placement,
  state: stockState,
  source: z.string(),
  scope: z.string(),
  observedAt: instant.nullable(),
  verdict: z.enum(['chosen', 'next', 'rejected']),
  reason: z.string(),
  /** Age of the signal when it was judged; null without one. Absent in logs of older versions, as is the rest. */
  ageMs: z.int().nonnegative().nullable().optional(),
  confidence: z.number().min(0).max(1).nullable().optional(),
  /** Of the whole machine for an hour, and what that rests on; null where no price is known. */
  price: hourlyPrice.nullable().optional(),
  /** What the objective compared, by its name, in words. */
  scores: z.record(z.string(), z.string()).optional(),
  /** The whole answer, where the decision is to wait because of it. */
  signal: stockSignal.optional(),
});

/** Stream `replica/<replicaId>`, written by orchestrator. */
export const replicaEvents = [
  defineEvent(
    'davit.replica.requested',
    1,
    z.strictObject({
      ...id,
      deployment: deploymentKey,
      revision: z.int().positive(),
      ordinal: z.int().nonnegative(),
      incarnation: z.int().positive(),
      externalKey,
      mode: z.enum(['elastic', 'serverless', 'direct']),
      /** Backend for the whole life of this replica. */
      adapter: z.string(),
      servedName: z.string(),
      reason: z.string(),
      replaces: replicaId.nullable(),
    }),
  ),
  defineEvent('davit.replica.discovery-requested', 1, z.strictObject({ ...id, attempt: z.int().positive() })),
  defineEvent(
    'davit.replica.placed',
    1,
    z.strictObject({
      ...id,
      /** Null when the backend has no ladder or a resource of this name already ran. */
      rung: rung.nullable(),
      placement: placement.nullable(),
      adopted: z.boolean(),
      price: hourlyPrice.nullable(),
      evidence: z.array(rungEvidence),
    }),
  ),
  defineEvent(
    'davit.replica.deferred',
    1,
    z.strictObject({
      ...id,
      reason: z.string(),
      /** `budget` where a candidate lacks nothing but room in one. Absent in logs of older versions: `capacity`. */
      waitsFor: z.enum(['capacity', 'budget']).optional(),
      retryAt: instant,
      evidence: z.array(rungEvidence),
    }),
  ),
  defineEvent(
    'davit.replica.launch-requested',
    1,
    z.strictObject({ ...id, attempt: z.int().positive(), deadlineAt: instant }),
  ),
  /** Visible progress moves the start deadline, up to a cap. */
  defineEvent(
    'davit.replica.deadline-extended',
    1,
    z.strictObject({ ...id, deadlineAt: instant, capAt: instant, reason: z.string() }),
  ),
  defineEvent(
    'davit.replica.ready',
    1,
    z.strictObject({
      ...id,
      url: z.url(),
      servedModel: z.string(),
      /** Where it runs: what a start that ended well says of that offer. Absent in logs of older versions. */
      placement: placement.nullable().optional(),
    }),
  ),
  defineEvent(
    'davit.replica.drain-requested',
    1,
    z.strictObject({
      ...id,
      reason: z.string(),
      deadlineAt: instant,
      /** There when a budget ends it. */
      budget: overBudget.optional(),
    }),
  ),
  defineEvent(
    'davit.replica.drained',
    1,
    z.strictObject({
      ...id,
      outcome: z.enum(['idle', 'deadline', 'not-serving']),
      /** Requests still running when the deadline passed; null when the engine could not say. */
      cutRequests: z.int().nonnegative().nullable(),
    }),
  ),
  defineEvent(
    'davit.replica.delete-requested',
    1,
    z.strictObject({
      ...id,
      reason: z.string(),
      /** There when a budget ends it without a drain. */
      budget: overBudget.optional(),
    }),
  ),
  defineEvent('davit.replica.deleted', 1, z.strictObject({ ...id, reason: z.string() })),
  defineEvent(
    'davit.replica.failed',
    1,
    z.strictObject({
      ...id,
      class: errorClass,
      reason: z.string(),
      detail: z.string(),
      placement: placement.nullable(),
      /** True when it had been ready before: its end is not a failed start. */
      hadServed: z.boolean(),
      /**
       * True when its launch was accepted or of unknown outcome, so that it may have cost money; where it ended for want of
       * capacity, only when the provider showed a machine. Absent in old logs, as is the next.
       */
      paid: z.boolean().optional(),
      /** True when the provider showed a machine of it, by its state or its bill. */
      machine: z.boolean().optional(),
    }),
  ),
  defineEvent('davit.replica.quarantined', 1, z.strictObject({ ...id, reason: z.string(), detail: z.string() })),
] as const;
