import { beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PROGRAM_PATH, haveProgram } from '@davit/test-support';
import { prometheusFolder, readAlerts, readDashboards } from './observability-files.js';

describe('promtool of Prometheus', () => {
  let found = false;
  beforeAll(() => {
    found = haveProgram('promtool', 'prometheus', 'settings and alert rules are only read, not held against it');
  }, 60_000);

  test.each([
    ['takes the settings', ['check', 'config', 'prometheus.yaml']],
    ['takes the alert rules', ['check', 'rules', 'alerts.yaml']],
    ['sees each alert fire where it should, and not where it should not', ['test', 'rules', 'tests/alerts.test.yaml']],
  ])('%s', (_what, args) => {
    if (!found) {
      expect(readAlerts().length).toBeGreaterThan(25);
      return;
    }
    expect(promtool(args, prometheusFolder)).toEqual({ status: 0, said: '' });
  });

  test('parses every expression of the dashboards', () => {
    const expressions = [...readDashboards()].flatMap(([file, { panels }]) =>
      panels.flatMap(({ title, targets }) =>
        targets.map(({ expr }) => ({ of: `${file}, ${title}`, expr: asked(expr) })),
      ),
    );
    expect(expressions.length).toBeGreaterThan(40);
    if (!found) return;
    const rules = expressions.map(({ of, expr }, index) => ({ record: `panel:${index}`, expr, labels: { of } }));
    const folder = mkdtempSync(path.join(tmpdir(), 'davit-dashboards-'));
    try {
      writeFileSync(path.join(folder, 'panels.json'), JSON.stringify({ groups: [{ name: 'panels', rules }] }));
      expect(promtool(['check', 'rules', 'panels.json'], folder)).toEqual({ status: 0, said: '' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** An expression as Grafana sends it, with something chosen for each variable. */
const asked = (expression: string): string =>
  expression
    .replaceAll('$__rate_interval', '5m')
    .replaceAll('$__range', '1h')
    .replace(/\$\{?\w+\}?/g, '.*');

function promtool(args: readonly string[], cwd: string): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    cwd,
    env: { PATH: PROGRAM_PATH },
    encoding: 'utf8',
  });
  return { status, said: status === 0 ? '' : stdout + stderr };
}
