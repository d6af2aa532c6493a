import { address, durationVariable } from '@davit/service-kit';
import { z } from 'zod';
import { type CapacityAdvisorSettings, DEFAULT_SETTINGS } from './settings.js';

const { runpod, vast, timeoutMs, cacheMs, lifetimeMs, prices, watchMs } = DEFAULT_SETTINGS;

const web = (example: string) => address(['https:', 'http:'], example).default(example);

/** Goes into a header, which a line end from a file of secrets would break: every question would fail, and nobody could say why. */
const apiKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/, { error: 'is not usable. Set a key without blanks, as the provider shows it.' });

const interval = durationVariable(1_000, 24 * 3_600_000);
const NO_INTERVAL = 'is not usable. Set a duration such as "10m", from 1s to 24h, or "0" for none.';

const intervalOrNone = z.string().transform((text, context) => {
  if (text === '0') return 0;
  const parsed = interval.safeParse(text);
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: NO_INTERVAL });
  return z.NEVER;
});

/** What capacity-advisor reads from its environment, beside what every service reads. */
export const capacityAdvisorConfig = z.object({
  /** Which of RunPod's interfaces is asked: the catalogue of REST v2, or GraphQL for accounts that are still on it. */
  RUNPOD_API: z.enum(['v2', 'graphql']).default(runpod.api),
  RUNPOD_API_URL: web(runpod.baseUrl),
  /** Without it, `/graphql` below RUNPOD_API_URL. */
  RUNPOD_GRAPHQL_URL: address(['https:', 'http:'], runpod.graphqlUrl).optional(),
  /** Stock and prices of RunPod are read with this key, which never creates anything. */
  RUNPOD_API_KEY: apiKey.optional(),
  /** Vast's offers are searched here. */
  VAST_CONSOLE_URL: web(vast.baseUrl),
  /** Without it Vast's offers are not searched, and its stock is unknown. */
  VAST_API_KEY: apiKey.optional(),
  /** How long one question to a provider may take. */
  DAVIT_ADVICE_TIMEOUT: durationVariable(100, 60_000).default(timeoutMs),
  /** How long one answer serves everybody who asks the same. */
  DAVIT_ADVICE_CACHE: durationVariable(1, 300_000).default(cacheMs),
  /** How long an answer says something; then stock is unknown again, and its price is stale. */
  DAVIT_ADVICE_LIFETIME: durationVariable(1_000, 3_600_000).default(lifetimeMs),
  /** File with the operator's own prices, YAML or JSON: they win over every other source. Read again when it changes. */
  DAVIT_PRICES: z.string().min(1).optional(),
  /** Directory of SkyPilot's list prices, `<cloud>/vms.csv`; `off` for none. */
  DAVIT_SKY_CATALOGUE: z.string().min(1).default('~/.sky/catalogs/v8'),
  /** How long a list price says something after it was read. */
  DAVIT_CATALOGUE_LIFETIME: durationVariable(60_000, 30 * 24 * 3_600_000).default(prices.catalogueLifetimeMs),
  /** Pause between samples of stock and price of every placement that some deployment allows; `0` for none. */
  DAVIT_CAPACITY_WATCH: intervalOrNone.default(watchMs),
});

/** @param home directory that `~` stands for */
export const settingsOf = (config: z.output<typeof capacityAdvisorConfig>, home: string): CapacityAdvisorSettings => ({
  runpod: {
    api: config.RUNPOD_API,
    baseUrl: config.RUNPOD_API_URL,
    graphqlUrl: config.RUNPOD_GRAPHQL_URL ?? `${config.RUNPOD_API_URL.replace(/\/+$/, '')}/graphql`,
    apiKey: config.RUNPOD_API_KEY,
  },
  vast: { baseUrl: config.VAST_CONSOLE_URL, apiKey: config.VAST_API_KEY },
  timeoutMs: config.DAVIT_ADVICE_TIMEOUT,
  cacheMs: config.DAVIT_ADVICE_CACHE,
  lifetimeMs: config.DAVIT_ADVICE_LIFETIME,
  prices: {
    tablePath: config.DAVIT_PRICES,
    catalogueDirectory:
      config.DAVIT_SKY_CATALOGUE === 'off' ? undefined : config.DAVIT_SKY_CATALOGUE.replace(/^~(?=\/|$)/, home),
    catalogueLifetimeMs: config.DAVIT_CATALOGUE_LIFETIME,
  },
  watchMs: config.DAVIT_CAPACITY_WATCH,
});
