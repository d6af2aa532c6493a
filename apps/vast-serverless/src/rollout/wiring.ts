import type { ServiceConfig, ServiceParts } from '@davit/service-kit';
import { timingsOf, type vastServerlessConfig, vastSettingsOf } from '../config.js';
import { readPrompts } from '../load/prompts/read-prompts.js';
import { rolloutMeters } from '../telemetry/meters.js';
import { vastBackend } from '../vast/backend.js';
import type { VastClient } from '../vast/client.js';
import { readWorkerCa } from '../vast/data-path/worker-ca.js';
import { rolloutExpectation } from './expected.js';
import { DEFAULT_ROLLOUT_PACE } from './pace.js';
import type { RolloutParts } from './parts.js';

type Config = ServiceConfig<typeof vastServerlessConfig>;

/**
 * What the service carries out rollouts with; the backend of it drives the endpoints of replicas as well.
 * @throws ConfigError for authorities of workers that cannot be read
 */
export function rolloutPartsOf({ ports, config, metrics }: ServiceParts<Config>, client: VastClient): RolloutParts {
  const { http, clock, random, logger, evidence, model } = ports;
  const secrets = (name: string): string | undefined => process.env[name];
  const expected = rolloutExpectation(model);
  const backend = vastBackend({
    ...{ http, clock, random, client, secrets, expected },
    settings: vastSettingsOf(config),
  });
  const workerCa = readWorkerCa(config.VAST_WORKER_CA_FILE);
  return {
    ...{ clock, random, logger, http, client, backend, evidence, secrets },
    ...(workerCa === undefined ? {} : { workerCa }),
    prompts: (file) => readPrompts(config.DAVIT_PROMPTS_DIR, file),
    installation: config.DAVIT_INSTALLATION,
    timings: timingsOf(config),
    pace: { ...DEFAULT_ROLLOUT_PACE, lookMs: config.DAVIT_RESOURCE_LOOK },
    meters: rolloutMeters(metrics),
  };
}
