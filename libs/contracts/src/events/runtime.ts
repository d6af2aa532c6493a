import { z } from 'zod';
import { instant, replicaId } from '../primitives.js';
import { defineEvent } from './define.js';

/** Why a model server does not count as ready; what each is told by, and weighs, stands in docs/explanation/readiness.md. */
export const unreadyReason = z.enum([
  'refused',
  'timeout',
  'unauthorised',
  'unhealthy',
  'loading',
  'warming',
  'asleep',
  'not-a-model-server',
  'model-mismatch',
  'engine-dead',
  'inference-failed',
  'hung',
  'other',
]);
export type UnreadyReason = z.infer<typeof unreadyReason>;

/** What one source said of a model server, and when: two that contradict each other are both told. */
export const readinessSignal = z.strictObject({
  source: z.enum(['health', 'models', 'metrics', 'inference', 'traffic']),
  observedAt: instant,
  said: z.string().max(500),
});
export type ReadinessSignal = z.infer<typeof readinessSignal>;
export const MAX_SIGNALS = 10;
/** Adapters that are told of one server. */
export const MAX_ADAPTERS = 256;

const requestCount = z.int().nonnegative().max(1_000_000_000);

/** How requests to one replica ended, as a gateway counted them. A request is counted once. */
export const trafficCounts = z.strictObject({
  requests: requestCount,
  refused: requestCount,
  timeouts: requestCount,
  status5xx: requestCount,
});
export type TrafficCounts = z.infer<typeof trafficCounts>;

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
      /** Each of the last three is absent where the server does not tell it. */
      evidence: z.strictObject({
        healthMs: z.number(),
        modelsMs: z.number(),
        inferenceMs: z.number().nullable(),
        /** Tokens of prompt and answer together that it was started for. */
        contextLength: z.int().positive().optional(),
        /** Names of adapters that it serves beside the model. */
        adapters: z.array(z.string().max(200)).max(MAX_ADAPTERS).optional(),
        engineVersion: z.string().max(100).optional(),
      }),
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
      /** What each source said, also where they contradict each other. */
      signals: z.array(readinessSignal).max(MAX_SIGNALS).optional(),
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
  /**
   * A gateway's requests to the replica failed: a doubt, which the next probe with an inference settles. Counts are sums over
   * the window; what a gateway sees of single requests stays with it.
   */
  defineEvent(
    'davit.runtime.traffic-failed',
    1,
    trafficCounts.extend({
      replicaId,
      reporter: z.string().max(100),
      window: z.strictObject({ from: instant, to: instant }),
    }),
  ),
] as const;
