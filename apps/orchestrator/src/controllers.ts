import { DEFAULT_LOSS_LIMITS, DEFAULT_REPLICA_TIMINGS, type LossLimits, type ReplicaTimings } from '@davit/domain';
import type { Controller } from '@davit/reconcile';
import { alarmController } from './alarm-controller.js';
import { BudgetReader } from './budgets.js';
import { deploymentController } from './deployment-controller.js';
import { fleetController } from './fleet-controller.js';
import { type FleetMeters, NO_METERS } from './telemetry/meters.js';
import { replicaController } from './replica-controller.js';

export interface OrchestratorOptions {
  /** Keeps apart two Davit systems that rent on one account. */
  readonly installation: string;
  readonly timings?: ReplicaTimings;
  /** Law 12: how many deaths at once are believed. */
  readonly losses?: LossLimits;
  readonly meters?: FleetMeters;
}

export function orchestratorControllers({
  installation,
  timings = DEFAULT_REPLICA_TIMINGS,
  losses = DEFAULT_LOSS_LIMITS,
  meters = NO_METERS,
}: OrchestratorOptions): readonly Controller[] {
  const reader = new BudgetReader();
  return [
    deploymentController(installation, reader),
    replicaController(timings, losses, meters, reader),
    fleetController(losses, meters),
    alarmController(reader),
  ];
}
