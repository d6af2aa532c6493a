import 'reflect-metadata';
import type { RequestListener } from 'node:http';
import type { Bus } from '@davit/bus';
import { type Logger, type Tracing, noTracing, systemClock } from '@davit/ports';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type CommonConfig, commonConfig } from './config/common.js';
import { ConfigError, type Environment, loadConfig } from './config/load.js';
import { FrontServer } from './http/front-server.js';
import { prepareHttp } from './http/prepare-http.js';
import { RouteTable } from './http/route-table.js';
import { createLogger } from './logging/logger.js';
import { NestLogger } from './logging/nest-logger.js';
import { messageMetrics } from './metrics/message-metrics.js';
import { Metrics } from './metrics/metrics.js';
import { ProblemFilter, type Reply } from './problems/problem.filter.js';
import type { ServiceDefinition } from './service-definition.js';
import { ServiceLifecycle } from './service-lifecycle.js';
import { ServiceState } from './service-state.js';
import { type ServiceStrategy, createStrategy } from './strategy.js';
import * as token from './tokens.js';
import { type StartedTracing, startTracing } from './tracing/start-tracing.js';
import { traceRequests } from './tracing/traced-requests.js';

const HTTP_GRACE_MS = 500;
export const BODY_LIMIT_BYTES = 1_048_576;
/** The longest names, those of models, have 100 characters; percent-encoded, each may take three. */
export const LONGEST_PATH_PART = 300;

/** A service in this process. */
export interface RunningService {
  readonly app: NestFastifyApplication;
  /** Where it answers, for example `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly logger: Logger;
  /** Resolves when the service is ready; rejects on a fault that waiting does not mend. */
  readonly ready: Promise<void>;
  /** Takes nothing new, finishes what is under way, gives leases back, closes. Calling it again waits for the same end. */
  stop(): Promise<void>;
}

export interface CreateServiceOptions {
  readonly environment: Environment;
  /** Default: JSON lines on standard output. */
  readonly logger?: Logger;
}

/**
 * Builds and starts a service. The port is open at once; `ready` tells when it works.
 * @throws ConfigError when the environment does not describe a service that can run
 */
export async function createService(
  appModule: Type,
  name: string,
  options: CreateServiceOptions,
): Promise<RunningService> {
  const config = loadConfig(commonConfig, options.environment);
  const logger =
    options.logger ?? createLogger({ service: name, instance: config.DAVIT_INSTANCE, level: config.LOG_LEVEL });
  const environment = { ...options.environment, DAVIT_INSTANCE: config.DAVIT_INSTANCE };
  const front = new FrontServer();
  const state = new ServiceState();
  const port = await openPort(front, config);
  const url = `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`;
  logger.info({ url, pid: process.pid }, 'port open; starting');
  const traces = await startTracing(name, config);
  const parts = { front, state, logger, metrics: new Metrics(name), traces };
  try {
    const app = await createApplication(hostModule(appModule, environment, parts), parts);
    return run(app, url, parts);
  } catch (error) {
    await front.close(0);
    throw error;
  }
}

async function openPort(front: FrontServer, { PORT, HOST }: CommonConfig): Promise<number> {
  try {
    return await front.listen(PORT, HOST);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`PORT: ${PORT} on ${HOST} cannot be opened (${reason}). Set a free one, or 0 for any.`]);
  }
}

interface Parts {
  readonly front: FrontServer;
  readonly state: ServiceState;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly traces: StartedTracing;
}

/** What exists before the application does. */
function hostModule(appModule: Type, environment: Environment, parts: Parts): DynamicModule {
  const { state, logger, metrics, traces } = parts;
  const providers = [
    { provide: token.ENVIRONMENT, useValue: environment },
    { provide: token.LOGGER, useValue: logger },
    { provide: ServiceState, useValue: state },
    { provide: Metrics, useValue: metrics },
    { provide: token.TRACING, useValue: traces.tracing },
  ];
  return { module: HostModule, global: true, imports: [appModule], providers, exports: providers };
}

@Module({})
class HostModule {}

async function createApplication(
  module: DynamicModule,
  { front, logger, metrics, traces }: Parts,
): Promise<NestFastifyApplication> {
  const routes = new RouteTable();
  const filter = new ProblemFilter(logger, routes);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: LONGEST_PATH_PART },
    // The filter uses less of a reply than Fastify's generic type can say.
    frameworkErrors: (error: unknown, _request: unknown, reply: unknown) => filter.answer(error, reply as Reply),
    // The front server answers these, from the moment the port is open.
    clientErrorHandler: () => undefined,
    serverFactory: (handler: RequestListener) => {
      front.prepare(handler);
      return front.server;
    },
  });
  prepareHttp(adapter.getInstance(), metrics, routes);
  if (traces.tracing !== noTracing) traceRequests(adapter.getInstance(), traces.tracing);
  // Nest declares its options as a class, and documents literals of them.
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  app.useGlobalFilters(filter);
  return app;
}

function run(app: NestFastifyApplication, url: string, { front, state, logger, traces }: Parts): RunningService {
  const lifecycle = app.get(ServiceLifecycle);
  const strategy = connectStrategy(app);
  const start = async (): Promise<void> => {
    const startMs = systemClock.nowMs();
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    front.openHealth();
    await lifecycle.restore();
    await lifecycle.work();
    if (state.stopping.aborted) return;
    front.open();
    await app.startAllMicroservices();
    lifecycle.open();
    logger.info({ url, ms: systemClock.nowMs() - startMs }, 'ready');
  };
  const ready = start().catch((error: unknown) => {
    // Whoever stops a service that still waits for its log has no use for why it waited.
    if (!state.stopping.aborted) throw error;
  });
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    state.stop();
    // A start under way sees the signal and ends.
    await ready.catch(() => undefined);
    await strategy.close();
    await lifecycle.stopWork();
    await front.close(HTTP_GRACE_MS);
    await lifecycle.close();
    await app.close();
    await traces.stop();
    logger.info({}, 'stopped');
  };
  return { app, url, logger, ready, stop: () => (stopped ??= stop()) };
}

/** Handlers of the bus are bound now and begin to hear only when everything else works. */
function connectStrategy(app: NestFastifyApplication): ServiceStrategy {
  const bus = app.get<Bus>(token.BUS);
  const definition = app.get<ServiceDefinition>(token.DEFINITION);
  const strategy = createStrategy(bus, definition, app.get<Tracing>(token.TRACING));
  const { storedMessages } = definition;
  if (storedMessages) messageMetrics(app.get(Metrics), bus, storedMessages, () => strategy.stats());
  app.connectMicroservice({ strategy }, { inheritAppConfig: true });
  return strategy;
}
