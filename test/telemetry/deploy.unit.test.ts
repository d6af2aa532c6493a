import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MetricDefinition } from '@davit/service-kit';
import { SERVICES } from '../../scripts/lib/run-plan.mjs';
import { readYaml } from '../docs/deployment-files.js';
import { type Definitions, loadDefinitions } from './definitions.js';
import { type Panel, prometheusFolder, readAlerts, readDashboards } from './observability-files.js';
import { type Selector, labelsIn, selectorsIn } from './promql.js';

/** What Prometheus adds, and what prom-client tells of the process. */
const NOT_OURS = new Set(['up', 'process_resident_memory_bytes']);
const ADDED_LABELS = ['job', 'instance', 'service', 'le'];

let definitions: Definitions;
beforeAll(async () => {
  definitions = await loadDefinitions();
});

/** The definition behind a name; a histogram is asked for by its parts. */
function definitionOf(metric: string): MetricDefinition | undefined {
  const whole = definitions.byName.get(metric);
  if (whole) return whole.type === 'histogram' ? undefined : whole;
  const part = definitions.byName.get(metric.replace(/_(bucket|sum|count)$/, ''));
  return part?.type === 'histogram' ? part : undefined;
}

/** What an expression asks for that no service shows. */
function mistakesIn(expression: string): readonly string[] {
  const selectors = selectorsIn(expression).filter(({ metric }) => !NOT_OURS.has(metric) && !metric.startsWith('$'));
  const known = new Set(selectors.flatMap(({ metric }) => Object.keys(definitionOf(metric)?.labels ?? {})));
  const groups = labelsIn(expression).filter((label) => !known.has(label) && !ADDED_LABELS.includes(label));
  return [...selectors.flatMap(mistakesOf), ...groups.map((label) => `no label ${label}`)];
}

function mistakesOf({ metric, matchers }: Selector): readonly string[] {
  const definition = definitionOf(metric);
  if (!definition) return [`no metric ${metric}`];
  return matchers.flatMap(({ label, value }) => {
    if (ADDED_LABELS.includes(label)) return [];
    const values = definition.labels[label];
    if (values === undefined) return [`${metric} has no label ${label}`];
    if (values === 'open') return [];
    return value.split('|').flatMap((one) => (values.includes(one) ? [] : [`${metric} has no ${label}="${one}"`]));
  });
}

describe('what is asked of the metrics', () => {
  test.each([
    ['sum by (outcome) (rate(davit_appends_total{outcome="fault"}[5m])) > 0', []],
    ['rate(davit_append_total[5m])', ['no metric davit_append_total']],
    ['davit_append_seconds', ['no metric davit_append_seconds']],
    ['max by (le) (davit_append_seconds_bucket)', []],
    ['davit_probes_total{outcome=~"hung|hang"}', ['davit_probes_total has no outcome="hang"']],
    ['davit_fleet_frozen{outcome="x"}', ['davit_fleet_frozen has no label outcome']],
    ['max by (adaptor) (davit_orphans_open)', ['no label adaptor']],
  ])('%s', (expression, mistakes) => expect(mistakesIn(expression)).toEqual(mistakes));
});

describe('the alert rules', () => {
  const alerts = readAlerts();

  test('ask only for metrics, labels and values that there are', () => {
    expect(alerts.length).toBeGreaterThan(25);
    expect(alerts.flatMap(({ alert, expr }) => mistakesIn(expr).map((mistake) => `${alert}: ${mistake}`))).toEqual([]);
  });

  test('have names of their own, a severity, and what to do', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { labels, annotations } of alerts) {
      expect(['warning', 'critical']).toContain(labels.severity);
      expect(annotations.description).toMatch(/[.?]$/);
    }
  });

  test('have each a test in which it fires', () => {
    const tests = readFileSync(path.join(prometheusFolder, 'tests', 'alerts.test.yaml'), 'utf8');
    expect(alerts.filter(({ alert }) => !tests.includes(`alertname="${alert}"`))).toEqual([]);
  });
});

describe('the dashboards', () => {
  const dashboards = readDashboards();

  test('ask only for metrics, labels and values that there are', () => {
    expect([...dashboards.keys()]).toEqual(['fleet.json', 'money.json', 'replicas.json', 'services.json']);
    const mistakes = [...dashboards].flatMap(([file, { panels, templating }]) => [
      ...panels.flatMap(({ title, targets }) =>
        targets.flatMap(({ expr }) => mistakesIn(expr).map((mistake) => `${file}, ${title}: ${mistake}`)),
      ),
      ...templating.list.flatMap(({ definition = '' }) => variableMistakes(definition)),
    ]);
    expect(mistakes).toEqual([]);
  });

  test('show every metric of the replicas', () => {
    const replicas = dashboards.get('replicas.json')?.panels ?? [];
    const shown = new Set(
      replicas.flatMap(({ targets }) => targets.flatMap(({ expr }) => selectorsIn(expr))).map(({ metric }) => metric),
    );
    expect(definitions.fleet.filter(({ name }) => !shown.has(name))).toEqual([]);
  });

  test('have ids of their own, panels that do not overlap, and the data source that is chosen', () => {
    expect(new Set([...dashboards.values()].map(({ uid }) => uid)).size).toBe(dashboards.size);
    for (const { panels } of dashboards.values()) {
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      expect(panels.filter((one) => panels.some((other) => other !== one && overlap(one, other)))).toEqual([]);
      const sources = panels.flatMap(({ targets }) => targets.map(({ datasource }) => datasource.uid));
      expect(new Set(sources)).toEqual(new Set(['${datasource}']));
    }
  });

  /** `label_values(metric, label)`. */
  function variableMistakes(definition: string): readonly string[] {
    const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(definition) ?? [];
    return definition === '' ? [] : mistakesIn(`max by (${label}) (${metric})`);
  }

  function overlap({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  }
});

test('prometheus.yaml scrapes every service at its port', () => {
  const [config] = readYaml('prometheus/prometheus.yaml') as {
    scrape_configs: { job_name: string; static_configs?: { targets: string[] }[] }[];
  }[];
  const targets = config?.scrape_configs.find(({ job_name }) => job_name === 'davit')?.static_configs?.[0]?.targets;
  expect(targets).toEqual(SERVICES.map(({ name, port }) => `${name}:${port}`));
});
