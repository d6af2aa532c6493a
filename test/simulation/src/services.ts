import { DEFAULT_CAPACITY_ADVISOR_SETTINGS, capacityAdvisorControllers, createAssessor } from '@davit/capacity-advisor';
import { orchestratorControllers } from '@davit/orchestrator';
import type { Controller } from '@davit/reconcile';
import { routerRegistryControllers } from '@davit/router-registry';
import { runtimeProberControllers } from '@davit/runtime-prober';
import {
  DEFAULT_RUNPOD_WITNESS,
  DEFAULT_SKY_SETTINGS,
  directBackend,
  runpodWitness,
  skyBackend,
  skyUserIdOf,
  skypilotAgentControllers,
} from '@davit/skypilot-agent';
import { WORLD_HOSTS } from '@davit/world';
import type { MemoryFiles } from './outside.js';
import { serverlessBuilder } from './rollout/service.js';
import type { ServiceBuildParts } from './simulated-service.js';

export const INSTALLATION = 'simulated';

/** Orphans go by themselves, soon enough for a run to see it. */
const INVENTORY_RULES = { everyMs: 60_000, quarantineMs: 120_000, policy: 'auto' } as const;

/** How a run has its services set up, where that differs from one to the other. */
export interface ServiceSettings {
  /** Which of RunPod's interfaces is asked for stock and prices. Default `v2`. */
  readonly stockApi?: 'v2' | 'graphql';
  /** Pause between two samples of an offer. Default: as in production. */
  readonly watchMs?: number;
  /** There is vast-serverless as well, and rollouts on evidence. Default: there is not. */
  readonly serverless?: boolean;
}

export type ServiceBuilder = (parts: ServiceBuildParts) => readonly Controller[];

/** The services that act on replicas, each built from its ports alone. */
export function serviceBuilders(
  files: MemoryFiles,
  keys: { readonly runpod: string; readonly vast: string },
  { stockApi = 'v2', watchMs = DEFAULT_CAPACITY_ADVISOR_SETTINGS.watchMs, serverless = false }: ServiceSettings = {},
): Readonly<Record<string, ServiceBuilder>> {
  return {
    orchestrator: () => orchestratorControllers({ installation: INSTALLATION }),
    'skypilot-agent': ({ clock, commands, http, random }) =>
      skypilotAgentControllers({
        backends: [
          skyBackend({
            commands,
            clock,
            files,
            witnesses: [
              runpodWitness(
                { http, clock },
                { ...DEFAULT_RUNPOD_WITNESS, baseUrl: WORLD_HOSTS.runpod, apiKey: keys.runpod },
              ),
            ],
            secrets: () => undefined,
            settings: {
              ...DEFAULT_SKY_SETTINGS,
              binary: 'sky',
              home: '/memory',
              path: '',
              userId: skyUserIdOf(INSTALLATION),
            },
          }),
          directBackend,
        ],
        inventory: { installation: INSTALLATION, random, rules: INVENTORY_RULES },
        // As the service itself has it by default.
        concurrency: 256,
      }),
    'capacity-advisor': ({ http, clock, logger }) =>
      capacityAdvisorControllers(
        createAssessor({
          http,
          clock,
          logger,
          settings: {
            ...DEFAULT_CAPACITY_ADVISOR_SETTINGS,
            runpod: {
              api: stockApi,
              baseUrl: WORLD_HOSTS.runpod,
              graphqlUrl: `${WORLD_HOSTS.runpod}/graphql`,
              apiKey: keys.runpod,
            },
            vast: { baseUrl: WORLD_HOSTS.vastConsole, apiKey: keys.vast },
          },
        }),
        watchMs,
      ),
    'runtime-prober': ({ http, clock, random }) =>
      runtimeProberControllers({ http, clock, random, environment: { VAST_API_KEY: keys.vast } }),
    'router-registry': () => routerRegistryControllers(),
    ...(serverless ? { 'vast-serverless': serverlessBuilder(INSTALLATION, keys.vast) } : {}),
  };
}
