import { type Tracing, noTracing } from '@davit/ports';
import type { CommonConfig } from '../config/common.js';
import { otelTracing } from './otel-tracing.js';

/** Where spans go, and the end of it. */
export interface StartedTracing {
  readonly tracing: Tracing;
  /** Sends what is left, for at most a moment. */
  stop(): Promise<void>;
}

const STOP_MS = 2_000;

/**
 * Without an endpoint nothing is loaded and nothing told. OpenTelemetry's own variables, such as `OTEL_TRACES_SAMPLER` and
 * `OTEL_EXPORTER_OTLP_HEADERS`, are read by its packages.
 */
export async function startTracing(service: string, config: CommonConfig): Promise<StartedTracing> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return { tracing: noTracing, stop: () => Promise.resolve() };
  const [api, { BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const processor = new BatchSpanProcessor(exporter, { scheduledDelayMillis: config.DAVIT_TRACE_EVERY });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'davit',
      'service.name': service,
      'service.instance.id': config.DAVIT_INSTANCE,
    }),
    spanProcessors: [processor],
  });
  return {
    tracing: otelTracing(api, provider.getTracer('davit')),
    async stop() {
      let cut: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (cut = setTimeout(resolve, STOP_MS)));
      // A collector that is gone is no reason not to stop.
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(cut);
    },
  };
}
