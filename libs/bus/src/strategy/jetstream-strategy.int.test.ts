import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@davit/test-support';
import { headers } from 'nats';
import { EMPTY } from 'rxjs';
import type { Bus } from '../connection.js';
import { DuplicateHandlerError, PoisonMessageError } from '../errors.js';
import { Rig, deadLetters, eventController, gate, stored, text } from '../testing/rig.js';

const APPLY = 'davit.intent.deployment.apply';
const DELETE = 'davit.intent.deployment.delete';

describe('the transport strategy over a durable pull consumer', () => {
  let rig: Rig;
  let bus: Bus;
  beforeAll(async () => {
    rig = await Rig.start();
  });
  beforeEach(async () => {
    bus = await rig.bus();
  });
  afterEach(() => rig.settle());
  afterAll(() => rig.end());

  const send = (subject: string, body: string): void => bus.connection.publish(subject, body);

  it('delivers again, each time later, until the handler succeeds', async () => {
    const deliveries: number[] = [];
    const controller = eventController(APPLY, (_body, context) => {
      deliveries.push(context.facts.delivery?.deliveries ?? 0);
      if (deliveries.length < 3) throw new Error('not yet');
    });
    const { strategy } = await rig.serve(bus, [controller]);
    send(APPLY, '{"a":1}');
    await eventually(async () => deliveries.length === 3 && (await stored(bus, 'INTENTS')) === 0);
    expect(deliveries).toEqual([1, 2, 3]);
    expect(strategy.stats()).toMatchObject({ handled: 1, retried: 2, deadLettered: 0 });
    expect(rig.lines.filter((line) => line.fields['reason'] === 'not yet')).toHaveLength(2);
  });

  it('sets a message that is no JSON aside with its payload and goes on', async () => {
    const handled: unknown[] = [];
    await rig.serve(bus, [eventController(APPLY, (body) => handled.push(body))]);
    send(APPLY, '{"broken":');
    send(APPLY, '{"whole":true}');
    const [letter] = await eventually(async () => {
      const letters = await deadLetters(bus);
      return letters.length > 0 && handled.length > 0 ? letters : false;
    });
    expect(letter).toMatchObject({
      kind: 'poison',
      stream: 'INTENTS',
      streamSequence: 1,
      subject: APPLY,
      deliveries: 1,
    });
    expect(text(letter?.payload ?? new Uint8Array())).toBe('{"broken":');
    expect(handled).toEqual([{ whole: true }]);
    await eventually(async () => (await stored(bus, 'INTENTS')) === 0);
  });

  it('sets aside at once what the handler calls poison, with headers, and counts it once', async () => {
    let runs = 0;
    const controller = eventController(APPLY, () => {
      runs += 1;
      throw new PoisonMessageError('schema v9 is not known here');
    });
    const { strategy } = await rig.serve(bus, [controller]);
    const sent = headers();
    sent.set('Nats-Msg-Id', 'm-1');
    bus.connection.publish(APPLY, '{}', { headers: sent });
    const [letter] = await eventually(async () => {
      const letters = await deadLetters(bus);
      return letters.length > 0 ? letters : false;
    });
    expect(letter).toMatchObject({ kind: 'poison', reason: 'schema v9 is not known here' });
    expect(letter?.headers).toEqual({ 'Nats-Msg-Id': ['m-1'] });
    expect(runs).toBe(1);
    expect(strategy.stats().deadLettered).toBe(1);
  });

  it('sets aside what failed as often as allowed, naming the last reason', async () => {
    const controller = eventController(APPLY, () => {
      throw new Error('database says no');
    });
    await rig.serve(bus, [controller], { maxDeliver: 3 });
    send(APPLY, '{}');
    const [letter] = await eventually(async () => {
      const letters = await deadLetters(bus);
      return letters.length > 0 ? letters : false;
    });
    expect(letter).toMatchObject({ kind: 'max-deliveries', reason: 'database says no', deliveries: 3 });
  });

  it('sets aside a message of a subject that nobody handles', async () => {
    const handled: unknown[] = [];
    await rig.serve(bus, [eventController(APPLY, (body) => handled.push(body))]);
    send('davit.intent.deployment.unheard-of', '{"x":1}');
    send(APPLY, '{}');
    const [letter] = await eventually(async () => {
      const letters = await deadLetters(bus);
      return letters.length > 0 && handled.length > 0 ? letters : false;
    });
    expect(letter).toMatchObject({ kind: 'no-handler', subject: 'davit.intent.deployment.unheard-of' });
  });

  it('takes an Observable that ends without a value for a failure, not for success', async () => {
    let runs = 0;
    const controller = eventController(APPLY, () => (++runs === 1 ? EMPTY : 'done'));
    const { strategy } = await rig.serve(bus, [controller]);
    send(APPLY, '{}');
    await eventually(() => strategy.stats().handled === 1);
    expect(runs).toBe(2);
  });

  it('does not deliver a message again while its handler is at work, however long that takes', async () => {
    let runs = 0;
    const hold = gate();
    const started = gate();
    const controller = eventController(APPLY, async () => {
      runs += 1;
      started.open();
      await hold.opened;
    });
    const { strategy } = await rig.serve(bus, [controller], { ackWaitMs: 600 });
    send(APPLY, '{}');
    await started.opened;
    const startedAt = Date.now();
    await eventually(() => Date.now() - startedAt > 1_900);
    hold.open();
    await eventually(() => strategy.stats().handled === 1);
    expect(runs).toBe(1);
    expect(await stored(bus, 'INTENTS')).toBe(0);
  });

  it('routes a subject to the handler whose pattern says most about it', async () => {
    const seen: string[] = [];
    await rig.serve(bus, [
      eventController('davit.intent.>', () => seen.push('all')),
      eventController('davit.intent.*.delete', () => seen.push('any delete')),
      eventController(APPLY, () => seen.push('apply')),
    ]);
    send(APPLY, '{}');
    await eventually(() => seen.length === 1);
    send(DELETE, '{}');
    await eventually(() => seen.length === 2);
    send('davit.intent.fleet.freeze', '{}');
    await eventually(() => seen.length === 3);
    expect(seen).toEqual(['apply', 'any delete', 'all']);
  });

  it('refuses a second handler on one pattern when the application starts', async () => {
    const first = eventController(APPLY, () => undefined);
    const second = eventController(APPLY, () => undefined);
    await expect(rig.serve(bus, [first, second])).rejects.toThrow(DuplicateHandlerError);
    await rig.serve(bus, [first]);
  });

  it('works on no more messages at once than it was allowed', async () => {
    let atWork = 0;
    let most = 0;
    const hold = gate();
    const controller = eventController(APPLY, async () => {
      most = Math.max(most, ++atWork);
      await hold.opened;
      atWork -= 1;
    });
    const { strategy } = await rig.serve(bus, [controller], { concurrency: 3 });
    for (let index = 0; index < 20; index++) send(APPLY, `{"index":${index}}`);
    await eventually(() => atWork === 3);
    hold.open();
    await eventually(() => strategy.stats().handled === 20);
    expect(most).toBe(3);
  });

  it('loses nothing when one instance shuts down: what it has begun it ends, the rest goes to the other', async () => {
    const done = new Map<number, number>();
    const controller = eventController(APPLY, async (body) => {
      const { index } = body as { index: number };
      await new Promise((resolve) => setImmediate(resolve));
      done.set(index, (done.get(index) ?? 0) + 1);
    });
    const leaving = await rig.serve(bus, [controller]);
    const stays = await rig.serve(await rig.bus('second'), [controller]);
    for (let index = 0; index < 400; index++) send(APPLY, `{"index":${index}}`);
    await eventually(() => leaving.strategy.stats().handled > 5);
    await leaving.strategy.close();
    expect(leaving.strategy.stats()).toMatchObject({ inFlight: 0 });
    await eventually(() => leaving.strategy.stats().handled + stays.strategy.stats().handled >= 400);
    expect([...done.values()].filter((times) => times !== 1)).toEqual([]);
    expect(done.size).toBe(400);
    expect(await stored(bus, 'INTENTS')).toBe(0);
  });

  it('waits at shutdown for handlers only as long as allowed, and says so', async () => {
    const hold = gate();
    const started = gate();
    const controller = eventController(APPLY, async () => {
      started.open();
      await hold.opened;
    });
    const { strategy } = await rig.serve(bus, [controller], { drainTimeoutMs: 50 });
    send(APPLY, '{}');
    await started.opened;
    await strategy.close();
    expect(rig.logged('handlers still at work at shutdown')).toBe(true);
    expect(await stored(bus, 'INTENTS')).toBe(1);
    hold.open();
  });
});
