import { beforeEach, describe, expect, test } from '@jest/globals';
import { stream } from '@davit/contracts';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { seededRandom, sequentialIds, systemClock } from '@davit/ports';
import { foldedModel } from '../testing/folded-model.js';
import { manifest } from '../testing/manifest.js';
import { IntentHandler } from './intent-handler.js';

const HTTP = { channel: 'http' } as const;
const NAMED = { name: 'qwen3-8b' };

let log: EventLog;
let handler: IntentHandler;
beforeEach(async () => {
  ({ log } = createMemoryLog({ clock: systemClock, ids: sequentialIds(1) }));
  const ports = { log, model: foldedModel(log), clock: systemClock, ids: sequentialIds(2), random: seededRandom(1) };
  handler = new IntentHandler(ports, 'spec-api');
  await handler.apply(manifest(), HTTP);
});

const own = async () =>
  (await log.readStream(stream.deployment('default/qwen3-8b'))).map(({ type, data }) => [type, data]);
const read = async () => (await log.readStream(stream.deployment('default/qwen3-8b'))).at(-1)?.position ?? 0;

describe('scaling', () => {
  test('is written as a declaration with the number that was asked for, and answered with its generation', async () => {
    const answer = await handler.scale({ ...NAMED, replicas: 5 }, HTTP);
    expect(answer).toMatchObject({ outcome: 'accepted', changed: true, revision: 1, generation: 2 });
    const [type, data] = (await own()).at(-1) ?? [];
    expect(type).toBe('davit.deployment.declared');
    expect(data).toMatchObject({ revision: 1, spec: { spec: { scaling: { replicas: 5 } } } });
  });

  test('with the same key gives the same answer, and with another number is a conflict', async () => {
    const keyed = { ...HTTP, idempotencyKey: 'k' };
    const first = await handler.scale({ ...NAMED, replicas: 5 }, keyed);
    expect(await handler.scale({ ...NAMED, replicas: 5 }, keyed)).toEqual(first);
    expect(await handler.scale({ ...NAMED, replicas: 6 }, keyed)).toMatchObject({ code: 'idempotency-conflict' });
    expect(await own()).toHaveLength(2);
  });

  test.each([
    [{ ...NAMED }, 'replicas', 'is missing'],
    [{ ...NAMED, replicas: -1 }, 'replicas', '-1'],
    [{ ...NAMED, replicas: 1.5 }, 'replicas', '1.5'],
    [{ ...NAMED, replicas: 1_001 }, 'replicas', '1001'],
    [{ ...NAMED, replicas: 1, tenant: 'A B' }, 'tenant', '"A B"'],
  ])('that is wrong names the field and the value: %j', async (body, path, message) => {
    const answer = await handler.scale(body, HTTP);
    expect(answer).toMatchObject({ outcome: 'rejected', code: 'invalid-intent' });
    const problems = answer.outcome === 'rejected' ? answer.problems : [];
    expect(problems.find((problem) => problem.path === path)?.message).toContain(message);
  });
});

describe('pausing and resuming', () => {
  test('are events with the reason, who says so, and the intent that they come from', async () => {
    const paused = await handler.pause({ ...NAMED, reason: 'a look', actor: 'ci@search' }, HTTP);
    const [event] = (await log.readStream(stream.deployment('default/qwen3-8b'))).slice(-1);
    expect(event).toMatchObject({
      type: 'davit.deployment.paused',
      actor: 'ci@search',
      correlationid: paused.intentId,
      data: { reason: 'a look' },
    });
    expect(await handler.pause({ ...NAMED, reason: 'another' }, HTTP)).toMatchObject({ changed: false });
    expect(await handler.resume(NAMED, HTTP)).toMatchObject({ outcome: 'accepted', changed: true });
    expect(await handler.resume(NAMED, HTTP)).toMatchObject({ outcome: 'accepted', changed: false });
  });

  test('need a reason, and a deployment that is there', async () => {
    expect(await handler.pause(NAMED, HTTP)).toMatchObject({ code: 'invalid-intent', problems: [{ path: 'reason' }] });
    expect(await handler.pause({ name: 'nope', reason: 'x' }, HTTP)).toMatchObject({ code: 'not-found' });
    expect(await handler.resume({ name: 'nope' }, HTTP)).toMatchObject({ code: 'not-found' });
  });
});

describe('an intent that names what was read', () => {
  test('is carried out while nobody ordered anything since, and refused with the present state afterwards', async () => {
    const seen = await read();
    expect(await handler.scale({ ...NAMED, replicas: 3, ifMatch: seen }, HTTP)).toMatchObject({ outcome: 'accepted' });
    const late = await handler.scale({ ...NAMED, replicas: 9, ifMatch: seen }, HTTP);
    expect(late).toMatchObject({ outcome: 'rejected', code: 'precondition-failed' });
    expect(late.outcome === 'rejected' && late.detail).toMatch(
      new RegExp(`after position ${seen}.*active, generation 2, revision 1, 3 replicas, as ordered at position`),
    );
    for (const order of [handler.delete.bind(handler), handler.resume.bind(handler), handler.retry.bind(handler)])
      expect(await order({ ...NAMED, ifMatch: seen }, HTTP)).toMatchObject({ code: 'precondition-failed' });
    expect(await handler.apply({ deployment: manifest(), ifMatch: seen }, HTTP)).toMatchObject({
      code: 'precondition-failed',
    });
    expect(await handler.delete({ ...NAMED, ifMatch: await read() }, HTTP)).toMatchObject({ outcome: 'accepted' });
  });

  test('is not refused for what orchestrator decides of it meanwhile', async () => {
    const seen = await read();
    const data = { revision: 1, previous: null };
    await log.append(
      [
        {
          stream: stream.deployment('default/qwen3-8b'),
          expectedVersion: 'any',
          events: [{ type: 'davit.deployment.revision-activated', data }],
        },
      ],
      { tenant: 'default', service: 'orchestrator' },
    );
    expect(await handler.delete({ ...NAMED, ifMatch: seen }, HTTP)).toMatchObject({ outcome: 'accepted' });
  });

  test('may ask that it is not there yet, or that it is', async () => {
    expect(await handler.apply({ deployment: manifest(), ifMatch: 0 }, HTTP)).toMatchObject({
      code: 'precondition-failed',
    });
    const fresh = manifest({}, { name: 'fresh' });
    const exists = { ...HTTP, preconditions: ['exists'] } as const;
    const absent = { ...HTTP, preconditions: ['absent'] } as const;
    expect(await handler.apply(fresh, exists)).toMatchObject({ code: 'precondition-failed' });
    expect(await handler.apply(fresh, absent)).toMatchObject({ outcome: 'accepted' });
    expect(await handler.apply(fresh, absent)).toMatchObject({ code: 'precondition-failed' });
    expect(await handler.apply(fresh, exists)).toMatchObject({ outcome: 'accepted', changed: false });
  });

  test('and a key gives the first answer again, although what was read has changed by it', async () => {
    const order = { ...NAMED, replicas: 4, ifMatch: await read() };
    const keyed = { ...HTTP, idempotencyKey: 'k' };
    const first = await handler.scale(order, keyed);
    expect(first).toMatchObject({ outcome: 'accepted' });
    expect(await handler.scale(order, keyed)).toEqual(first);
  });
});
