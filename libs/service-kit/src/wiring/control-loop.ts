import type { EventLog, Leases } from '@davit/event-log';
import { type Logger, type Tracing, systemClock, systemIds, systemRandom } from '@davit/ports';
import type { ProjectionRunner } from '@davit/projection';
import { type ControlLoop, createControlLoop } from '@davit/reconcile';
import type { Provider } from '@nestjs/common';
import type { z } from 'zod';
import { Metrics } from '../metrics/metrics.js';
import { NO_MODEL_METRICS, modelMetrics } from '../metrics/model-metrics.js';
import { reconcileMetrics } from '../metrics/reconcile-metrics.js';
import type { ServiceConfig, ServiceDefinition } from '../service-definition.js';
import type { ServicePorts } from '../service-ports.js';
import * as token from '../tokens.js';

/** The loop over the service's controllers; with none it still keeps the projection up to date. */
export function controlLoopProvider<Schema extends z.ZodObject>(definition: ServiceDefinition<Schema>): Provider {
  return {
    provide: token.CONTROL_LOOP,
    inject: [
      ...[token.CONFIG, token.SERVICE_PORTS, token.EVENT_LOG, token.LEASES, token.PROJECTION],
      ...[token.LOGGER, Metrics, token.TRACING],
    ],
    useFactory: (
      config: ServiceConfig<Schema>,
      ports: ServicePorts,
      log: EventLog,
      leases: Leases,
      projection: ProjectionRunner,
      logger: Logger,
      metrics: Metrics,
      tracing: Tracing,
    ): ControlLoop => {
      const parts = { ports, config, metrics };
      const controllers = definition.controllers?.(parts) ?? [];
      modelMetrics(metrics, definition.modelMetrics ?? NO_MODEL_METRICS, projection);
      const loop = createControlLoop({
        service: definition.name,
        // A process that comes back under the same name must not take up what its predecessor began.
        instanceId: `${config.DAVIT_INSTANCE} ${systemIds.uuid()}`,
        log,
        leases,
        projection,
        controllers,
        clock: systemClock,
        random: systemRandom,
        logger,
        tracing,
        leaseTtlMs: config.DAVIT_LEASE_TTL,
        admit: async () => definition.admit?.(parts),
        onPass: reconcileMetrics(metrics, controllers, () => loop.status()),
      });
      return loop;
    },
  };
}

/** How long the key that waits longest for a worker has waited. */
export const oldestPendingMs = (loop: ControlLoop): number =>
  Math.max(0, ...Object.values(loop.status().controllers).map((queue) => queue.oldestPendingMs));
