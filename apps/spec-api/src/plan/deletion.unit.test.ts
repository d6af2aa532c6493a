import { beforeEach, describe, expect, test } from '@jest/globals';
import { deletionPlan, stream } from '@davit/contracts';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds } from '@davit/ports';
import { IntentHandler } from '../intents/intent-handler.js';
import { askedBy } from '../testing/asked-by.js';
import { foldedModel } from '../testing/folded-model.js';
import { manifest } from '../testing/manifest.js';
import { rented } from '../testing/rented.js';
import { DeletionController } from './deletion.controller.js';

const HTTP = { channel: 'http' } as const;
const controller = new DeletionController();
const clock = new VirtualClock(Date.UTC(2026, 0, 1));
let log: EventLog;
let handler: IntentHandler;
beforeEach(async () => {
  ({ log } = createMemoryLog({ clock, ids: sequentialIds(1) }));
  const model = foldedModel(log);
  handler = new IntentHandler({ log, model, clock, ids: sequentialIds(2), random: seededRandom(1) }, 'spec-api');
  await handler.apply(manifest({ rollout: { drainDeadline: '20s' } }, { name: 'small' }), HTTP);
});

const planOf = (name = 'small') => controller.plan(askedBy(log, { clock }), { name, tenant: 'default' });

/** It became ready and has a route. */
async function serving(id: string): Promise<void> {
  const url = 'http://h:8000';
  const evidence = { healthMs: 1, modelsMs: 1, inferenceMs: 1 };
  const write = (name: string, event: Parameters<EventLog['append']>[0][0]['events'][0]) =>
    log.append([{ stream: name, expectedVersion: 'any', events: [event] }], { tenant: 'default', service: 'x' });
  await write(stream.runtime(id), {
    type: 'davit.runtime.became-ready',
    data: { replicaId: id, url, servedModel: 'small', evidence },
  });
  await write(stream.replica(id), {
    type: 'davit.replica.ready',
    data: { replicaId: id, url, servedModel: 'small', placement: null },
  });
  const target = { replica: id, deployment: 'default/small', revision: 1, url, model: 'small' };
  await write(stream.route('default/small'), {
    type: 'davit.route.registered',
    data: { alias: 'default/small', snapshot: 1, target },
  });
  await write(stream.route('default/small'), {
    type: 'davit.route.snapshot-published',
    data: { alias: 'default/small', snapshot: 1, targets: [target], digest: 'a'.repeat(64) },
  });
}

describe('the plan of a deletion', () => {
  test('names what is withdrawn, drained until when, and what bills until it is proven gone; nothing is written', async () => {
    const id = await rented(log, { name: 'small', hourly: '1.50' });
    await serving(id);
    const before = await log.head();
    const plan = await planOf();
    expect(deletionPlan.parse(plan)).toEqual(plan);
    expect(plan).toMatchObject({
      deployment: 'default/small',
      routes: [{ alias: 'default/small', withdrawn: [id], left: 0 }],
      replicas: [{ id, step: 'drain', drainUntil: '2026-01-01T00:00:20.000Z', keepsRunning: false, billing: true }],
      billing: { hourly: [{ amount: '1.50', currency: 'USD' }], unpriced: 0 },
    });
    expect(await log.head()).toBe(before);
  });

  test('tells a price that nobody said as unknown, and deletes at once what serves nobody', async () => {
    const id = await rented(log, { name: 'small', hourly: null });
    expect(await planOf()).toMatchObject({
      routes: [],
      replicas: [{ id, step: 'delete', drainUntil: null }],
      billing: { hourly: [], unpriced: 1 },
    });
  });

  test('is the same for a paused one, says so, and of one that goes already what is still to go', async () => {
    await rented(log, { name: 'small', hourly: '1.00' });
    await handler.pause({ name: 'small', reason: 'x' }, HTTP);
    const paused = await planOf();
    expect(paused.replicas).toMatchObject([{ step: 'delete' }]);
    expect(paused.notes.join(' ')).toContain('is paused');
    await handler.delete({ name: 'small' }, HTTP);
    expect((await planOf()).notes.join(' ')).toContain('is being deleted already');
  });

  test('of what is not there is refused', async () => {
    await expect(planOf('nope')).rejects.toMatchObject({ status: 404 });
  });
});
