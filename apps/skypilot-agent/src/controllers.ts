import type { ResourceTimings } from '@davit/domain';
import { createBackendRegistry, type ProviderBackend, resourceController } from '@davit/provider-kit';
import type { Controller } from '@davit/reconcile';

export interface SkypilotAgentParts {
  readonly backends: readonly ProviderBackend[];
  readonly timings?: ResourceTimings;
  /** Passes at once. */
  readonly concurrency?: number;
}

/** The work of skypilot-agent without its wiring, as the simulation runs it. */
export const skypilotAgentControllers = ({ backends, ...options }: SkypilotAgentParts): readonly Controller[] => [
  resourceController({ name: 'resource', backends: createBackendRegistry(backends), ...options }),
];
