import { describe, expect, test } from '@jest/globals';
import { healthReport, queueCheck } from './readiness.js';

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
  test('a key that has waited too long makes a service not ready that answers well otherwise, and its age is told', () => {
    const queues = queueCheck(30_001, 30_000);
    expect(healthReport([check(true, true), queues]).status).toBe('not-ready');
    expect(queues.detail).toEqual({ oldestPendingMs: 30_001 });
    expect(healthReport([check(true, true), queueCheck(30_000, 30_000)]).status).toBe('ready');
  });
});
