import { type Bus, type JetStreamLogFeed, connectBus, jetStreamLogFeed } from '@davit/bus';
import { lifecycleProjection } from '@davit/domain';
import {
  type EventLog,
  type EvidenceStore,
  type Leases,
  LogRelay,
  PostgresEventLog,
  PostgresEvidence,
  PostgresLeases,
  natsPoke,
  preparedStatements,
} from '@davit/event-log';
import {
  type HttpClient,
  type Logger,
  type Tracing,
  execaCommandRunner,
  systemClock,
  systemIds,
  systemRandom,
  undiciHttpClient,
} from '@davit/ports';
import {
  type ProjectionRunner,
  type ProjectionStores,
  type ReadModel,
  createVersionedProjection,
  postgresProjectionStores,
} from '@davit/projection';
import type { Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type CommonConfig, commonConfig } from '../config/common.js';
import { type Environment, loadConfig } from '../config/load.js';
import { Metrics } from '../metrics/metrics.js';
import { observedCommands, observedHttp } from '../observed/observed-effects.js';
import { observedLog } from '../observed/observed-log.js';
import type { ServiceDefinition } from '../service-definition.js';
import type { ServicePorts } from '../service-ports.js';
import { AppendWatch } from '../health/append-watch.js';
import { ServiceState } from '../service-state.js';
import { tracedCommands, tracedHttp, tracedLog } from '../tracing/traced.js';
import * as token from '../tokens.js';

/** The client behind the port; the lifecycle closes it. */
export type ClosableHttpClient = HttpClient & { close(): Promise<void> };

const nowMs = (): number => systemClock.nowMs();

/** What every service has, whatever it does. */
export function commonProviders({ name, config }: ServiceDefinition): Provider[] {
  return [
    { provide: token.SERVICE_NAME, useValue: name },
    {
      provide: token.CONFIG,
      inject: [token.ENVIRONMENT],
      useFactory: (environment: Environment) => loadConfig(commonConfig.extend(config.shape), environment),
    },
    {
      provide: token.BUS,
      inject: [token.CONFIG, token.LOGGER, ServiceState],
      useFactory: (settings: CommonConfig, logger: Logger, state: ServiceState) =>
        connectBus({
          url: settings.NATS_URL,
          name: `${name} ${settings.DAVIT_INSTANCE}`,
          logger,
          signal: state.stopping,
        }),
    },
    ...logProviders,
    ...projectionProviders(name),
    { provide: token.HTTP_CLIENT, useFactory: () => undiciHttpClient() },
    portsProvider,
  ];
}

const logProviders: Provider[] = [
  { provide: token.DATABASE, useExisting: DataSource },
  AppendWatch,
  {
    provide: token.RAW_LOG,
    inject: [DataSource, token.BUS],
    useFactory: (database: DataSource, bus: Bus) =>
      new PostgresEventLog(preparedStatements(database), { poke: natsPoke(bus.connection) }),
  },
  {
    provide: token.EVENT_LOG,
    inject: [token.RAW_LOG, token.LOGGER, Metrics, AppendWatch, token.TRACING],
    useFactory: (log: PostgresEventLog, logger: Logger, metrics: Metrics, watch: AppendWatch, tracing: Tracing) =>
      observedLog(tracedLog(log, tracing), logger, nowMs, (outcome, seconds, fault) => {
        watch.note(nowMs(), fault);
        metrics.appends.inc({ outcome });
        metrics.appendSeconds.observe(seconds);
      }),
  },
  {
    provide: token.LEASES,
    inject: [DataSource],
    useFactory: (database: DataSource) => new PostgresLeases(preparedStatements(database)),
  },
  {
    provide: token.EVIDENCE,
    inject: [DataSource],
    useFactory: (database: DataSource) => new PostgresEvidence(preparedStatements(database)),
  },
  {
    provide: token.LOG_FEED,
    inject: [token.BUS],
    useFactory: (bus: Bus) => jetStreamLogFeed(bus),
  },
  {
    provide: token.RELAY,
    inject: [token.RAW_LOG, token.BUS, token.LEASES, token.LOGGER],
    useFactory: (source: PostgresEventLog, bus: Bus, leases: Leases, logger: Logger) =>
      new LogRelay({ source, connection: bus.connection, leases, logger }),
  },
];

const projectionProviders = (service: string): Provider[] => [
  {
    provide: token.PROJECTION_STORES,
    inject: [DataSource],
    useFactory: (database: DataSource) => postgresProjectionStores({ database, service }),
  },
  {
    provide: token.PROJECTION,
    inject: [token.PROJECTION_STORES, token.RAW_LOG, token.LOG_FEED, token.LOGGER],
    useFactory: (stores: ProjectionStores, log: EventLog, feed: JetStreamLogFeed, logger: Logger) =>
      createVersionedProjection({
        definition: lifecycleProjection,
        stores,
        log,
        feed,
        clock: systemClock,
        logger,
      }),
  },
  {
    provide: token.READ_MODEL,
    inject: [token.PROJECTION],
    useFactory: (runner: ProjectionRunner) => runner.model,
  },
];

const portsProvider: Provider = {
  provide: token.SERVICE_PORTS,
  inject: [
    ...[token.EVENT_LOG, token.LEASES, token.LOG_FEED, token.EVIDENCE, token.READ_MODEL, token.BUS],
    ...[token.LOGGER, token.HTTP_CLIENT, token.TRACING],
  ],
  useFactory: (
    log: EventLog,
    leases: Leases,
    feed: JetStreamLogFeed,
    evidence: EvidenceStore,
    model: ReadModel,
    bus: Bus,
    logger: Logger,
    http: ClosableHttpClient,
    tracing: Tracing,
  ): ServicePorts => ({
    log,
    leases,
    feed,
    evidence,
    model,
    bus,
    logger,
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    http: observedHttp(tracedHttp(http, tracing), logger, nowMs),
    commands: observedCommands(tracedCommands(execaCommandRunner, tracing), logger, nowMs),
  }),
};
