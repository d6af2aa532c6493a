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
  cloud: cloudName.describe('As SkyPilot names it, for example runpod, vast, lambda.'),
  region: text.optional().describe('Region of the cloud; any where nothing is said.'),
  accelerator: text.optional().describe('Card and count, for example L40S:1.'),
  spot: z.boolean().default(false).describe('Machines that may be taken away, at a lower price.'),
  maxHourlyPrice: amount.optional().describe('Nothing dearer is rented here, per hour and replica.'),
});

/** Places of which any will do: every combination is a placement, and the objective ranks them. */
const anyPlace = z.strictObject({
  clouds: z.array(cloudName).min(1).max(16).describe('Any of these.'),
  regions: z.array(text).min(1).max(64).optional().describe('Any of these; all where nothing is said.'),
  accelerators: z.array(text).min(1).max(64).describe('Any of these, each card and count.'),
  spot: z
    .enum(['never', 'allow', 'only'])
    .default('never')
    .describe('Whether machines that may be taken away will do.'),
  maxHourlyPrice: amount.optional().describe('Nothing dearer is rented here, per hour and replica.'),
});

const elastic = z.strictObject({
  mode: z.literal('elastic').describe('Machines are rented, one for each replica.'),
  adapter: z.literal('skypilot').default('skypilot'),
  objective: z
    .enum(['cost', 'readiness', 'reliability'])
    .default('cost')
    .describe('What decides between places that all will do.'),
  placements: z
    .array(placementInput)
    .min(1)
    .max(MAX_PLACEMENTS)
    .optional()
    .describe('Places in the order of preference: the first with stock is taken.'),
  any: anyPlace.optional().describe('Places of which any will do, in the place of a list.'),
  selection: z
    .enum(['ladder', 'best'])
    .optional()
    .describe('Whether the list is an order of preference, or a set that the objective ranks.'),
  spread: z
    .enum(['none', 'cloud', 'region'])
    .default('none')
    .describe('Over what replicas are spread as evenly as stock lets them.'),
  diskGiB: positiveInt.max(4_096).default(100).describe('Disk of each machine.'),
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
  mode: z.literal('serverless').describe('Workers of Vast serve behind one endpoint, and Vast scales them.'),
  adapter: z.literal('vast-serverless').default('vast-serverless'),
  templateHash: text.optional().describe('Hash of a template that exists at Vast; or write the template.'),
  template: templateInput.optional().describe('What a worker runs.'),
  search: text
    .default('verified=true rentable=true rented=false')
    .describe('Which offers of Vast may be rented, in its own words.'),
  gpuRamGiB: positiveInt.max(4_096).default(24).describe('Memory that a worker needs on its cards.'),
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
  mode: z.literal('direct').describe('Endpoints that already run are adopted; nothing is rented or ended.'),
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
    name: deploymentName.describe('Names the deployment for ever.'),
    tenant: tenantName.default('default').describe('Who it belongs to.'),
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
      servedName: modelName
        .optional()
        .describe('Name that requests ask for; the name of the deployment where nothing is said.'),
      sizeGiB: z
        .number()
        .positive()
        .max(100_000)
        .optional()
        .describe('Size of the weights, for what is known of starts.'),
      adapters: z
        .array(modelName)
        .max(MAX_ADAPTERS)
        .default([])
        .describe('Names of adapters that are served beside the model.'),
    }),
    runtime: z.strictObject({
      engine: z
        .enum(['vllm', 'sglang', 'tgi', 'llamacpp', 'openai'])
        .describe('Model server; openai is anything that speaks the protocol of OpenAI.'),
      version: form(/^[\w.+-]+$/, 'is not a version; write for example "0.27.1"', 50).optional(),
      image: form(/^[\w./:@-]+$/, 'is not an image; write for example "vllm/vllm-openai:v0.27.1"', 300).optional(),
      args: z.array(z.string().max(1_000)).max(100).default([]).describe('Further arguments of the model server.'),
      port: positiveInt.max(65_535).default(8_000).describe('Port that the model server listens on.'),
    }),
    compute: z.discriminatedUnion('mode', [elastic, serverless, direct]).describe('Where replicas come from.'),
    scaling: z
      .strictObject({
        replicas: z
          .int()
          .nonnegative()
          .max(MAX_REPLICAS)
          .optional()
          .describe('How many replicas serve; where nothing is said 1, and of mode direct one for each endpoint.'),
      })
      .prefault({}),
    readiness: z
      .strictObject({
        startDeadline: duration
          .default(25 * 60_000)
          .describe('A start that has not served by then is given up and deleted.'),
        startDeadlineCap: duration
          .optional()
          .describe('Latest end of a start whose deadline is extended since it makes progress.'),
        healthDeadline: duration.default(90_000).describe('A replica that has not answered for so long is replaced.'),
        maxFailedStarts: positiveInt
          .max(100)
          .default(5)
          .describe('After so many failed starts in a row nothing is paid for until somebody retries.'),
      })
      .prefault({}),
    rollout: rolloutInput.prefault({}).describe('How a new revision replaces the one before.'),
    routing: z
      .strictObject({
        aliases: z.array(modelName).max(32).default([]).describe('Further names that requests may ask for.'),
        weight: z
          .int()
          .nonnegative()
          .max(MAX_WEIGHT)
          .default(DEFAULT_WEIGHT)
          .describe('Share of the requests of an alias, relative to other deployments under it.'),
      })
      .optional(),
    budget: budgetInput.optional().describe('What may be spent.'),
    secrets: z
      .array(z.strictObject({ name: environmentName, from: z.strictObject({ env: environmentName }) }))
      .max(50)
      .default([]),
  }),
});
export type DeploymentManifest = z.output<typeof deploymentManifest>;
