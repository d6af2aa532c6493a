import { describe, expect, test } from '@jest/globals';
import { healthReport } from './readiness.js';

const check = (required: boolean, ok: boolean) => ({ name: 'x', required, ok, detail: {} });

describe('readiness', () => {
  test('all well is ready', () => {
    expect(healthReport([check(true, true), check(false, true)]).status).toBe('ready');
  });
  test('something missing that the service can do without makes it degraded', () => {
    expect(healthReport([check(true, true), check(false, false)]).status).toBe('degraded');
  });
  test('something missing that it needs makes it not ready, whatever else holds', () => {
    expect(healthReport([check(true, false), check(false, false)]).status).toBe('not-ready');
  });
});
