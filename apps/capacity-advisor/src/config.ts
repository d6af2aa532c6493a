import { address, durationVariable } from '@davit/service-kit';
import { z } from 'zod';
import { type CapacityAdvisorSettings, DEFAULT_SETTINGS } from './settings.js';

const { runpod, timeoutMs, cacheMs, lifetimeMs } = DEFAULT_SETTINGS;

/** What capacity-advisor reads from its environment, beside what every service reads. */
export const capacityAdvisorConfig = z.object({
  RUNPOD_API_URL: address(['https:', 'http:'], runpod.baseUrl).default(runpod.baseUrl),
  RUNPOD_API_KEY: z.string().optional(),
  DAVIT_ADVICE_TIMEOUT: durationVariable(100, 60_000).default(timeoutMs),
  DAVIT_ADVICE_CACHE: durationVariable(1, 300_000).default(cacheMs),
  DAVIT_ADVICE_LIFETIME: durationVariable(1_000, 3_600_000).default(lifetimeMs),
});

export const settingsOf = (config: z.output<typeof capacityAdvisorConfig>): CapacityAdvisorSettings => ({
  runpod: { baseUrl: config.RUNPOD_API_URL, apiKey: config.RUNPOD_API_KEY },
  timeoutMs: config.DAVIT_ADVICE_TIMEOUT,
  cacheMs: config.DAVIT_ADVICE_CACHE,
  lifetimeMs: config.DAVIT_ADVICE_LIFETIME,
});
