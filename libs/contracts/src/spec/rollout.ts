import { z } from 'zod';
import { duration } from './duration.js';
import { amount, form } from './forms.js';

const promptsFile = form(
  /^(?!.*\.\.)[\w][\w./-]*$/,
  'is not a file of prompts; write a path without ".." below the directory of prompts, for example "qwen3-8b.jsonl"',
  200,
);

const objectives = z.strictObject({
  latencyP50: duration.optional(),
  latencyP95: duration.optional(),
  latencyP99: duration.optional(),
  errorRate: z.number().nonnegative().max(1).optional(),
  queueTimeP95: duration.optional(),
  concurrency: z.int().positive().max(1_000_000).optional(),
  maxHourly: amount.optional(),
});

const load = z.strictObject({
  requestsPerSecond: z.number().positive().max(100_000),
  prompts: promptsFile,
  rampDuration: duration.default(5 * 60_000),
  maxRequests: z.int().positive().max(100_000_000).default(100_000),
  maxDuration: duration.default(60 * 60_000),
  maxSpend: amount,
});

const canary = z.strictObject({
  maxWorkers: z.int().positive().max(1_000).default(2),
  maxSpend: amount,
  deadline: duration.default(60 * 60_000),
  removalDeadline: duration.default(15 * 60_000),
});

const acceptance = z.strictObject({
  alpha: z.number().positive().max(0.5).default(0.01),
  beta: z.number().positive().max(0.5).default(0.02),
  minimumSamples: z.int().positive().max(1_000_000_000).default(500),
  deadline: duration.default(60 * 60_000),
  convergeDeadline: duration.default(60 * 60_000),
  tolerated: z
    .strictObject({
      latency: z.number().nonnegative().max(10).default(0.1),
      errorRate: z.number().nonnegative().max(1).default(0.005),
    })
    .prefault({}),
});

/** How a new revision replaces the one before, as a user writes it. */
export const rolloutInput = z.strictObject({
  strategy: z
    .enum(['surge', 'in-place', 'evidence'])
    .default('surge')
    .describe('New ones first; in the same place; or on evidence that the new one is no worse.'),
  drainDeadline: duration
    .default(30_000)
    .describe('How long requests that began may go on before a replica is deleted.'),
  objectives: objectives.optional().describe('What is promised and judged; strategy evidence.'),
  approval: z.enum(['required', 'none']).optional().describe('Whether a person has to approve; strategy evidence.'),
  approvalDeadline: duration.optional(),
  currency: form(/^[A-Z]{3}$/, 'is not a currency; write three capitals, for example "USD"', 3).optional(),
  load: load.optional().describe('How a candidate is driven before it serves; strategy evidence.'),
  canary: canary.optional().describe('Bounds of the candidate; strategy evidence.'),
  acceptance: acceptance.optional().describe('When a verdict is reached; strategy evidence.'),
  onQueueBreach: z.enum(['pause', 'raise', 'rollback']).optional(),
});
export type RolloutInput = z.output<typeof rolloutInput>;

/** Keys that only the strategy `evidence` reads. */
export const EVIDENCE_KEYS = [
  'objectives',
  'approval',
  'approvalDeadline',
  'currency',
  'load',
  'canary',
  'acceptance',
  'onQueueBreach',
] as const satisfies readonly (keyof RolloutInput)[];

/** Defaults of {@link acceptance}, where nothing of it was written. */
export const defaultAcceptance = (): z.output<typeof acceptance> => acceptance.parse({});
