import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@davit/test-support';
import { IntentAnswers } from '../answers/intent-answers.js';
import type { Bus } from '../connection.js';
import { request, requestIntent } from '../request.js';
import { Rig, eventController, requestController, stored } from '../testing/rig.js';
import { z } from 'zod';

const APPLY = 'davit.intent.deployment.apply';

describe('a service whose broker fails', () => {
  let rig: Rig;
  let bus: Bus;
  let client: Bus;
  beforeAll(async () => {
    rig = await Rig.start();
  });
  beforeEach(async () => {
    bus = await rig.bus('service');
    client = await rig.bus('client');
  });
  afterEach(() => rig.settle());
  afterAll(() => rig.end());

  const bothBack = (times: number) =>
    eventually(() => bus.status().reconnects >= times && client.status().reconnects >= times);

  it('loses no stored intent to a kill -9 in the middle of its work', async () => {
    const done = new Set<number>();
    const controller = eventController(APPLY, async (body) => {
      await new Promise((resolve) => setImmediate(resolve));
      done.add((body as { index: number }).index);
    });
    const { strategy } = await rig.serve(bus, [controller], { ackWaitMs: 1_000 });
    for (let index = 0; index < 500; index++) client.connection.publish(APPLY, `{"index":${index}}`);
    await client.connection.flush();
    await eventually(async () => strategy.stats().handled > 20);
    await rig.broker.kill9();
    await eventually(() => !bus.status().connected);
    await rig.broker.restart();
    await bothBack(1);
    for (let index = 500; index < 600; index++) client.connection.publish(APPLY, `{"index":${index}}`);
    await eventually(() => done.size === 600, { timeoutMs: 15_000 });
    await eventually(async () => (await stored(client, 'INTENTS')) === 0, { timeoutMs: 15_000 });
  }, 40_000);

  it('makes its streams and its consumer anew when the broker comes back empty, and answers again', async () => {
    const answers = new IntentAnswers(bus);
    const answer = { outcome: 'rejected', intentId: '00000000-0000-7000-8000-000000000001', code: 'x', detail: 'x' };
    const controllers = [
      eventController(APPLY, () => ({ ...answer, problems: [], position: 1 })),
      requestController('davit.rpc.test.ping', () => 'pong'),
    ];
    await rig.serve(bus, controllers, { answers });
    await rig.broker.wipe();
    await bothBack(1);
    const ask = () => requestIntent(client, 'apply', { deployment: {} }, { timeoutMs: 500 });
    await eventually(async () => (await ask()).outcome === 'answered');
    expect(rig.logged('consumer interrupted')).toBe(true);
    const reply = await request(client, 'davit.rpc.test.ping', {}, { timeoutMs: 1_000, reply: z.string() });
    expect(reply).toEqual({ outcome: 'answered', body: 'pong' });
  }, 20_000);
});
