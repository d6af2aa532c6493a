import type { ResourceTimings } from '@davit/domain';
import {
  type Binding,
  createBackendRegistry,
  inventoryController,
  type InventoryRules,
  type ProviderBackend,
  resourceController,
} from '@davit/provider-kit';
import type { Random } from '@davit/ports';
import type { Controller } from '@davit/reconcile';

export interface SkypilotAgentParts {
  readonly backends: readonly (ProviderBackend | Binding)[];
  /** What is compared with the log from the provider's side; left out, nobody looks for orphans. */
  readonly inventory?: { readonly installation: string; readonly random: Random; readonly rules?: InventoryRules };
  readonly timings?: ResourceTimings;
  /** Passes at once. */
  readonly concurrency?: number;
}

/** The work of skypilot-agent without its wiring, as the simulation runs it. */
export function skypilotAgentControllers({ inventory, ...parts }: SkypilotAgentParts): readonly Controller[] {
  const backends = createBackendRegistry(parts.backends);
  const timings = parts.timings === undefined ? {} : { timings: parts.timings };
  return [
    resourceController({ name: 'resource', ...parts, backends }),
    ...(inventory ? [inventoryController({ backends, ...inventory, ...timings })] : []),
  ];
}
