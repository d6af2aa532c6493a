import type { ResourceTimings } from '@davit/domain';
import { type ProviderBackend, createBackendRegistry, resourceController } from '@davit/provider-kit';
import type { Controller } from '@davit/reconcile';

export { directBackend } from './direct/backend.js';
export { type SkyParts, skyBackend } from './sky/backend.js';
export { DEFAULT_SKY_SETTINGS, type SkySettings, skyUserIdOf } from './sky/settings.js';
export { type TaskFiles, taskFilesIn } from './sky/task-files.js';

export type SkypilotAgentParts = {
  readonly backends: readonly ProviderBackend[];
  readonly timings?: ResourceTimings;
};

/** Passes at once; the backend bounds the commands that a pass may run. */
const CONCURRENCY = 64;

/** The work of skypilot-agent without its wiring, as the simulation runs it. */
export const skypilotAgentControllers = ({ backends, timings }: SkypilotAgentParts): readonly Controller[] => [
  resourceController({
    backends: createBackendRegistry(backends),
    concurrency: CONCURRENCY,
    ...(timings === undefined ? {} : { timings }),
  }),
];
