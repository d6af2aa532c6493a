import type { ResourceTimings } from '@davit/domain';
import { createBackendRegistry, type ProviderBackend, resourceController } from '@davit/provider-kit';
import type { Controller } from '@davit/reconcile';

export interface VastServerlessParts {
  readonly backend: ProviderBackend;
  readonly timings?: ResourceTimings;
  /** Passes at once. */
  readonly concurrency?: number;
}

/** The work of vast-serverless without its wiring, as the simulation runs it. */
export const vastServerlessControllers = ({ backend, ...options }: VastServerlessParts): readonly Controller[] => [
  resourceController({ name: 'endpoint', backends: createBackendRegistry([backend]), ...options }),
];
