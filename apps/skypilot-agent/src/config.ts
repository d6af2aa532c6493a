import path from 'node:path';
import { DEFAULT_RESOURCE_TIMINGS, type ResourceTimings } from '@davit/domain';
import {
  address,
  type CommonConfig,
  durationVariable,
  resourceTimingsOf,
  resourceVariables,
  wholeNumber,
} from '@davit/service-kit';
import { z } from 'zod';
import { DEFAULT_SKY_SETTINGS, launchSlotsOf, skyUserIdOf, type SkySettings } from './sky/settings.js';
import { DEFAULT_RUNPOD_WITNESS, type RunPodWitnessSettings } from './witness/runpod.js';

function launchSlotsVariable() {
  const error = 'Set numbers by cloud, for example "runpod=8,aws=4".';
  return z.string({ error }).transform((text, context) => {
    const slots = launchSlotsOf(text);
    if (slots) return slots;
    context.addIssue({ code: 'custom', message: `is not usable. ${error}` });
    return z.NEVER;
  });
}

/** Backends that this service can bind. */
export const OWN_BACKENDS = ['skypilot', 'direct'] as const;
type OwnBackend = (typeof OWN_BACKENDS)[number];

const isOwn = (name: string): name is OwnBackend => OWN_BACKENDS.some((own) => own === name);

function backendsVariable() {
  const error = `Set names from ${OWN_BACKENDS.join(', ')}, for example "${OWN_BACKENDS.join(',')}".`;
  return z.string({ error }).transform((text, context): readonly OwnBackend[] => {
    const names = text.split(',').map((name) => name.trim());
    const own = names.filter(isOwn);
    if (own.length === names.length && new Set(own).size === own.length) return own;
    context.addIssue({ code: 'custom', message: `is not usable. ${error}` });
    return z.NEVER;
  });
}

/** Variables of skypilot-agent, beside the common ones. */
export const skypilotAgentConfig = z.object({
  /** Backends that are bound. One that still has replicas cannot be left out. */
  DAVIT_BACKENDS: backendsVariable().default([...OWN_BACKENDS]),
  /** The SkyPilot client: a name on PATH, or a path. */
  SKY_BIN: z.string().default('sky'),
  /** State of this service; SkyPilot gets a home of its own below it. */
  DAVIT_HOME: z.string().default('.davit/skypilot-agent'),
  PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
  /** A remote API server; without it the client starts one of its own. */
  SKYPILOT_API_SERVER_ENDPOINT: address(['http:', 'https:'], 'https://sky.example.com').optional(),
  SKYPILOT_SERVICE_ACCOUNT_TOKEN: z
    .string()
    .startsWith('sky_', { error: 'is not usable. Set a token that begins with "sky_".' })
    .optional(),
  /** Launches at once on each cloud, as `runpod=8,aws=4`; `*` stands for clouds that are not named. */
  DAVIT_SKY_LAUNCHES_PER_CLOUD: launchSlotsVariable().default(DEFAULT_SKY_SETTINGS.launches),
  /** Terminations at once; launches do not count. */
  DAVIT_SKY_DELETIONS: wholeNumber(1, 64).default(DEFAULT_SKY_SETTINGS.maxDeletions),
  /** Other commands at once, of each kind. */
  DAVIT_SKY_QUESTIONS: wholeNumber(1, 64).default(DEFAULT_SKY_SETTINGS.maxQuestions),
  /** A start of this age, or one that has failed, has its logs read for the reason. */
  DAVIT_DIAGNOSE_AFTER: durationVariable(100, 3_600_000).default(DEFAULT_SKY_SETTINGS.diagnosis.afterMs),
  /** RunPod's own list of pods is read with this key, so that a machine that SkyPilot has forgotten is still seen. */
  RUNPOD_API_KEY: z.string().optional(),
  RUNPOD_API_URL: address(['https:', 'http:'], DEFAULT_RUNPOD_WITNESS.baseUrl).default(DEFAULT_RUNPOD_WITNESS.baseUrl),
  /** Longest time that one `sky launch` may take; after a crash it may go on this long by itself. */
  DAVIT_LAUNCH_TIMEOUT: durationVariable(1_000, 3_600_000).default(DEFAULT_SKY_SETTINGS.timeouts.launchMs),
  ...resourceVariables(DEFAULT_RESOURCE_TIMINGS, 256),
});
export type SkypilotAgentConfig = z.output<typeof skypilotAgentConfig>;

export const timingsOf = (config: SkypilotAgentConfig): ResourceTimings =>
  resourceTimingsOf(config, config.DAVIT_LAUNCH_TIMEOUT);

export function skySettingsOf(config: SkypilotAgentConfig & CommonConfig): SkySettings {
  return {
    ...DEFAULT_SKY_SETTINGS,
    binary: config.SKY_BIN,
    home: path.resolve(config.DAVIT_HOME, 'sky'),
    path: config.PATH,
    userId: skyUserIdOf(config.DAVIT_INSTALLATION),
    apiServerUrl: config.SKYPILOT_API_SERVER_ENDPOINT ?? null,
    apiServerToken: config.SKYPILOT_SERVICE_ACCOUNT_TOKEN ?? null,
    timeouts: { ...DEFAULT_SKY_SETTINGS.timeouts, launchMs: config.DAVIT_LAUNCH_TIMEOUT },
    launches: config.DAVIT_SKY_LAUNCHES_PER_CLOUD,
    maxDeletions: config.DAVIT_SKY_DELETIONS,
    diagnosis: { ...DEFAULT_SKY_SETTINGS.diagnosis, afterMs: config.DAVIT_DIAGNOSE_AFTER },
    maxQuestions: config.DAVIT_SKY_QUESTIONS,
    launchingAgeMs: config.DAVIT_RESOURCE_LOOK,
    steadyAgeMs: config.DAVIT_RESOURCE_STEADY_LOOK / 2,
  };
}

/** Null without a key: then SkyPilot's table is the only one there is. */
export const runpodWitnessSettingsOf = (config: SkypilotAgentConfig): RunPodWitnessSettings | null =>
  config.RUNPOD_API_KEY === undefined || config.RUNPOD_API_KEY === ''
    ? null
    : { ...DEFAULT_RUNPOD_WITNESS, baseUrl: config.RUNPOD_API_URL, apiKey: config.RUNPOD_API_KEY };
