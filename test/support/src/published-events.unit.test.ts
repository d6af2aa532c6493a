import { expect, test } from '@jest/globals';
import { unpublishedEvents } from './published-events.js';

const ready = {
  specversion: '1.0',
  id: '0190f3c2-0000-7000-8000-000000000001',
  source: '/davit/orchestrator',
  type: 'davit.replica.drained',
  subject: 'default/a-1-0-1',
  time: '2026-09-01T16:00:00.000Z',
  dataschema: 'davit:replica.drained:v1',
  tenant: 'default',
  stream: 'replica/default/a-1-0-1',
  version: 3,
  position: 17,
  data: { replicaId: 'default/a-1-0-1', outcome: 'idle', cutRequests: 0 },
};

test('an event as published is passed over in silence', () => {
  expect(unpublishedEvents([ready])).toEqual([]);
});

test.each([
  [
    'a field that the schema does not have',
    { data: { ...ready.data, more: 1 } },
    /must NOT have additional properties/,
  ],
  ['a value of another type', { data: { ...ready.data, replicaId: 7 } }, /replicaId/],
  ['an attribute that is missing', { tenant: undefined }, /tenant/],
  ['a time that is none', { time: 'yesterday' }, /time/],
  ['a version that was never published', { dataschema: 'davit:replica.drained:v99' }, /v99 is not published/],
  ['a type that was never published', { type: 'davit.replica.danced' }, /danced/],
])('%s is told, with the place in the log', (_what, change, line) => {
  const [told = ''] = unpublishedEvents([JSON.parse(JSON.stringify({ ...ready, ...change })) as unknown]);
  expect(told).toMatch(line);
  expect(told).toContain('at position 17');
});
