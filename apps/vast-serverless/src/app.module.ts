import { openReplicasOf } from '@davit/provider-kit';
import {
  ConfigError,
  Metrics,
  orphanRulesOf,
  providerMetrics,
  type ServiceConfig,
  ServiceModule,
  type ServiceParts,
  type ServicePorts,
  tokens,
} from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { timingsOf, vastServerlessConfig, vastSettingsOf } from './config.js';
import { vastServerlessControllers } from './controllers.js';
import { DoctorRpc } from './doctor/doctor.rpc.js';
import type { DoctorParts } from './doctor/permissions.js';
import { DOCTOR_PARTS } from './doctor/tokens.js';
import { rolloutPartsOf } from './rollout/wiring.js';
import { rolloutModelMetrics } from './telemetry/model.js';
import { VastClient } from './vast/client.js';
import { ROUTES } from './vast/wire/routes.js';

type Config = ServiceConfig<typeof vastServerlessConfig>;

const CALLS = { vast: Object.keys(ROUTES) };

const clients = new WeakMap<ServicePorts, VastClient>();

/** The one client of a service: whoever calls Vast here takes turns with the others. */
function clientOf({ ports, config, metrics }: ServiceParts<Config>): VastClient {
  const known = clients.get(ports);
  if (known) return known;
  const { http, clock, random } = ports;
  const onCall = providerMetrics(metrics, CALLS)('vast');
  const client = new VastClient({ http, clock, random, settings: vastSettingsOf(config), onCall });
  clients.set(ports, client);
  return client;
}

@Module({
  imports: [
    ServiceModule.register({
      name: 'vast-serverless',
      config: vastServerlessConfig,
      modelMetrics: rolloutModelMetrics,
      admit: async ({ ports: { model }, config }) => {
        const open = config.VAST_API_KEY === '' ? await openReplicasOf(model, 'vast-serverless') : undefined;
        if (open === undefined) return;
        throw new ConfigError([
          `VAST_API_KEY is not set, and there are endpoints that only it can end: ${open}. ` +
            'Set it, delete their deployments, and take it away once they are gone.',
        ]);
      },
      controllers: (parts) => {
        const { ports, config } = parts;
        const { random } = ports;
        const rollouts = rolloutPartsOf(parts, clientOf(parts));
        return vastServerlessControllers({
          backend: rollouts.backend,
          rollouts,
          inventory: { installation: config.DAVIT_INSTALLATION, random, rules: orphanRulesOf(config) },
          timings: timingsOf(config),
          concurrency: config.DAVIT_RESOURCE_CONCURRENCY,
        });
      },
    }),
  ],
  controllers: [DoctorRpc],
  providers: [
    {
      provide: DOCTOR_PARTS,
      inject: [tokens.SERVICE_PORTS, tokens.CONFIG, Metrics],
      useFactory: (ports: ServicePorts, config: Config, metrics: Metrics): DoctorParts => ({
        client: clientOf({ ports, config, metrics }),
        settings: vastSettingsOf(config),
        clock: ports.clock,
      }),
    },
  ],
})
export class AppModule {}
