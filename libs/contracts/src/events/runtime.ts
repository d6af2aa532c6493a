import { z } from 'zod';
import { replicaId } from '../primitives.js';
import { defineEvent } from './define.js';

export const unreadyReason = z.enum([
  'refused',
  'timeout',
  'unauthorised',
  'unhealthy',
  'loading',
  'not-a-model-server',
  'model-mismatch',
  'inference-failed',
  'hung',
  'other',
]);
export type UnreadyReason = z.infer<typeof unreadyReason>;

/** Stream `runtime/<replicaId>`, written by runtime-prober. */
export const runtimeEvents = [
  defineEvent(
    'davit.runtime.probing-started',
    1,
    z.strictObject({ replicaId, url: z.url(), expectedModel: z.string() }),
  ),
  defineEvent(
    'davit.runtime.became-ready',
    1,
    z.strictObject({
      replicaId,
      url: z.url(),
      servedModel: z.string(),
      evidence: z.strictObject({ healthMs: z.number(), modelsMs: z.number(), inferenceMs: z.number().nullable() }),
    }),
  ),
  defineEvent(
    'davit.runtime.became-unready',
    1,
    z.strictObject({
      replicaId,
      url: z.url(),
      reason: unreadyReason,
      detail: z.string().max(2_000),
      consecutiveFailures: z.int().positive(),
    }),
  ),
  defineEvent(
    'davit.runtime.model-mismatched',
    1,
    z.strictObject({ replicaId, url: z.url(), expected: z.string(), found: z.array(z.string()).max(50) }),
  ),
  defineEvent(
    'davit.runtime.load-summarised',
    1,
    z.strictObject({
      replicaId,
      /** Null where the engine does not say; never read as zero. */
      running: z.number().nonnegative().nullable(),
      waiting: z.number().nonnegative().nullable(),
      kvCacheUsage: z.number().nonnegative().nullable(),
    }),
  ),
] as const;
