import { expect, test } from '@jest/globals';
import { objection } from '../../probe/findings.js';
import { serverless } from './engine.js';

const outcome = { kind: 'response', status: 503, headers: {}, body: 'No workers available' } as const;
const asked = { engine: serverless, on: 'models', path: '/v1/models' } as const;

test('a 503 in front of an endpoint that has served says that a worker is woken; before that it is no good sign', () => {
  expect(objection(outcome, { ...asked, phase: 'steady' })?.reason).toBe('warming');
  expect(objection(outcome, { ...asked, phase: 'start' })?.reason).toBe('unhealthy');
  expect(objection({ ...outcome, status: 500 }, { ...asked, phase: 'steady' })?.reason).toBe('unhealthy');
});
