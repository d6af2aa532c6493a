import { z } from 'zod';
import { currency, decimal } from '../primitives.js';

const milliseconds = z.int().positive();
const money = z.strictObject({ amount: decimal, currency });

/** Ramps that each candidate is driven through before it may reach production. */
export const LOAD_RAMPS = 3;

/** What a deployment promises. What is absent was not promised and is not judged. */
export const rolloutObjectives = z.strictObject({
  latencyP50Ms: milliseconds.optional(),
  latencyP95Ms: milliseconds.optional(),
  latencyP99Ms: milliseconds.optional(),
  /** Failed requests of all requests. */
  errorRate: z.number().nonnegative().max(1).optional(),
  queueTimeP95Ms: milliseconds.optional(),
  /** Requests that must be served at once. */
  concurrency: z.int().positive().optional(),
  maxHourly: money.optional(),
});
export type RolloutObjectives = z.infer<typeof rolloutObjectives>;

/** How a candidate has to prove itself before it serves: `spec.rollout` of strategy `evidence`, with every default. */
export const evidencePolicy = z.strictObject({
  objectives: rolloutObjectives,
  /** `none`: the declared revision is the approval. */
  approval: z.enum(['required', 'none']),
  approvalDeadlineMs: milliseconds,
  load: z.strictObject({
    /** Expected in production; ramps go to twice of it. */
    requestsPerSecond: z.number().positive(),
    /** Representative prompts and the recorded answers to them: a file below the directory that the service reads. */
    prompts: z.string(),
    rampDurationMs: milliseconds,
    maxRequests: z.int().positive(),
    /** Of all ramps together. */
    maxDurationMs: milliseconds,
    maxSpend: money,
  }),
  canary: z.strictObject({
    maxWorkers: z.int().positive(),
    maxSpend: money,
    /** From its request until it has proved itself. */
    deadlineMs: milliseconds,
    /** From the wish to remove it until an alarm is raised; it is looked for until it is proven gone. */
    removalDeadlineMs: milliseconds,
  }),
  acceptance: z.strictObject({
    /** Chance to accept a candidate that is worse than tolerated. */
    alpha: z.number().positive().max(0.5),
    /** Chance to reject one that is not. */
    beta: z.number().positive().max(0.5),
    minimumSamples: z.int().positive(),
    /** From convergence until a verdict must be reached. */
    deadlineMs: milliseconds,
    /** From the change of production until every worker is on the candidate, and the same for the way back. */
    convergeDeadlineMs: milliseconds,
    tolerated: z.strictObject({
      /** Slower by this share of the baseline is no regression. */
      latency: z.number().nonnegative().max(10),
      /** More failed requests of all requests than the baseline by this much are no regression. */
      errorRate: z.number().nonnegative().max(1),
    }),
  }),
  onQueueBreach: z.enum(['pause', 'raise', 'rollback']),
});
export type EvidencePolicy = z.infer<typeof evidencePolicy>;
