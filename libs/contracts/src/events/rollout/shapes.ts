import { z } from 'zod';
import { currency, decimal, errorClass, instant, rolloutId } from '../../primitives.js';

/** Every event of a rollout names it. */
export const id = { rolloutId };
export const attempt = z.int().positive();
export const detail = z.string().max(2_000);
/** SHA-256 in hexadecimal. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/);
export const leaseEpoch = z.int().positive();

/**
 * A template at the provider. The hash changes with every edit while the id stays, so only both together name what workers
 * start from. Source: https://docs.vast.ai/serverless/templates-reference
 */
export const templateIdentity = z.strictObject({ templateId: z.int().positive(), templateHash: z.string().min(1) });
export type TemplateIdentity = z.infer<typeof templateIdentity>;

export const rolloutMoney = z.strictObject({ amount: decimal, currency });
export type RolloutMoney = z.infer<typeof rolloutMoney>;

/** Scaling of an endpoint, in the words of the wire; `min_workers` is not one of them. */
export const scalingBounds = z.strictObject({
  minLoad: z.number().nonnegative(),
  coldWorkers: z.int().nonnegative(),
  maxWorkers: z.int().positive(),
  inactivityTimeoutS: z.number(),
  targetQueueTimeS: z.number().positive(),
  maxQueueTimeS: z.number().positive(),
  targetUtil: z.number().positive().max(1),
  coldMult: z.number().positive(),
  minColdLoad: z.number().nonnegative(),
});
export type ScalingBounds = z.infer<typeof scalingBounds>;

/** One line of the arithmetic that led to bounds. */
export const arithmeticLine = z.strictObject({
  name: z.string().max(100),
  formula: z.string().max(300),
  /** Money as decimal text. */
  inputs: z.record(z.string().max(100), z.union([z.number(), z.string().max(100)])),
  result: z.union([z.number(), z.string().max(200)]),
  unit: z.string().max(60),
});

/** Quantiles of one window; null where nothing was measured, which is never success. */
export const quantiles = z.strictObject({
  p50Ms: z.number().nonnegative().nullable(),
  p95Ms: z.number().nonnegative().nullable(),
  p99Ms: z.number().nonnegative().nullable(),
});

/** What was seen of an endpoint over some time. Requests themselves stay in the bundle that the digest names. */
export const windowSummary = z.strictObject({
  from: instant,
  to: instant,
  sent: z.int().nonnegative(),
  ok: z.int().nonnegative(),
  /** Requests that failed, by kind. */
  errors: z.record(z.string().max(60), z.int().nonnegative()),
  /** From the scheduled time of sending. */
  latency: quantiles,
  queueTime: quantiles,
  /** Workers by the provider's own word for their status. */
  workers: z.record(z.string().max(60), z.int().nonnegative()),
  /** Null where the provider does not say. */
  spend: rolloutMoney.nullable(),
});
export type WindowSummary = z.infer<typeof windowSummary>;

/** A longer baseline is told by its latest windows. */
export const MOST_BASELINE_SUMMARIES = 200;

/** Which template a worker is on; unknown is never counted as one of the two. */
export const onTemplate = z.enum(['candidate', 'old', 'other', 'unknown']);
export type OnTemplate = z.infer<typeof onTemplate>;

export const workerView = z.strictObject({
  workerId: z.int().nonnegative(),
  status: z.string().max(60),
  templateId: z.int().positive().nullable(),
  templateHash: z.string().nullable(),
  /** When its present model was loaded. */
  loadedAt: instant.nullable(),
  on: onTemplate,
});
export type WorkerView = z.infer<typeof workerView>;

/** Who allowed the change of production: an operator's word, or the declared revision where none is asked for. */
export const approval = z.strictObject({
  by: z.enum(['operator', 'declaration']),
  eventId: z.uuid(),
  evidenceDigest: digest,
});
export type RolloutApproval = z.infer<typeof approval>;

/** A step of a change was asked of the provider and ended so. */
export const refusal = { class: errorClass, detail };
