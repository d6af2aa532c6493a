import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@davit/test-support';
import { AckPolicy, type Consumer, headers, nanos } from 'nats';
import type { Bus } from '../connection.js';
import { ensureStreams } from '../streams/ensure.js';
import { Rig, deadLetters, stored, text } from '../testing/rig.js';
import { DeadLetterProcessor } from './processor.js';

const APPLY = 'davit.intent.deployment.apply';

describe('the dead-letter processor', () => {
  let rig: Rig;
  let bus: Bus;
  let dying: Consumer;
  beforeAll(async () => {
    rig = await Rig.start();
  });
  beforeEach(async () => {
    bus = await rig.bus();
    await ensureStreams(bus);
    // A consumer as a process leaves it that dies with each message in hand.
    const manager = await bus.connection.jetstreamManager();
    const config = { ack_policy: AckPolicy.Explicit, ack_wait: nanos(100), max_deliver: 2 };
    await manager.consumers.add('INTENTS', { durable_name: 'dying', ...config });
    dying = await bus.connection.jetstream().consumers.get('INTENTS', 'dying');
  });
  afterEach(() => rig.settle());
  afterAll(() => rig.end());

  const send = async (body: string): Promise<void> => {
    const sent = headers();
    sent.set('traceparent', '00-1-2-03');
    bus.connection.publish(APPLY, body, { headers: sent });
    await bus.connection.flush();
  };
  const exhaust = async (): Promise<void> => {
    for (let delivery = 1; delivery <= 2; delivery++) expect(await dying.next({ expires: 2_000 })).not.toBeNull();
    // The broker notices at the next attempt to deliver, which finds nothing.
    expect(await dying.next({ expires: 1_000 })).toBeNull();
  };
  const process = (): DeadLetterProcessor => {
    const processor = new DeadLetterProcessor(bus);
    processor.start();
    rig.later(() => processor.close());
    return processor;
  };

  it('copies the payload of a message that nobody acknowledged, from a notice that came while nobody listened', async () => {
    await send('{"lost":"with its process"}');
    await exhaust();
    await eventually(async () => (await stored(bus, 'DEADLETTERS')) === 1);
    process();
    const [letter] = await eventually(async () => {
      const letters = await deadLetters(bus);
      return letters.length > 0 ? letters : false;
    });
    expect(letter).toMatchObject({
      kind: 'max-deliveries',
      reason: 'not acknowledged after 2 deliveries',
      stream: 'INTENTS',
      streamSequence: 1,
      subject: APPLY,
      consumer: 'dying',
      deliveries: 2,
      headers: { traceparent: ['00-1-2-03'] },
    });
    expect(text(letter?.payload ?? new Uint8Array())).toBe('{"lost":"with its process"}');
    await eventually(async () => (await stored(bus, 'INTENTS')) === 0);
  });

  it('copies once, however many instances run and however often a notice comes', async () => {
    await send('{"once":true}');
    await exhaust();
    process();
    process();
    await eventually(async () => (await deadLetters(bus)).length === 1);
    const manager = await bus.connection.jetstreamManager();
    const notice = await manager.streams.getMessage('DEADLETTERS', { seq: 1 });
    bus.connection.publish(notice.subject, notice.data);
    await send('{"second":true}');
    await exhaust();
    await eventually(async () => (await deadLetters(bus)).length === 2);
    expect((await deadLetters(bus)).map((letter) => text(letter.payload))).toEqual([
      '{"once":true}',
      '{"second":true}',
    ]);
  });

  it('has nothing to copy for a message that its consumer ended and the queue let go, and goes on', async () => {
    await send('{"ended":true}');
    (await dying.next({ expires: 2_000 }))?.term();
    await eventually(async () => (await stored(bus, 'DEADLETTERS')) === 1);
    await send('{"next":true}');
    await exhaust();
    process();
    await eventually(async () => (await deadLetters(bus)).length === 1);
    expect((await deadLetters(bus)).map((letter) => text(letter.payload))).toEqual(['{"next":true}']);
  });
});
