import { z } from 'zod';
import { placement } from '../placement.js';
import { templateContent } from './template.js';
import { spendLimits } from '../budget.js';
import { MAX_WEIGHT, deploymentName, tenantName } from '../primitives.js';
import { evidencePolicy } from './evidence-policy.js';

export const API_VERSION = 'davit.dev/v1';
export const MAX_REPLICAS = 1_000;
export const MAX_PLACEMENTS = 64;

const milliseconds = z.int().positive();

export const secretReference = z.strictObject({
  /** Name of the variable that the model server sees. */
  name: z.string(),
  /** Where the value comes from at the last hop; the value itself is never stored. */
  from: z.strictObject({ env: z.string() }),
});

export const elasticCompute = z.strictObject({
  mode: z.literal('elastic'),
  adapter: z.literal('skypilot'),
  objective: z.enum(['cost', 'readiness', 'reliability']),
  /** Where replicas may run, and nowhere else: a ladder in order of preference, or a set in the order it was written. */
  placements: z.array(placement).min(1).max(MAX_PLACEMENTS),
  /** `best`: the placements are a set, and the objective ranks them. Absent for a ladder, which is taken from the top. */
  selection: z.literal('best').optional(),
  /** Replicas are spread over clouds or regions as evenly as stock lets them. Absent when that was not asked for. */
  spread: z.enum(['cloud', 'region']).optional(),
  diskGiB: z.int().positive(),
});

export const serverlessCompute = z.strictObject({
  mode: z.literal('serverless'),
  adapter: z.literal('vast-serverless'),
  /** Vast template that workers start from; null where Davit makes one of `template`. */
  templateHash: z.string().nullable(),
  /** Absent where a template is named. */
  template: templateContent.optional(),
  /** Vast offer search, in Vast's own words. */
  search: z.string(),
  gpuRamGiB: z.int().positive(),
  workers: z.strictObject({
    cold: z.int().nonnegative(),
    max: z.int().positive(),
    minLoad: z.number().nonnegative(),
    targetUtilisation: z.number().positive().max(1),
    coldMultiplier: z.number().positive(),
    inactivityTimeoutMs: milliseconds,
    targetQueueTimeMs: milliseconds,
    maxQueueTimeMs: milliseconds,
  }),
});

export const directCompute = z.strictObject({
  mode: z.literal('direct'),
  adapter: z.literal('direct'),
  /** Servers that already run; replica n adopts endpoint n. They are never created and never deleted. */
  endpoints: z.array(z.url()).min(1).max(MAX_REPLICAS),
});

/** A deployment with every default written out: what the log stores and what services act on. Absent things are `null`. */
export const normalisedDeployment = z.strictObject({
  apiVersion: z.literal(API_VERSION),
  kind: z.literal('Deployment'),
  metadata: z.strictObject({
    name: deploymentName,
    tenant: tenantName,
    labels: z.record(z.string(), z.string()),
  }),
  spec: z.strictObject({
    model: z.strictObject({
      id: z.string(),
      revision: z.string().nullable(),
      servedName: z.string(),
      /** Size of the weights; gives a start the time to load them. Absent when nobody said it. */
      sizeGiB: z.number().positive().optional(),
      /** Adapters that it must serve beside the model. Absent when none were named. */
      adapters: z.array(z.string()).optional(),
    }),
    runtime: z.strictObject({
      engine: z.enum(['vllm', 'sglang', 'tgi', 'llamacpp', 'openai']),
      version: z.string().nullable(),
      image: z.string().nullable(),
      args: z.array(z.string()),
      port: z.int().positive(),
    }),
    compute: z.discriminatedUnion('mode', [elasticCompute, serverlessCompute, directCompute]),
    scaling: z.strictObject({ replicas: z.int().nonnegative().max(MAX_REPLICAS) }),
    readiness: z.strictObject({
      startDeadlineMs: milliseconds,
      /** Visible progress moves the start deadline up to here. Absent in logs of older versions, as is the next. */
      startDeadlineCapMs: milliseconds.optional(),
      healthDeadlineMs: milliseconds,
      /** So many starts in a row that may have cost money, and a slot is given up until a user asks again. */
      maxFailedStarts: z.int().positive().max(100).optional(),
    }),
    rollout: z.strictObject({
      strategy: z.enum(['surge', 'in-place', 'evidence']),
      drainDeadlineMs: milliseconds,
      /** Of strategy `evidence`, and absent with any other. */
      evidence: evidencePolicy.optional(),
    }),
    /** Absent when nothing of it was asked for. */
    routing: z
      .strictObject({
        /** Further names of the model, beside the served one. */
        aliases: z.array(z.string()),
        weight: z.int().nonnegative().max(MAX_WEIGHT),
      })
      .optional(),
    budget: spendLimits.nullable(),
    secrets: z.array(secretReference),
  }),
});
export type NormalisedDeployment = z.infer<typeof normalisedDeployment>;
export type DeploymentSpec = NormalisedDeployment['spec'];
export type Compute = DeploymentSpec['compute'];
