import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@davit/test-support';
import { createInbox, headers } from 'nats';
import type { Bus } from '../connection.js';
import { PayloadTooLargeError, PoisonMessageError } from '../errors.js';
import { requestIntent } from '../request.js';
import { type Handle, Rig, eventController, gate, stored, text } from '../testing/rig.js';
import { IntentAnswers, type IntentAnswersOptions } from './intent-answers.js';

const APPLY = 'davit.intent.deployment.apply';
const accepted = (position: number) => ({
  outcome: 'accepted',
  intentId: '00000000-0000-7000-8000-000000000001',
  deployment: 'default/qwen3-8b',
  revision: 1,
  generation: 1,
  changed: true,
  position,
});

describe('answers to intents', () => {
  let rig: Rig;
  let client: Bus;
  beforeAll(async () => {
    rig = await Rig.start();
  });
  beforeEach(async () => {
    client = await rig.bus('client');
  });
  afterEach(() => rig.settle());
  afterAll(() => rig.end());

  /** One instance of spec-api. */
  const instance = async (name: string, handle: Handle, options: IntentAnswersOptions = {}) => {
    const bus = await rig.bus(name);
    const answers = new IntentAnswers(bus, options);
    const { strategy } = await rig.serve(bus, [eventController(APPLY, handle)], { answers });
    return { bus, answers, strategy };
  };
  /** Every answer that arrives at one reply subject. */
  const ask = (body: string, messageId?: string): string[] => {
    const reply = createInbox();
    const received: string[] = [];
    client.connection.subscribe(reply, { callback: (_error, message) => received.push(text(message.data)) });
    const sent = headers();
    if (messageId !== undefined) sent.set('Nats-Msg-Id', messageId);
    client.connection.publish(APPLY, body, { reply, headers: sent });
    return received;
  };

  it('are never given where they would be more than an answer', async () => {
    await instance('one', () => accepted(1));
    const forged: string[] = [];
    client.connection.subscribe('davit.log.>', { callback: (_error, message) => forged.push(message.subject) });
    client.connection.publish(APPLY, '{"deployment":0}', { reply: 'davit.log.replica.ready' });
    // The second intent is handled after the first, so its answer says that the first had its turn.
    const received = ask('{"deployment":1}');
    await eventually(() => received.length === 1);
    await client.connection.flush();
    expect(forged).toEqual([]);
  });

  it('are given once, with what the handler returned, whichever of two instances hears and handles the intent', async () => {
    let position = 0;
    const handled: string[] = [];
    const handle = (name: string) => () => {
      handled.push(name);
      return accepted(++position);
    };
    await instance('one', handle('one'));
    await instance('two', handle('two'));
    const asked = Array.from({ length: 60 }, (_, index) => ask(`{"deployment":${index}}`));
    await eventually(() => asked.every((received) => received.length > 0));
    await client.connection.flush();
    expect(asked.map((received) => received.length)).toEqual(asked.map(() => 1));
    const positions = asked.map((received) => (JSON.parse(received[0] ?? '') as { position: number }).position);
    expect(new Set(positions).size).toBe(60);
    expect(new Set(handled)).toEqual(new Set(['one', 'two']));
  });

  it('say what became of this intent, not of an earlier one of the same words, on any instance', async () => {
    let position = 0;
    const handle = () => accepted(++position);
    await instance('one', handle);
    await instance('two', handle);
    for (let expected = 1; expected <= 20; expected++) {
      const reply = await requestIntent(client, 'apply', { deployment: {} }, { timeoutMs: 3_000 });
      expect(reply).toMatchObject({ outcome: 'answered', body: { position: expected } });
    }
  });

  it('do not follow a fire-and-forget intent into a later request of the same words', async () => {
    let position = 0;
    const { answers, strategy } = await instance('one', () => accepted(++position));
    client.connection.publish(APPLY, '{"deployment":{}}');
    await eventually(() => strategy.stats().handled === 1 && answers.waiting === 0);
    const reply = await requestIntent(client, 'apply', { deployment: {} }, { timeoutMs: 3_000 });
    expect(reply).toMatchObject({ outcome: 'answered', body: { position: 2 } });
  });

  it('go to everyone who waits for the same intent', async () => {
    const hold = gate();
    const { answers } = await instance('one', async () => {
      await hold.opened;
      return accepted(1);
    });
    const both = [ask('{"same":1}', 'id-1'), ask('{"same":1}', 'id-1')];
    await eventually(() => answers.waiting === 2);
    expect(await stored(client, 'INTENTS')).toBe(1);
    hold.open();
    await eventually(() => both.every((received) => received.length === 1));
  });

  it('are given again to an intent that the broker recognises as sent before', async () => {
    let runs = 0;
    await instance('one', () => accepted(++runs));
    const first = ask('{"same":2}', 'id-2');
    await eventually(() => first.length === 1);
    const second = ask('{"same":2}', 'id-2');
    await eventually(() => second.length === 1);
    expect(second).toEqual(first);
    expect(runs).toBe(1);
  });

  it('reach a requester whose request was heard after the outcome', async () => {
    const bus = await rig.bus('late');
    const answers = new IntentAnswers(bus, { earlyTtlMs: 30_000 });
    await answers.start();
    rig.later(async () => answers.close());
    answers.publishOutcome(APPLY, new TextEncoder().encode('{"early":1}'), undefined, accepted(7));
    await bus.connection.flush();
    const received = ask('{"early":1}');
    await eventually(() => received.length === 1);
    expect(JSON.parse(received[0] ?? '')).toMatchObject({ position: 7 });
    const again = ask('{"early":1}');
    await eventually(() => answers.waiting === 1);
    expect(again).toEqual([]);
  });

  it('name the reason when the intent was set aside', async () => {
    await instance('one', () => {
      throw new PoisonMessageError('no such schema');
    });
    const reply = await requestIntent(client, 'apply', { deployment: {} }, { timeoutMs: 3_000 });
    expect(reply).toMatchObject({
      outcome: 'refused',
      problem: { code: 'poison', status: 400, detail: 'no such schema' },
    });
  });

  it('forget a requester after a while and say so', async () => {
    const bus = await rig.bus('forgetful');
    const answers = new IntentAnswers(bus, { waiterTtlMs: 100 });
    await answers.start();
    rig.later(async () => answers.close());
    const received = ask('{"nobody":"handles"}');
    await eventually(() => answers.waiting === 1);
    await eventually(() => answers.waiting === 0);
    expect(rig.logged('intents without an outcome in time')).toBe(true);
    answers.publishOutcome(APPLY, new TextEncoder().encode('{"nobody":"handles"}'), undefined, accepted(1));
    await bus.connection.flush();
    await client.connection.flush();
    expect(received).toEqual([]);
  });

  it('refuse five megabytes with a clear problem, and the intent is not stored', async () => {
    const seen: unknown[] = [];
    await instance('one', (body) => seen.push(body));
    const big = { deployment: 'x'.repeat(5_000_000) };
    await expect(requestIntent(client, 'apply', big, { timeoutMs: 1_000 })).rejects.toThrow(PayloadTooLargeError);
    const received = ask(JSON.stringify(big));
    await eventually(() => received.length === 1);
    expect(JSON.parse(received[0] ?? '')).toMatchObject({ status: 413, code: 'payload-too-large' });
    const next = ask('{"small":true}');
    await eventually(() => next.length === 1);
    expect(seen).toEqual([{ small: true }]);
  });
});
