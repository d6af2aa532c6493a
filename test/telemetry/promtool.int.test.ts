import { beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { PROGRAM_PATH, haveProgram } from '@davit/test-support';
import { prometheusFolder, readAlerts } from './observability-files.js';

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
    const options = { cwd: prometheusFolder, env: { PATH: PROGRAM_PATH }, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync('promtool', args, options);
    expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
  });
});
