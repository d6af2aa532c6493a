import { DEFAULT_RESOURCE_TIMINGS, type ResourceTimings } from '@davit/domain';
import { address, resourceTimingsOf, resourceVariables } from '@davit/service-kit';
import { z } from 'zod';
import { readWorkerCa } from './vast/data-path/worker-ca.js';
import { DEFAULT_VAST_SETTINGS, type VastSettings } from './vast/settings.js';

const url = (example: string) => address(['http:', 'https:'], example).default(example);

/**
 * Vast's lists may be seconds old and its engine is told of changes with a delay, so looks are further apart here. A call
 * that creates ends with the process that makes it.
 */
const TIMINGS: ResourceTimings = { ...DEFAULT_RESOURCE_TIMINGS, lookMs: 3_000, launchMs: 0 };

/** Variables of vast-serverless, beside the common ones. */
export const vastServerlessConfig = z.object({
  VAST_CONSOLE_URL: url(DEFAULT_VAST_SETTINGS.consoleUrl),
  VAST_RUN_URL: url(DEFAULT_VAST_SETTINGS.runUrl),
  /** Where endpoints answer in the protocol of OpenAI, below their name. */
  VAST_OPENAI_URL: url(DEFAULT_VAST_SETTINGS.openaiUrl),
  /**
   * Needs the permissions misc, user_read, instance_read and billing_read. Without it every call is refused by this service
   * itself.
   */
  VAST_API_KEY: z.string().default(''),
  /** Makes templates, and does nothing else: needs user_read and user_write. Needed for spec.compute.template only. */
  VAST_TEMPLATE_API_KEY: z.string().default(''),
  /** Ends single workers that Vast failed to end: needs instance_write. Without it that is left to a person. */
  VAST_EMERGENCY_API_KEY: z.string().default(''),
  /** File with the authorities of workers' certificates, in PEM: Vast's own root. For calls of workers alone. */
  VAST_WORKER_CA_FILE: z.string().default(''),
  /** Directory below which the files of prompts lie that `spec.rollout.load.prompts` names. Needed for rollouts on evidence. */
  DAVIT_PROMPTS_DIR: z.string().default(''),
  /** Share of Vast's published intervals between calls to keep. */
  VAST_PACE_SCALE: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,4})?$/, { error: 'is not usable. Set a share such as "1" or "0.5".' })
    .transform(Number)
    .default(DEFAULT_VAST_SETTINGS.paceScale),
  ...resourceVariables(TIMINGS, 64),
});
export type VastServerlessConfig = z.output<typeof vastServerlessConfig>;

export const timingsOf = (config: VastServerlessConfig): ResourceTimings => resourceTimingsOf(config, TIMINGS.launchMs);

/** @throws ConfigError where the file of authorities cannot be used */
export const vastSettingsOf = (config: VastServerlessConfig): VastSettings => ({
  ...DEFAULT_VAST_SETTINGS,
  ...workerCaOf(config),
  consoleUrl: config.VAST_CONSOLE_URL,
  runUrl: config.VAST_RUN_URL,
  openaiUrl: config.VAST_OPENAI_URL,
  apiKey: config.VAST_API_KEY,
  templateKey: config.VAST_TEMPLATE_API_KEY,
  emergencyKey: config.VAST_EMERGENCY_API_KEY,
  paceScale: config.VAST_PACE_SCALE,
  launchingAgeMs: config.DAVIT_RESOURCE_LOOK,
  steadyAgeMs: config.DAVIT_RESOURCE_STEADY_LOOK,
});

function workerCaOf({ VAST_WORKER_CA_FILE }: VastServerlessConfig): Pick<VastSettings, 'workerCa'> {
  const workerCa = readWorkerCa(VAST_WORKER_CA_FILE);
  return workerCa === undefined ? {} : { workerCa };
}
