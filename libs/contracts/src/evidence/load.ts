import { z } from 'zod';
import { count, money, ms, sha256, token, workersByStatus } from './words.js';

/** One request of the load driver, as the domain's `LoadSample`. */
export const loadSampleRecord = z.object({
  scheduledAtMs: ms,
  sentAtMs: ms,
  latencyMs: ms.nullable(),
  queueMs: ms.nullable(),
  outcome: z.enum(['ok', 'error', 'timeout', 'rejected', 'lost']),
  workerId: token.nullable(),
  workersRevision: z.enum(['old', 'candidate']).nullable(),
  outputTokens: count.nullable(),
});

/** What is to be sent: rates in order, and which prompts, by digest. */
export const loadProfileEvidence = z.object({
  version: z.literal(1),
  steps: z
    .array(z.object({ requestsPerSecond: z.number().nonnegative(), durationMs: ms }))
    .min(1)
    .max(200),
  prompts: z.array(sha256).max(10_000),
});

/** One ramp as it was driven. A sample belongs to the step in which it was due. */
export const loadRunEvidence = z.object({
  version: z.literal(1),
  profileDigest: sha256,
  ramp: z.int().min(1).max(3),
  attempt: z.int().positive(),
  steps: z
    .array(
      z.object({
        requestsPerSecond: z.number().nonnegative(),
        fromMs: ms,
        toMs: ms,
        workers: workersByStatus,
        spend: money.nullable(),
      }),
    )
    .min(1)
    .max(200),
  samples: z.array(loadSampleRecord),
  /** What the next ramp is compared with. */
  fleet: z
    .object({
      workers: z
        .array(
          z.object({
            workerId: token,
            gpu: z.string().regex(/^[\w .:+-]{0,60}$/),
            perf: z.number().nonnegative().nullable(),
            hourly: money.nullable(),
          }),
        )
        .max(1_000),
      peakWorkers: count,
      rotated: z.array(token).max(1_000),
      queueP95AtPeakMs: ms.nullable(),
    })
    .optional(),
});
