import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { address, durationVariable, traceEndpoint, wholeNumber } from './fields.js';

/** What every service reads from its environment. */
export const commonConfig = z.object({
  DATABASE_URL: address(['postgres:', 'postgresql:'], 'postgres://davit:…@127.0.0.1:5432/davit'),
  NATS_URL: address(['nats:', 'tls:', 'ws:', 'wss:'], 'nats://127.0.0.1:4222'),
  /** 0 takes any free port; the one taken is in the first log lines. */
  PORT: wholeNumber(0, 65_535).default(0),
  HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Keeps apart two systems that rent on one provider account; part of every external key. */
  DAVIT_INSTALLATION: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,30}$/, {
      error: 'is not usable. Set lower-case letters, digits and hyphens, at most 31.',
    })
    .default('davit'),
  /** Names this process among those of its service: holder of leases. */
  DAVIT_INSTANCE: z
    .string()
    .max(60, { error: 'is too long. Set at most 60 characters.' })
    .default(() => randomBytes(5).toString('hex')),
  /** A service that dies loses its keys to its fellows after this long. */
  DAVIT_LEASE_TTL: durationVariable(500, 600_000).default(4_000),
  DAVIT_DATABASE_POOL: wholeNumber(1, 100).default(4),
  /** Events that the projection may be behind before the service says that it is not ready. */
  DAVIT_READY_MAX_LAG: wholeNumber(0, 1_000_000_000).default(5_000),
  /** Age of the oldest key that waits for a pass before the service says that it is not ready. */
  DAVIT_READY_MAX_PENDING: durationVariable(1_000, 86_400_000).default(60_000),
  /** Where traces go, by OTLP over HTTP; without it none are made. Its other variables are OpenTelemetry's own. */
  OTEL_EXPORTER_OTLP_ENDPOINT: traceEndpoint().optional(),
  /** Between two sendings of traces. */
  DAVIT_TRACE_EVERY: durationVariable(50, 60_000).default(5_000),
  /** How long a stop may take before the process ends regardless. */
  DAVIT_STOP_TIMEOUT: durationVariable(100, 600_000).default(10_000),
});
export type CommonConfig = z.output<typeof commonConfig>;
