import { type ServiceConfig, ServiceModule, type ServicePorts, tokens } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { runtimeProberConfig, settingsOf } from './config.js';
import { runtimeProberControllers } from './index.js';
import { TrafficDesk } from './reports/desk.js';
import { ReportsController } from './reports/reports.http.js';
import { ReportsRpc } from './reports/reports.rpc.js';
import { TargetIndex } from './reports/target-index.js';

type Config = ServiceConfig<typeof runtimeProberConfig>;

const indexes = new WeakMap<ServicePorts, TargetIndex>();

/** The one index of a service: its controller keeps it, and reports of gateways are looked up in it. */
function targetsOf(ports: ServicePorts): TargetIndex {
  const targets = indexes.get(ports) ?? new TargetIndex();
  indexes.set(ports, targets);
  return targets;
}

@Module({
  imports: [
    ServiceModule.register({
      name: 'runtime-prober',
      config: runtimeProberConfig,
      controllers: ({ ports, config }) => {
        const { http, clock, random } = ports;
        const settings = settingsOf(config);
        return runtimeProberControllers({
          ...{ http, clock, random, settings, environment: process.env, targets: targetsOf(ports) },
        });
      },
    }),
  ],
  controllers: [ReportsController, ReportsRpc],
  providers: [
    {
      provide: TrafficDesk,
      inject: [tokens.SERVICE_PORTS, tokens.CONFIG],
      useFactory: (ports: ServicePorts, config: Config) => {
        const { log, model, clock, logger } = ports;
        const everyMs = settingsOf(config).trafficReportMs;
        return new TrafficDesk({ log, model, clock, logger, everyMs, targets: targetsOf(ports) });
      },
    },
  ],
})
export class AppModule {}
