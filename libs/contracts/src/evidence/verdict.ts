import { z } from 'zod';
import { count, money, ms, sha256, token, veiledText, workersByStatus } from './words.js';

const share = z.number().min(0).max(1);

export const windowRecord = z.object({
  fromMs: ms,
  toMs: ms,
  requests: count.nullable(),
  ok: count.nullable(),
  errors: count.nullable(),
  latencies: z.union([z.array(ms.nullable()), z.object({ upToMs: z.array(ms), counts: z.array(count) })]).nullable(),
  queueMs: z.array(ms.nullable()),
  workers: workersByStatus,
  spend: money.nullable(),
});

/** A window of null is one in which nothing could be observed. */
export const baselineEvidence = z.object({
  version: z.literal(1),
  windows: z.array(windowRecord.nullable()).min(1).max(5_000),
  /** What production answered to representative requests, by digest: what it is told from a candidate by. */
  outputs: z
    .array(z.object({ prompt: sha256, output: sha256 }))
    .max(256)
    .optional(),
});

const policy = z.object({
  alpha: z.number(),
  beta: z.number(),
  minDurationMs: ms,
  closingMs: ms,
  closingShare: z.number(),
  deadlineMs: ms,
  minRequests: z.object({ baseline: count, candidate: count }),
  minWindows: count,
  minCoverage: z.number(),
  maxUnknownShare: z.number(),
  tolerance: z.object({
    latencyP50: z.number(),
    latencyP95: z.number(),
    latencyP99: z.number(),
    queueTimeP95: z.number(),
    queueTimeMs: ms,
    errorRate: z.number(),
  }),
  compare: z.array(z.enum(['latencyP50', 'latencyP95', 'latencyP99', 'queueTimeP95', 'errorRate'])),
  mostOfOneWindow: z.number(),
  suspicion: z.number(),
});

const objectives = z.object({
  latencyP50Ms: ms.optional(),
  latencyP95Ms: ms.optional(),
  latencyP99Ms: ms.optional(),
  errorRate: share.optional(),
  queueTimeP95Ms: ms.optional(),
  concurrency: z.number().positive().optional(),
  maxHourly: money.optional(),
});

export type ShapeRecord =
  | { kind: 'null' | 'boolean' | 'number' | 'string' }
  | { kind: 'array'; items: ShapeRecord[] }
  | { kind: 'object'; fields: Record<string, ShapeRecord> };

/** Structure of an answer: names of fields, no contents. */
const shape: z.ZodType<ShapeRecord> = z.lazy(() =>
  z.union([
    z.object({ kind: z.enum(['null', 'boolean', 'number', 'string']) }),
    z.object({ kind: z.literal('array'), items: z.array(shape) }),
    z.object({ kind: z.literal('object'), fields: z.record(z.string().max(100), shape) }),
  ]),
);

const outputObservation = z.object({
  probe: token,
  shape: shape.nullable(),
  model: token.nullable(),
  finishReason: token.nullable(),
  text: veiledText.nullable(),
  outputTokens: count.nullable(),
});

export const contractRecord = z.object({
  policy: z.object({
    expectedModel: token.nullable(),
    lengthBand: z.object({ atLeast: z.number(), atMost: z.number() }),
    minSimilarity: z.number(),
    minProbes: count,
  }),
  recorded: z.array(outputObservation).max(1_000),
  observed: z.array(outputObservation).max(1_000),
});

const identity = z.record(z.string().regex(/^[A-Za-z]\w{0,59}$/), token);

/** The domain's `VerdictBundle`: everything that a verdict rests on. */
export const verdictBundleEvidence = z.object({
  version: z.literal(1),
  identities: z.object({ baseline: identity, candidate: identity }),
  policy,
  objectives,
  baseline: z.array(windowRecord.nullable()).max(5_000),
  candidate: z.array(windowRecord.nullable()).max(5_000),
  startedAtMs: ms,
  asOfMs: ms,
  contract: contractRecord.nullable(),
});
