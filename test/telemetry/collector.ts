import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';

/** A span as OTLP's JSON has it, with the service that told it. */
export interface ToldSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

/** Receives traces over HTTP as an OpenTelemetry collector does. */
export interface Collector {
  readonly url: string;
  readonly spans: readonly ToldSpan[];
  stop(): Promise<void>;
}

/** The part of `ExportTraceServiceRequest` that is read here (opentelemetry-proto, trace_service.proto). */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ToldSpan, 'service'>[] }[];
  }[];
}

export async function startCollector(): Promise<Collector> {
  const spans: ToldSpan[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const accepted = request.method === 'POST' && request.url === '/v1/traces';
      if (accepted) spans.push(...spansIn(JSON.parse(body) as Export));
      response.writeHead(accepted ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the collector has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    async stop() {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // a stream without an encoding gives buffers
  return Buffer.concat(chunks).toString();
}

const spansIn = ({ resourceSpans }: Export): ToldSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
  });
