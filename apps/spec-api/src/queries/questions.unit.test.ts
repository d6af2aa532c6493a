import { beforeEach, describe, expect, test } from '@jest/globals';
import { type SentQuery, operations } from '@davit/contracts';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds } from '@davit/ports';
import { IntentHandler } from '../intents/intent-handler.js';
import type { Asking } from '../asking/asking.js';
import { queryOf } from '../operations/reading.js';
import { askedBy } from '../testing/asked-by.js';
import { foldedModel } from '../testing/folded-model.js';
import { manifest } from '../testing/manifest.js';
import { rented } from '../testing/rented.js';
import { QueriesController } from './queries.controller.js';

const of = (deployment: string) => queryOf(operations.listReplicas, { deployment });

let log: EventLog;
const controller = new QueriesController();
let asking: Asking;
let handler: IntentHandler;
beforeEach(() => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  ({ log } = createMemoryLog({ clock, ids: sequentialIds(1) }));
  const model = foldedModel(log);
  handler = new IntentHandler({ log, model, clock, ids: sequentialIds(2), random: seededRandom(1) }, 'spec-api');
  asking = askedBy(log, { model });
});

describe('replicas of one deployment', () => {
  test('are those it has, and none while it has none', async () => {
    await handler.apply(manifest({}, { name: 'small' }), { channel: 'http' });
    expect((await controller.replicas(asking, of('small'))).items).toEqual([]);
    await rented(log, { name: 'small', hourly: '1.00' });
    expect((await controller.replicas(asking, of('small'))).items).toHaveLength(1);
  });

  test('are asked in vain of one that never was: it is not found, and no empty list', async () => {
    await expect(controller.replicas(asking, of('nope'))).rejects.toMatchObject({
      ...{ status: 404, code: 'not-found' },
      errors: [{ path: '?deployment', message: 'there is no deployment "default/nope"' }],
    });
  });

  test('are found also where the projection does not know the deployment yet', async () => {
    await handler.apply(manifest({}, { name: 'small' }), { channel: 'http' });
    const empty = foldedModel(createMemoryLog({ clock: new VirtualClock(0), ids: sequentialIds(3) }).log);
    const behind = askedBy(log, { model: empty });
    expect((await controller.replicas(behind, of('small'))).items).toEqual([]);
  });
});

describe('how many', () => {
  test.each(['0', '-1', '1001', 'few', ''])('%j is told its bounds', (limit) => {
    expect(() => queryOf(operations.listEvents, { limit })).toThrow(/\?limit .* is not a whole number from 1 to 1000/);
  });

  test('is what was said, or what is usual', () => {
    const read = (query: SentQuery) => queryOf(operations.listEvents, query).limit;
    expect([read({ limit: '1' }), read({})]).toEqual([1, 100]);
  });
});
