import { DEFAULT_REPLICA_TIMINGS, type ReplicaTimings } from '@davit/domain';
import type { Controller } from '@davit/reconcile';
import { deploymentController } from './deployment-controller.js';
import { replicaController } from './replica-controller.js';

export interface OrchestratorOptions {
  /** Keeps apart two Davit systems that rent on one account. */
  readonly installation: string;
  readonly timings?: ReplicaTimings;
}

export function orchestratorControllers({
  installation,
  timings = DEFAULT_REPLICA_TIMINGS,
}: OrchestratorOptions): readonly Controller[] {
  return [deploymentController(installation), replicaController(timings)];
}
