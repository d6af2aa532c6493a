import { z } from 'zod';
import { spendLimits } from '../budget.js';
import { instant, position } from '../primitives.js';
import { duration } from '../spec/duration.js';
import { moment } from './diff.js';
import { deploymentReference, momentOfLog } from './operations/parameters.js';

/** Names of what decides, each with the kind of decisions that it makes. */
export const REPLAYED_KINDS = ['placement', 'budget', 'readiness', 'loss', 'verdict'] as const;
export type ReplayedKind = (typeof REPLAYED_KINDS)[number];

const share = z.number().min(0).max(1);
const atLeastOne = z.int().min(1).max(1_000_000);

/** What would have been in force instead. What is left out is as it really was. */
export const replayPolicy = z.strictObject({
  /** Where replicas go: `replica.placed` and `replica.deferred`. */
  placement: z
    .strictObject({
      /** Ranks the placements by this, as a set. */
      objective: z.enum(['cost', 'readiness', 'reliability']).optional(),
      selection: z.enum(['ladder', 'best']).optional(),
    })
    .optional(),
  /** Of each deployment; null for none. Decides with placements, and on what it ended: `replica.drain-requested`, `replica.delete-requested`. */
  budget: spendLimits.nullable().optional(),
  /** Of each tenant, all its deployments together. */
  tenantBudget: spendLimits.nullable().optional(),
  /** When a server that worked counts as unready: `runtime.became-unready`. */
  readiness: z
    .strictObject({
      /** Failed probes in a row, at least. */
      minFailures: atLeastOne.optional(),
    })
    .optional(),
  /** How much may be lost at once before the observer is the suspect: `fleet.frozen`. */
  loss: z.strictObject({ floor: z.int().nonnegative().optional(), share: share.optional() }).optional(),
  /** What a rollout on evidence must prove: `rollout.verdict-reached`. */
  verdict: z
    .strictObject({
      alpha: z.number().gt(0).lt(1).optional(),
      beta: z.number().gt(0).lt(1).optional(),
      minDuration: duration.optional(),
      deadline: duration.optional(),
      minRequests: atLeastOne.optional(),
      minCoverage: share.optional(),
      /** Factors on the latency and the queue time of the baseline: 1.2 is a fifth slower. */
      latencyP50: z.number().min(1).optional(),
      latencyP95: z.number().min(1).optional(),
      latencyP99: z.number().min(1).optional(),
      queueTimeP95: z.number().min(1).optional(),
      /** Added to the error rate of the baseline. */
      errorRate: share.optional(),
    })
    .optional(),
});
export type ReplayPolicy = z.output<typeof replayPolicy>;

/** Body of `POST /v1/replay`: the span from the first event to now where nothing is said. */
export const replayRequest = z.strictObject({
  from: momentOfLog.optional(),
  to: momentOfLog.optional(),
  /** `tenant/name`: decisions on this deployment alone. */
  deployment: deploymentReference.optional(),
  policy: replayPolicy.default({}),
});
export type ReplayRequest = z.input<typeof replayRequest>;

/** What was, or would have been, decided. */
export const replayedOutcome = z.object({
  /** `placed on runpod/L40S:1`, `waits`, `given up`, `accept`: one word or few, equal exactly where nothing differs. */
  outcome: z.string(),
  reason: z.string(),
});
export type ReplayedOutcome = z.infer<typeof replayedOutcome>;

export const replayDifference = z.object({
  kind: z.enum(REPLAYED_KINDS),
  /** Of the event that recorded the decision. */
  position,
  type: z.string(),
  at: instant,
  about: z.object({ kind: z.enum(['replica', 'deployment', 'rollout', 'fleet']), name: z.string() }),
  /** Position of the log that it is reckoned from: the writer had read up to there. */
  basis: z.int().nonnegative(),
  was: replayedOutcome,
  would: replayedOutcome,
  /** What the other decision rests on: figures and signals by name. */
  evidence: z.array(z.object({ name: z.string(), value: z.string() })),
  /** What it would have passed over, and why. */
  alternatives: z.array(z.object({ outcome: z.string(), reason: z.string() })),
});
export type ReplayDifference = z.infer<typeof replayDifference>;

/** Answer of `POST /v1/replay`: every recorded decision of the span, taken again at its own moment under the other policy. */
export const replayView = z.object({
  from: moment,
  to: moment,
  deployment: z.string().nullable(),
  /** Decisions of each kind that were taken again, and how many would have been others. */
  kinds: z.array(
    z.object({ kind: z.enum(REPLAYED_KINDS), compared: z.int().nonnegative(), differing: z.int().nonnegative() }),
  ),
  compared: z.int().nonnegative(),
  differing: z.int().nonnegative(),
  /** In the order of the log. */
  differences: z.array(replayDifference),
  /** Differences that were left out because there are too many. */
  left: z.int().nonnegative(),
  /** Decisions that could not be taken again, and why. */
  notJudged: z.array(z.object({ position, reason: z.string() })),
  /** By what rules it was replayed, and where they may be wrong. */
  rules: z.array(z.string()),
  events: z.int().nonnegative(),
});
export type ReplayView = z.infer<typeof replayView>;
