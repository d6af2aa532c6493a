import { z } from 'zod';
import { decimal, deploymentName, tenantName } from '../primitives.js';
import { API_VERSION, MAX_REPLICAS } from './deployment.js';
import { duration } from './duration.js';

const text = z.string().trim().min(1).max(500);
const positiveInt = z.int().positive();
const environmentName = z
  .string()
  .max(100)
  .regex(/^[A-Z_][A-Z0-9_]*$/, { error: 'is not a variable name; write capitals, digits and _' });

const placementInput = z.strictObject({
  cloud: z
    .string()
    .regex(/^[a-z][a-z0-9]*$/, { error: 'is not a cloud name; write it in lower case, for example "runpod"' }),
  region: text.optional(),
  accelerator: text.optional(),
  spot: z.boolean().default(false),
  maxHourlyPrice: decimal.optional(),
});

const elastic = z.strictObject({
  mode: z.literal('elastic'),
  adapter: z.literal('skypilot').default('skypilot'),
  objective: z.enum(['cost', 'readiness', 'reliability']).default('cost'),
  placements: z.array(placementInput).min(1).max(16),
  diskGiB: positiveInt.max(4_096).default(100),
});

const serverless = z.strictObject({
  mode: z.literal('serverless'),
  adapter: z.literal('vast-serverless').default('vast-serverless'),
  templateHash: text,
  search: text.default('verified=true rentable=true rented=false'),
  gpuRamGiB: positiveInt.default(24),
  workers: z
    .strictObject({
      cold: z.int().nonnegative().default(1),
      max: positiveInt.default(4),
      minLoad: z.number().nonnegative().default(0),
      targetUtilisation: z.number().positive().max(1).default(0.9),
      coldMultiplier: z.number().positive().default(2.5),
      inactivityTimeout: duration.default(600_000),
      targetQueueTime: duration.default(10_000),
      maxQueueTime: duration.default(30_000),
    })
    .prefault({}),
});

const direct = z.strictObject({
  mode: z.literal('direct'),
  adapter: z.literal('direct').default('direct'),
  endpoints: z
    .array(z.url({ protocol: /^https?$/, error: 'is not an address; write for example "http://10.0.0.5:8000"' }))
    .min(1)
    .max(MAX_REPLICAS),
});

/** What a user writes. Strict: a key that is not known is a mistake, never ignored. */
export const deploymentManifest = z.strictObject({
  apiVersion: z.literal(API_VERSION),
  kind: z.literal('Deployment'),
  metadata: z.strictObject({
    name: deploymentName,
    tenant: tenantName.default('default'),
    labels: z.record(z.string().max(63), z.string().max(63)).default({}),
  }),
  spec: z.strictObject({
    model: z.strictObject({
      id: z
        .string()
        .max(200)
        .regex(/^[\w.-]+(\/[\w.-]+)?$/, { error: 'is not a model id; write for example "Qwen/Qwen3-8B"' }),
      revision: z
        .string()
        .max(100)
        .regex(/^[\w./-]+$/)
        .optional(),
      servedName: z
        .string()
        .max(100)
        .regex(/^[\w./:-]+$/)
        .optional(),
    }),
    runtime: z.strictObject({
      engine: z.enum(['vllm', 'sglang', 'tgi', 'llamacpp', 'openai']),
      version: z
        .string()
        .max(50)
        .regex(/^[\w.+-]+$/)
        .optional(),
      image: z
        .string()
        .max(300)
        .regex(/^[\w./:@-]+$/)
        .optional(),
      args: z.array(z.string().max(1_000)).max(100).default([]),
      port: positiveInt.max(65_535).default(8_000),
    }),
    compute: z.discriminatedUnion('mode', [elastic, serverless, direct]),
    scaling: z.strictObject({ replicas: z.int().nonnegative().max(MAX_REPLICAS).optional() }).prefault({}),
    readiness: z
      .strictObject({ startDeadline: duration.default(25 * 60_000), healthDeadline: duration.default(90_000) })
      .prefault({}),
    rollout: z
      .strictObject({
        strategy: z.enum(['surge', 'in-place']).default('surge'),
        drainDeadline: duration.default(30_000),
      })
      .prefault({}),
    budget: z
      .strictObject({
        maxHourly: decimal,
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/)
          .default('USD'),
        onExceed: z.enum(['refuse', 'drain']).default('refuse'),
      })
      .optional(),
    secrets: z
      .array(z.strictObject({ name: environmentName, from: z.strictObject({ env: environmentName }) }))
      .max(50)
      .default([]),
  }),
});
export type DeploymentManifest = z.output<typeof deploymentManifest>;
