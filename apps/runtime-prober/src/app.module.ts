import { type ServiceConfig, ServiceModule, type ServicePorts, single, tokens } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { runtimeProberConfig, settingsOf } from './config.js';
import { runtimeProberControllers } from './index.js';
import { TrafficDesk } from './reports/desk.js';
import { ReportsController } from './reports/reports.http.js';
import { ReportsRpc } from './reports/reports.rpc.js';
import { TargetIndex } from './reports/target-index.js';
import { LEFT_OUT } from './telemetry/definitions.js';
import { FleetBook } from './telemetry/fleet-book.js';
import { FleetMetricsController } from './telemetry/fleet.http.js';
import { probeMeters } from './telemetry/meters.js';
import { observers } from './telemetry/observer.js';

type Config = ServiceConfig<typeof runtimeProberConfig>;

const indexes = new WeakMap<ServicePorts, TargetIndex>();

/** The one index of a service: its controller keeps it, and reports of gateways are looked up in it. */
function targetsOf(ports: ServicePorts): TargetIndex {
  const targets = indexes.get(ports) ?? new TargetIndex();
  indexes.set(ports, targets);
  return targets;
}

const books = new WeakMap<ServicePorts, FleetBook>();

/** The one book of a service: its controller writes it, and scrapes read it. */
function bookOf(ports: ServicePorts): FleetBook {
  const book = books.get(ports) ?? new FleetBook({ clock: ports.clock });
  books.set(ports, book);
  return book;
}

@Module({
  imports: [
    ServiceModule.register({
      name: 'runtime-prober',
      config: runtimeProberConfig,
      controllers: ({ ports, config, metrics }) => {
        const { http, clock, random } = ports;
        const settings = settingsOf(config);
        const meters = probeMeters(metrics);
        const book = bookOf(ports);
        metrics.gauge(LEFT_OUT, () => single(book.leftOut));
        return runtimeProberControllers({
          ...{ http, clock, random, settings, environment: process.env, targets: targetsOf(ports) },
          onProbe: (latenessMs) => meters.began(latenessMs),
          observer: observers(meters, book),
        });
      },
    }),
  ],
  controllers: [ReportsController, ReportsRpc, FleetMetricsController],
  providers: [
    { provide: FleetBook, inject: [tokens.SERVICE_PORTS], useFactory: bookOf },
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
