import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PASS_RESULTS } from '@davit/reconcile';
import type { LabelValues, MetricDefinition } from '@davit/service-kit';
import { eventually } from '@davit/test-support';
import { MODEL_SERVER_DEFAULTS, ModelServer, type RunningServer, realClock, seeded, serve } from '@davit/world';
import { type Collector, type ToldSpan, startCollector } from './collector.js';
import { type Definitions, loadDefinitions } from './definitions.js';
import { type Exposition, readExposition, seriesOf } from './exposition.js';
import { type System, startSystem } from './system.js';

/** The one who asks has begun the trace. */
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const ASKER = '00f067aa0ba902b7';

let definitions: Definitions;
let collector: Collector;
let model: RunningServer;
let system: System;

beforeAll(async () => {
  [definitions, collector, model] = await Promise.all([loadDefinitions(), startCollector(), modelServer()]);
  system = await startSystem({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    DAVIT_TRACE_EVERY: '100ms',
    DAVIT_PROBE_STEADY: '200ms',
  });
}, 120_000);
afterAll(async () => {
  await system.stop();
  await Promise.all([collector.stop(), model.close()]);
}, 60_000);

function modelServer(): Promise<RunningServer> {
  const config = { ...MODEL_SERVER_DEFAULTS, servedModelNames: ['m'], root: 'a/m', apiKey: null, loadMs: 0 };
  const server = new ModelServer(config, realClock, seeded(1), { exited: () => undefined, keyShown: () => undefined });
  return serve((request) => server.handle(request), 0);
}

const urlOf = (service: string): string => system.urls.get(service) ?? '';
const scrape = async (service: string, path = '/metrics'): Promise<Exposition> =>
  readExposition(await (await fetch(urlOf(service) + path)).text());

/** Types of what is ours, without the process itself. */
const own = ({ types }: Exposition): ReadonlyMap<string, string> =>
  new Map([...types].filter(([name]) => name.startsWith('davit_')));
const typesOf = (metrics: readonly MetricDefinition[]): ReadonlyMap<string, string> =>
  new Map(metrics.map(({ name, type }) => [name, type]));

describe('before anything was asked of the services', () => {
  test('each shows on /metrics what its definitions say, and nothing else', async () => {
    expect(system.urls.size).toBe(7);
    for (const [service, metrics] of definitions.services)
      expect({ service, shown: own(await scrape(service)) }).toEqual({ service, shown: typesOf(metrics) });
    expect((await scrape('runtime-prober', '/metrics/fleet')).types).toEqual(typesOf(definitions.fleet));
  });

  test('what is counted has a series, at zero or above, for every value that is known', async () => {
    for (const [service, metrics] of definitions.services) {
      const { series } = await scrape(service);
      const missing = metrics
        .filter(({ type }) => type !== 'gauge')
        .flatMap((definition) =>
          firstSeriesOf(definition).map((labels) => seriesOf(countOf(definition), { ...labels, service })),
        )
        .filter((name) => !series.has(name));
      expect({ service, missing }).toEqual({ service, missing: [] });
    }
  });

  test.each([
    ['orchestrator', 'davit_reconcile_passes_total', 'controller', 'result', PASS_RESULTS],
    ['skypilot-agent', 'davit_provider_calls_total', 'provider', 'outcome', ['answered', 'failed', 'lost']],
  ] as const)(
    '%s: %s has every %s from the start, each with every %s',
    async (service, metric, label, other, values) => {
      const { series } = await scrape(service);
      const names = [...series.keys()].filter((name) => name.startsWith(`${metric}{`));
      const things = new Set(names.map((name) => new RegExp(`${label}="([^"]+)"`).exec(name)?.[1]));
      expect(things.size).toBeGreaterThan(1);
      for (const thing of things)
        for (const value of values)
          expect(names).toContainEqual(expect.stringMatching(`(?=.*${label}="${thing}")(?=.*${other}="${value}")`));
    },
  );

  test('what is known of an empty fleet is shown: no replica in any status, no alarm, nothing frozen', async () => {
    const { series } = await eventually(async () => {
      const shown = await scrape('orchestrator');
      return [...shown.series.keys()].some((name) => name.startsWith('davit_replicas{')) ? shown : undefined;
    });
    const service = 'orchestrator';
    expect(series.get(seriesOf('davit_replicas', { status: 'ready', service }))).toBe(0);
    expect(series.get(seriesOf('davit_fleet_frozen', { service }))).toBe(0);
    expect(series.get(seriesOf('davit_orphans_open', { adapter: 'skypilot', service }))).toBe(0);
    expect(series.get(seriesOf('davit_alarms_active', { alarm: 'orphan', severity: 'warning', service }))).toBe(0);
  });

  test('what is not known is left out: no feed was heard of before the first one is', async () => {
    const { series } = await eventually(async () => {
      const shown = await scrape('spec-api');
      return shown.series.has(seriesOf('davit_feed_last_heard_age_seconds', { service: 'spec-api' }))
        ? shown
        : undefined;
    });
    expect(series.get(seriesOf('davit_bus_connected', { service: 'spec-api' }))).toBe(1);
    expect(series.get(seriesOf('davit_consumer_pending_messages', { service: 'spec-api' }))).toBe(0);
  });
});

/** A counter is one series, a histogram shows its count as one. */
const countOf = ({ name, type }: MetricDefinition): string => (type === 'histogram' ? `${name}_count` : name);

/** Every combination of known values; none where a label is open. */
function firstSeriesOf({ labels }: MetricDefinition): readonly Record<string, string>[] {
  return Object.entries<LabelValues>(labels).reduce<Record<string, string>[]>(
    (all, [label, values]) =>
      values === 'open' ? [] : all.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}

describe('after a deployment was asked for over HTTP, by somebody who traces', () => {
  beforeAll(async () => {
    const response = await fetch(`${urlOf('spec-api')}/v1/intents/deployment/apply`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: `00-${TRACE}-${ASKER}-01` },
      body: JSON.stringify({
        apiVersion: 'davit.dev/v1',
        kind: 'Deployment',
        metadata: { name: 'traced' },
        spec: {
          model: { id: 'a/m', servedName: 'm' },
          runtime: { engine: 'vllm' },
          compute: { mode: 'direct', endpoints: [model.url] },
        },
      }),
    });
    expect(response.status).toBe(202);
    await eventually(async () => (await fetch(`${urlOf('router-registry')}/v1/routes/default/m`)).status === 200, {
      timeoutMs: 60_000,
    });
  }, 90_000);

  test('one trace leads from the request over relay and bus through the decisions of the others to the route', async () => {
    const spans = await eventually(() => {
      const trace = collector.spans.filter(({ traceId }) => traceId === TRACE);
      return trace.some(({ service }) => service === 'router-registry') ? trace : undefined;
    });
    const request = spans.find(({ service }) => service === 'spec-api');
    expect(request).toMatchObject({ name: 'POST /v1/intents/deployment/apply', parentSpanId: ASKER });
    for (const service of ['orchestrator', 'skypilot-agent', 'runtime-prober', 'router-registry']) {
      const pass = spans.find((span) => span.service === service && span.name.startsWith('reconcile '));
      expect({ service, from: servicesUpFrom(pass, spans).at(-1) }).toEqual({ service, from: 'spec-api' });
    }
  });

  test('what the prober sees of the replica is shown on /metrics/fleet, under labels that stay', async () => {
    const labels = { tenant: 'default', deployment: 'default/traced', engine: 'vllm', model: 'm' };
    const { series } = await eventually(async () => {
      const shown = await scrape('runtime-prober', '/metrics/fleet');
      return [...shown.series.keys()].some((name) => name.startsWith('davit_replica_requests_running{'))
        ? shown
        : undefined;
    });
    const ready = [...series].filter(([name]) => name.startsWith('davit_replica_ready{'));
    expect(ready).toEqual([[expect.any(String), 1]]);
    for (const [label, value] of Object.entries(labels)) expect(ready[0]?.[0]).toContain(`${label}="${value}"`);
    expect(series.size).toBeLessThanOrEqual(definitions.fleet.length);
  });

  test('the time that it was in each status, and the outcomes of its probes, are counted', async () => {
    const { series } = await scrape('orchestrator');
    const stays = seriesOf('davit_replica_status_seconds_count', { status: 'requested', service: 'orchestrator' });
    expect(series.get(stays)).toBe(1);
    const prober = await scrape('runtime-prober');
    expect(
      prober.series.get(seriesOf('davit_probes_total', { outcome: 'ready', service: 'runtime-prober' })),
    ).toBeGreaterThan(0);
  });
});

/** The services that a span was caused by, itself first, by way of its parents. */
function servicesUpFrom(span: ToldSpan | undefined, spans: readonly ToldSpan[]): readonly string[] {
  if (!span) return [];
  return [
    span.service,
    ...servicesUpFrom(
      spans.find(({ spanId }) => spanId === span.parentSpanId),
      spans,
    ),
  ];
}
