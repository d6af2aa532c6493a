import { beforeEach, describe, expect, test } from '@jest/globals';
import * as api from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { type CommandRunner, type HttpClient, type TraceUnit, type Tracing, noTracing } from '@davit/ports';
import { commonConfig } from '../config/common.js';
import { otelTracing, spanContextOf } from './otel-tracing.js';
import { startTracing } from './start-tracing.js';
import { tracedCommands, tracedHttp } from './traced.js';

const CAUSE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const OTHER = '00-11111111111111111111111111111111-2222222222222222-01';
const CANARY = 'canary-secret';

let spans: InMemorySpanExporter;
let tracing: Tracing;
beforeEach(() => {
  spans = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  tracing = otelTracing(api, provider.getTracer('test'));
});

const pass = (change: Partial<TraceUnit> = {}): TraceUnit => ({
  ...{ name: 'reconcile thing', kind: 'internal', causes: [CAUSE], always: false, attributes: {} },
  ...change,
});
const told = () => spans.getFinishedSpans();
const effect = (name: string): Promise<string> =>
  tracing.effect(
    name,
    {},
    () => Promise.resolve('done'),
    () => ({ attributes: {}, failed: false }),
  );

describe('a unit of work', () => {
  test('that wrote nothing is not told', async () => {
    const unit = tracing.open(pass());
    await unit.run(() => effect('GET'));
    unit.end({}, false);
    expect(told()).toEqual([]);
  });

  test('is told once it writes, with what it did before, as a child of its last cause and linked to the others', async () => {
    const unit = tracing.open(pass({ causes: [OTHER, CAUSE] }));
    const written = await unit.run(async () => {
      await effect('GET');
      return tracing.current();
    });
    unit.end({}, false);
    const [call, span] = told();
    expect(call).toMatchObject({ name: 'GET', parentSpanContext: { spanId: span?.spanContext().spanId } });
    expect(span?.parentSpanContext).toMatchObject({ traceId: CAUSE.slice(3, 35), spanId: CAUSE.slice(36, 52) });
    expect(span?.links.map(({ context }) => context.traceId)).toEqual([OTHER.slice(3, 35)]);
    expect(written).toBe(`00-${CAUSE.slice(3, 35)}-${span?.spanContext().spanId}-01`);
  });

  test('outside of any, nothing is told and nothing is written', async () => {
    expect(tracing.current()).toBeUndefined();
    expect(await effect('GET')).toBe('done');
    expect(told()).toEqual([]);
  });

  test.each(['', 'x', CAUSE.replace('00-', '01-'), `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`, `${CAUSE}-more`])(
    'takes no cause from %j',
    (traceparent) => expect(spanContextOf(traceparent)).toBeUndefined(),
  );
});

describe('law-13: a span holds no secret', () => {
  test('of a command: neither its environment nor what follows the words that say what is asked', async () => {
    const commands: CommandRunner = {
      run: () => Promise.resolve({ kind: 'exited', exitCode: 1, stdout: CANARY, stderr: CANARY }),
    };
    const unit = tracing.open(pass({ always: true }));
    const request = { file: '/usr/bin/sky', args: ['api', 'status', CANARY], env: { KEY: CANARY }, timeoutMs: 1 };
    await unit.run(() => tracedCommands(commands, tracing).run(request));
    unit.end({}, false);
    expect(told()[0]).toMatchObject({ name: 'exec sky', attributes: { 'davit.command': 'api status' } });
    expect(said()).not.toContain(CANARY);
  });

  test('of a request: neither user, query, headers nor bodies', async () => {
    const http: HttpClient = {
      request: () => Promise.resolve({ kind: 'response', status: 200, headers: { cookie: CANARY }, body: CANARY }),
    };
    const unit = tracing.open(pass({ always: true }));
    const url = `https://user:${CANARY}@example.com/v1/things?key=${CANARY}`;
    const request = { method: 'POST', url, headers: { authorization: CANARY }, body: CANARY, timeoutMs: 1 } as const;
    await unit.run(() => tracedHttp(http, tracing).request(request));
    unit.end({}, false);
    expect(told()[0]).toMatchObject({ attributes: { 'server.address': 'example.com', 'url.path': '/v1/things' } });
    expect(said()).not.toContain(CANARY);
  });

  const said = (): string =>
    JSON.stringify(told().map(({ name, attributes, status, events }) => ({ name, attributes, status, events })));
});

test('without an endpoint nothing is traced', async () => {
  const config = commonConfig.parse({ DATABASE_URL: 'postgres://h/d', NATS_URL: 'nats://h:4222' });
  expect((await startTracing('test', config)).tracing).toBe(noTracing);
});
