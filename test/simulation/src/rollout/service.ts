import { readFileSync } from 'node:fs';
import { parsePrompts, vastBackend, VastClient, vastServerlessControllers } from '@davit/vast-serverless';
import { DEFAULT_VAST_SETTINGS, type Prompt, rolloutExpectation } from '@davit/vast-serverless';
import { WORLD_HOSTS } from '@davit/world';
import type { ServiceBuilder } from '../services.js';

const PROMPTS_FILE = new URL('../../../../docs/examples/prompts/qwen3-8b.jsonl', import.meta.url);
let prompts: readonly Prompt[] | undefined;
const readPrompts = (): readonly Prompt[] => (prompts ??= parsePrompts('prompts', readFileSync(PROMPTS_FILE, 'utf8')));

/** The outside is faster than the real one, and so are looks at it. */
const TIMINGS = {
  ...{ lookMs: 1_000, steadyLookMs: 5_000, absenceSpacingMs: 5_000, visibilityMs: 10_000, launchMs: 0 },
  deleteRetryMs: 8_000,
};
const PACE = {
  ...{ lookMs: 2_000, tickMs: 500, agreeingLooks: 3, requestDeadlineMs: 15_000, orphanedLoadMs: 10_000 },
  visibleMs: 5_000,
};
const INVENTORY_RULES = { everyMs: 60_000, quarantineMs: 120_000, policy: 'auto' } as const;

/** The service that has serverless endpoints, and rolls them out on evidence. */
export const serverlessBuilder =
  (installation: string, key: string): ServiceBuilder =>
  ({ clock, random, http, logger, evidence, model }) => {
    const settings = {
      ...DEFAULT_VAST_SETTINGS,
      ...{ consoleUrl: WORLD_HOSTS.vastConsole, runUrl: WORLD_HOSTS.vastRun, openaiUrl: WORLD_HOSTS.vastOpenai },
      ...{ apiKey: key, templateKey: key, emergencyKey: key, paceScale: 0 },
      ...{ launchingAgeMs: 500, steadyAgeMs: 2_000, patienceMs: 20_000, timeoutMs: 10_000 },
    };
    const secrets = (): undefined => undefined;
    const client = new VastClient({ http, clock, random, settings });
    const expected = rolloutExpectation(model);
    const backend = vastBackend({ http, clock, random, settings, client, expected, secrets });
    return vastServerlessControllers({
      ...{ backend, timings: TIMINGS, inventory: { installation, random, rules: INVENTORY_RULES } },
      rollouts: {
        ...{ clock, random, logger, http, client, backend, evidence, secrets, installation },
        ...{ timings: TIMINGS, pace: PACE, prompts: () => Promise.resolve(readPrompts()) },
      },
    });
  };
