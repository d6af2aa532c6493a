import { beforeEach, describe, expect, test } from '@jest/globals';
import { type RecordedEvent } from '@davit/contracts';
import { type EventLog, type StreamWrite, createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds, systemClock } from '@davit/ports';
import fc from 'fast-check';
import { foldedModel } from '../testing/folded-model.js';
import { manifest } from '../testing/manifest.js';
import { IntentContentionError, IntentHandler } from './intent-handler.js';

const HTTP = { channel: 'http' } as const;
const keyed = (idempotencyKey: string) => ({ ...HTTP, idempotencyKey });

let log: EventLog;
let handler: IntentHandler;

beforeEach(() => {
  const ids = sequentialIds(1);
  ({ log } = createMemoryLog({ clock: systemClock, ids }));
  handler = handlerOver(log);
});

const handlerOver = (over: EventLog, namespace = 2): IntentHandler =>
  new IntentHandler(
    { log: over, model: foldedModel(log), clock: systemClock, ids: sequentialIds(namespace), random: seededRandom(1) },
    'spec-api',
  );
const all = (): Promise<readonly RecordedEvent[]> => log.read(0, 1_000);
const types = async (): Promise<string[]> => (await all()).map(({ type }) => type);

describe('an intent that is accepted', () => {
  test('is one append: received, accepted, declared, joined by the intent as correlation', async () => {
    const answer = await handler.apply(manifest(), HTTP);
    expect(answer).toMatchObject({
      outcome: 'accepted',
      deployment: 'default/qwen3-8b',
      revision: 1,
      generation: 1,
      changed: true,
      position: 2,
    });
    const events = await all();
    expect(events.map(({ type }) => type)).toEqual([
      'davit.intent.received',
      'davit.intent.accepted',
      'davit.deployment.declared',
    ]);
    expect(new Set(events.map(({ correlationid }) => correlationid))).toEqual(new Set([answer.intentId]));
  });

  test('may come wrapped with key and actor; the actor is told by every event', async () => {
    await handler.apply({ idempotencyKey: 'k', actor: 'ci@search', deployment: manifest() }, HTTP);
    expect((await all()).map(({ actor }) => actor)).toEqual(['ci@search', 'ci@search', 'ci@search']);
  });

  test('that asks for what already holds changes nothing and says so', async () => {
    await handler.apply(manifest(), HTTP);
    expect(await handler.apply(manifest(), HTTP)).toMatchObject({ outcome: 'accepted', revision: 1, changed: false });
    expect((await types()).filter((type) => type === 'davit.deployment.declared')).toHaveLength(1);
  });

  test('of another size is a new generation of the same revision; of another model a new revision', async () => {
    await handler.apply(manifest(), HTTP);
    expect(await handler.apply(manifest({ scaling: { replicas: 3 } }), HTTP)).toMatchObject({
      revision: 1,
      generation: 2,
    });
    expect(await handler.apply(manifest({ model: { id: 'Qwen/Qwen3-4B' } }), HTTP)).toMatchObject({ revision: 2 });
  });

  test('to delete asks for the deletion once, however often it comes', async () => {
    await handler.apply(manifest(), HTTP);
    expect(await handler.delete({ name: 'qwen3-8b' }, HTTP)).toMatchObject({ outcome: 'accepted', changed: true });
    expect(await handler.delete({ name: 'qwen3-8b' }, HTTP)).toMatchObject({ outcome: 'accepted', changed: false });
  });
});

describe('an intent that is refused', () => {
  test('is told with its mistakes, and nothing of its content is kept but a digest', async () => {
    const answer = await handler.apply(manifest({ secrets: [{ name: 'A', from: { env: 'canary-9c1' } }] }), HTTP);
    expect(answer).toMatchObject({
      outcome: 'rejected',
      code: 'invalid-spec',
      problems: [{ path: 'spec.secrets[0].from.env' }],
    });
    expect(await types()).toEqual(['davit.intent.received', 'davit.intent.rejected']);
    expect(JSON.stringify(await all())).not.toContain('canary-9c1');
  });

  test.each([
    ['a mode that changes under a running deployment', { compute: { mode: 'direct', endpoints: ['http://a:1'] } }],
  ])('%s', async (_what, spec) => {
    await handler.apply(manifest(), HTTP);
    expect(await handler.apply(manifest({ scaling: {}, ...spec }), HTTP)).toMatchObject({ code: 'mode-change' });
  });

  test('a deletion of what is not there', async () => {
    expect(await handler.delete({ name: 'nope' }, HTTP)).toMatchObject({ outcome: 'rejected', code: 'not-found' });
  });

  test('keys in body and header that differ', async () => {
    const body = { idempotencyKey: 'a', deployment: manifest() };
    expect(await handler.apply(body, keyed('b'))).toMatchObject({ code: 'invalid-intent' });
  });

  test.each(['x'.repeat(201), 'a\0b', '\ud800'])('a key that the log does not take: %j', async (key) => {
    expect(await handler.apply(manifest(), keyed(key))).toMatchObject({ outcome: 'rejected', code: 'invalid-intent' });
  });

  test('nesting beyond all reason', async () => {
    const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    expect(await handler.apply(deep, HTTP)).toMatchObject({ outcome: 'rejected', code: 'invalid-spec' });
  });

  test('any JSON gets an answer and an event, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('apply', 'delete'), async (body, verb) => {
        const before = await log.head();
        const answer = await handler[verb](body, HTTP);
        expect(answer.outcome).toBe('rejected');
        expect(await log.head()).toBe(before + 2);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the same intent again', () => {
  test('same key and same content, in any order of its keys, give the same answer and no event', async () => {
    const first = await handler.apply(manifest(), keyed('k'));
    const head = await log.head();
    const { spec, ...rest } = manifest();
    expect(await handler.apply({ spec, ...rest }, keyed('k'))).toEqual(first);
    expect(await log.head()).toBe(head);
  });

  test('the first answer stands even when the deployment has changed since', async () => {
    const first = await handler.apply(manifest(), keyed('k'));
    await handler.delete({ name: 'qwen3-8b' }, HTTP);
    expect(await handler.apply(manifest(), keyed('k'))).toEqual(first);
  });

  test('a refusal is repeated under its key', async () => {
    const first = await handler.apply({ wrong: true }, keyed('k'));
    expect(await handler.apply({ wrong: true }, keyed('k'))).toEqual(first);
  });

  test('same key and other content are a conflict, the same one each time', async () => {
    await handler.apply(manifest(), keyed('k'));
    const conflict = await handler.apply(manifest({ scaling: { replicas: 9 } }), keyed('k'));
    expect(conflict).toMatchObject({ outcome: 'rejected', code: 'idempotency-conflict' });
    expect(await handler.apply(manifest({ scaling: { replicas: 9 } }), keyed('k'))).toEqual(conflict);
  });

  test('keys of other tenants and other verbs are other keys', async () => {
    await handler.apply(manifest(), keyed('k'));
    expect(await handler.apply(manifest({}, { tenant: 'other' }), keyed('k'))).toMatchObject({ outcome: 'accepted' });
    expect(await handler.delete({ name: 'qwen3-8b' }, keyed('k'))).toMatchObject({ outcome: 'accepted' });
  });

  test('the key of a header counts for every verb', async () => {
    await handler.apply(manifest(), HTTP);
    const first = await handler.delete({ name: 'qwen3-8b' }, keyed('d'));
    expect(first).toMatchObject({ changed: true });
    expect(await handler.delete({ name: 'qwen3-8b' }, keyed('d'))).toEqual(first);
    expect(await handler.delete({ name: 'other' }, keyed('d'))).toMatchObject({ code: 'idempotency-conflict' });
  });

  test('a message delivered twice is one intent; two messages of the same words are two', async () => {
    const message = (messageId: string) => ({ channel: 'nats', messageId }) as const;
    const first = await handler.apply(manifest(), message('INTENTS:1:7'));
    expect(await handler.apply(manifest(), message('INTENTS:1:7'))).toEqual(first);
    expect((await handler.apply(manifest(), message('INTENTS:2:7'))).intentId).not.toBe(first.intentId);
  });
});

describe('many at once', () => {
  test('a writer in between makes the decision anew on what is there then', async () => {
    let intrusions = 2;
    const busy: EventLog = {
      head: () => log.head(),
      read: (after, limit) => log.read(after, limit),
      readStream: (stream, after) => log.readStream(stream, after),
      async append(writes: readonly [StreamWrite, ...StreamWrite[]], context) {
        if (intrusions-- > 0) await handler.apply(manifest({ scaling: { replicas: 10 + intrusions } }), HTTP);
        return log.append(writes, context);
      },
    };
    expect(await handlerOver(busy, 3).apply(manifest({ scaling: { replicas: 5 } }), HTTP)).toMatchObject({
      outcome: 'accepted',
      generation: 3,
    });
  });

  test('an intent that other instances never let through is given up after its deadline, as a fault', async () => {
    const clock = new VirtualClock();
    let attempts = 0;
    const refusing: EventLog = {
      head: () => log.head(),
      read: (after, limit) => log.read(after, limit),
      readStream: (stream, after) => log.readStream(stream, after),
      append: () => {
        attempts += 1;
        return Promise.resolve({ outcome: 'wrong-version', stream: 'deployment/x', expected: 0, actual: 1 });
      },
    };
    const ports = { log: refusing, model: foldedModel(log), clock, ids: sequentialIds(4), random: seededRandom(1) };
    const [outcome] = await Promise.all([
      new IntentHandler(ports, 'spec-api').apply(manifest(), HTTP).catch((error: unknown) => error),
      clock.advance(20_000),
    ]);
    expect(outcome).toBeInstanceOf(IntentContentionError);
    expect(attempts).toBeGreaterThan(20);
  });

  test('intents of one process on one deployment are not in each other’s way', async () => {
    let refusals = 0;
    const counted: EventLog = {
      head: () => log.head(),
      read: (after, limit) => log.read(after, limit),
      readStream: (stream, after) => log.readStream(stream, after),
      async append(writes, context) {
        const result = await log.append(writes, context);
        if (result.outcome === 'wrong-version') refusals += 1;
        return result;
      },
    };
    const busy = handlerOver(counted, 3);
    const wishes = Array.from({ length: 20 }, (_, n) => busy.apply(manifest({ scaling: { replicas: n + 1 } }), HTTP));
    const answers = await Promise.all(wishes);
    expect(answers.map((answer) => 'generation' in answer && answer.generation)).toEqual(answers.map((_, n) => n + 1));
    expect(refusals).toBe(0);
  });

  test('intents of one deployment that race all end, and generations have no gap', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map((replicas) => handler.apply(manifest({ scaling: { replicas } }), HTTP)),
    );
    expect(answers.map((answer) => 'generation' in answer && answer.generation).sort()).toEqual([1, 2, 3]);
  });
});
