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
import type { ServiceBuildParts } from './simulated-service.js';

export const INSTALLATION = 'simulated';

/** Orphans go by themselves, soon enough for a run to see it. */
const INVENTORY_RULES = { everyMs: 60_000, quarantineMs: 120_000, policy: 'auto' } as const;

export type ServiceBuilder = (parts: ServiceBuildParts) => readonly Controller[];

/** The five services that act on elastic and adopted replicas, each built from its ports alone. */
export function serviceBuilders(
  files: MemoryFiles,
  keys: { readonly runpod: string },
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
            runpod: { ...DEFAULT_CAPACITY_ADVISOR_SETTINGS.runpod, baseUrl: WORLD_HOSTS.runpod, apiKey: keys.runpod },
          },
        }),
      ),
    'runtime-prober': ({ http, clock, random }) => runtimeProberControllers({ http, clock, random, environment: {} }),
    'router-registry': () => routerRegistryControllers(),
  };
}
