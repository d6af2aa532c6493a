import type { Controller } from '@davit/reconcile';
import type { z } from 'zod';
import type { CommonConfig } from './config/common.js';
import type { ModelMetrics } from './metrics/model-metrics.js';
import type { HealthCheck } from './health/readiness.js';
import type { ServiceParts } from './service-ports.js';

export type ServiceConfig<Schema extends z.ZodObject> = CommonConfig & z.output<Schema>;

/** What makes one service different from the others. */
export interface ServiceDefinition<Schema extends z.ZodObject = z.ZodObject> {
  /** `spec-api`, `orchestrator`, …: source of its events, name of its tables, consumers and metrics. */
  readonly name: string;
  /** Variables of its own, beside the common ones. */
  readonly config: Schema;
  /** Its control loops; none for a service that only answers. */
  readonly controllers?: (parts: ServiceParts<ServiceConfig<Schema>>) => readonly Controller[];
  /** Gauges that are read from its read model. */
  readonly modelMetrics?: ModelMetrics;
  /** Asked once the read model holds the whole log, before any controller acts; throws {@link ConfigError} when this is no environment to go on in. */
  readonly admit?: (parts: ServiceParts<ServiceConfig<Schema>>) => Promise<void>;
  /** What it depends on beside what every service does; told with each report of its health. None of them rejects. */
  readonly checks?: (parts: ServiceParts<ServiceConfig<Schema>>) => readonly (() => Promise<HealthCheck>)[];
  /** Set by the service that handles stored intents or other stored messages; see `JetStreamStrategyOptions.events`. */
  readonly storedMessages?: {
    readonly stream: string;
    readonly durable: string;
    readonly filterSubject?: string;
    /** Answer requesters with what the handlers return. */
    readonly answerIntents?: boolean;
  };
}
