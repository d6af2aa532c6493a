import { z } from 'zod';
import { MAX_ADAPTERS } from '../events/runtime.js';
import { DEFAULT_WEIGHT, MAX_WEIGHT, deploymentName, tenantName } from '../primitives.js';
import { budgetInput } from './budget.js';
import { API_VERSION, MAX_PLACEMENTS, MAX_REPLICAS } from './deployment.js';
import { duration } from './duration.js';
import { amount, form } from './forms.js';
import { rolloutInput } from './rollout.js';

const text = z.string().trim().min(1).max(500);
const positiveInt = z.int().positive();

const environmentName = form(/^[A-Z_][A-Z0-9_]*$/, 'is not a variable name; write capitals, digits and _', 100);

const modelName = form(
  /^[\w./:-]+$/,
  'is not a model name; write letters, digits and . / : - _, for example "qwen3-8b"',
  100,
);

const cloudName = form(/^[a-z][a-z0-9]*$/, 'is not a cloud name; write it in lower case, for example "runpod"', 40);

const placementInput = z.strictObject({
  cloud: cloudName,
  region: text.optional(),
  accelerator: text.optional(),
  spot: z.boolean().default(false),
  maxHourlyPrice: amount.optional(),
});

/** Places of which any will do: every combination is a placement, and the objective ranks them. */
const anyPlace = z.strictObject({
  clouds: z.array(cloudName).min(1).max(16),
  regions: z.array(text).min(1).max(64).optional(),
  accelerators: z.array(text).min(1).max(64),
  spot: z.enum(['never', 'allow', 'only']).default('never'),
  maxHourlyPrice: amount.optional(),
});

const elastic = z.strictObject({
  mode: z.literal('elastic'),
  adapter: z.literal('skypilot').default('skypilot'),
  objective: z.enum(['cost', 'readiness', 'reliability']).default('cost'),
  placements: z.array(placementInput).min(1).max(MAX_PLACEMENTS).optional(),
  any: anyPlace.optional(),
  selection: z.enum(['ladder', 'best']).optional(),
  spread: z.enum(['none', 'cloud', 'region']).default('none'),
  diskGiB: positiveInt.max(4_096).default(100),
});

/** A value of a variable of a container; a secret one belongs to `spec.secrets`. */
const environmentValue = z.string().max(4_096);
const script = z.string().min(1).max(16_384);

const templateInput = z.strictObject({
  image: form(/^[a-z0-9][\w./:@-]*$/, 'is not an image; write for example "vllm/vllm-openai:v0.11.0"', 300),
  env: z
    .record(environmentName, environmentValue)
    .refine((env) => Object.keys(env).length <= 100, { error: 'holds more than 100 variables; keep at most 100' })
    .default({}),
  ports: z.array(z.int().min(1).max(65_535)).max(64).default([]),
  onStart: script.optional(),
  args: script.optional(),
  diskGiB: positiveInt.max(4_096).default(64),
});

const serverless = z.strictObject({
  mode: z.literal('serverless'),
  adapter: z.literal('vast-serverless').default('vast-serverless'),
  templateHash: text.optional(),
  template: templateInput.optional(),
  search: text.default('verified=true rentable=true rented=false'),
  gpuRamGiB: positiveInt.max(4_096).default(24),
  workers: z
    .strictObject({
      cold: z.int().nonnegative().max(MAX_REPLICAS).optional(),
      /** Vast's documentation calls the same bound minimum workers. */
      min: z.int().nonnegative().max(MAX_REPLICAS).optional(),
      max: positiveInt.max(MAX_REPLICAS).default(4),
      minLoad: z.number().nonnegative().max(1_000_000_000).default(0),
      targetUtilisation: z.number().positive().max(1).default(0.9),
      coldMultiplier: z.number().positive().max(1_000).default(2.5),
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
    .array(
      z.url({
        protocol: /^https?$/,
        hostname: /./,
        error: 'is not an address; write for example "http://10.0.0.5:8000"',
      }),
    )
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
    labels: z
      .record(z.string().min(1).max(63), z.string().max(63))
      .refine((labels) => Object.keys(labels).length <= 64, { error: 'holds more than 64 labels; keep at most 64' })
      .default({}),
  }),
  spec: z.strictObject({
    model: z.strictObject({
      id: form(/^[\w.-]+(\/[\w.-]+)?$/, 'is not a model id; write for example "Qwen/Qwen3-8B"', 200),
      revision: form(
        /^[\w./-]+$/,
        'is not a revision; write a commit, tag or branch of the model, for example "main"',
        100,
      ).optional(),
      servedName: modelName.optional(),
      sizeGiB: z.number().positive().max(100_000).optional(),
      adapters: z.array(modelName).max(MAX_ADAPTERS).default([]),
    }),
    runtime: z.strictObject({
      engine: z.enum(['vllm', 'sglang', 'tgi', 'llamacpp', 'openai']),
      version: form(/^[\w.+-]+$/, 'is not a version; write for example "0.27.1"', 50).optional(),
      image: form(/^[\w./:@-]+$/, 'is not an image; write for example "vllm/vllm-openai:v0.27.1"', 300).optional(),
      args: z.array(z.string().max(1_000)).max(100).default([]),
      port: positiveInt.max(65_535).default(8_000),
    }),
    compute: z.discriminatedUnion('mode', [elastic, serverless, direct]),
    scaling: z.strictObject({ replicas: z.int().nonnegative().max(MAX_REPLICAS).optional() }).prefault({}),
    readiness: z
      .strictObject({
        startDeadline: duration.default(25 * 60_000),
        startDeadlineCap: duration.optional(),
        healthDeadline: duration.default(90_000),
        maxFailedStarts: positiveInt.max(100).default(5),
      })
      .prefault({}),
    rollout: rolloutInput.prefault({}),
    routing: z
      .strictObject({
        aliases: z.array(modelName).max(32).default([]),
        weight: z.int().nonnegative().max(MAX_WEIGHT).default(DEFAULT_WEIGHT),
      })
      .optional(),
    budget: budgetInput.optional(),
    secrets: z
      .array(z.strictObject({ name: environmentName, from: z.strictObject({ env: environmentName }) }))
      .max(50)
      .default([]),
  }),
});
export type DeploymentManifest = z.output<typeof deploymentManifest>;
