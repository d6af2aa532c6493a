import type { ResourceTimings } from '@davit/domain';
import type { Random } from '@davit/ports';
import {
  createBackendRegistry,
  inventoryController,
  type InventoryRules,
  type ProviderBackend,
  resourceController,
} from '@davit/provider-kit';
import type { Controller } from '@davit/reconcile';
import { rolloutController } from './rollout/controller.js';
import type { RolloutParts } from './rollout/parts.js';

export interface VastServerlessParts {
  readonly backend: ProviderBackend;
  /** What is compared with the log from the provider's side; left out, nobody looks for orphans. */
  readonly inventory?: { readonly installation: string; readonly random: Random; readonly rules?: InventoryRules };
  /** What carries out rollouts on evidence; left out, there are none. */
  readonly rollouts?: RolloutParts;
  readonly timings?: ResourceTimings;
  /** Passes at once. */
  readonly concurrency?: number;
}

/** The work of vast-serverless without its wiring, as the simulation runs it. */
export function vastServerlessControllers({
  backend,
  inventory,
  rollouts,
  ...options
}: VastServerlessParts): readonly Controller[] {
  const backends = createBackendRegistry([backend]);
  const timings = options.timings === undefined ? {} : { timings: options.timings };
  return [
    resourceController({ name: 'endpoint', backends, ...options }),
    ...(rollouts ? [rolloutController(rollouts)] : []),
    ...(inventory ? [inventoryController({ backends, ...inventory, ...timings })] : []),
  ];
}
