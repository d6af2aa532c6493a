import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { Envelope } from '@davit/contracts';
import { type NatsBroker, eventually, startNats } from '@davit/test-support';
import { type NatsConnection, connect } from 'nats';
import { ConnectionWatch } from './connection-watch.js';
import { JetStreamMirror } from './jetstream-mirror.js';
import { defaultMirrorNames } from './names.js';

jest.setTimeout(30_000);

let broker: NatsBroker;
let connection: NatsConnection;
let mirror: JetStreamMirror;
beforeAll(async () => {
  broker = await startNats();
  connection = await connect({ servers: broker.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
});
beforeEach(async () => {
  mirror = new JetStreamMirror(connection, defaultMirrorNames, {}, new ConnectionWatch(connection, () => undefined));
  await mirror.remove();
  await mirror.ensure();
});
afterAll(async () => {
  await connection.close();
  await broker.dispose();
});

/** History tells events of the same position apart, as in a log that was restored and went on differently. */
const event = (position: number, history = 0): Envelope => ({
  specversion: '1.0',
  id: `${String(history).padStart(8, '0')}-0000-7000-8000-${String(position).padStart(12, '0')}`,
  source: '/davit/test',
  type: 'davit.fleet.alarm-raised',
  subject: 'a',
  time: '2026-01-01T00:00:00.000Z',
  dataschema: 'davit:fleet.alarm-raised:v1',
  data: {},
  tenant: 'default',
  stream: 'fleet/a',
  version: position,
  position,
});

test('events are taken at the sequence of their position', async () => {
  expect(await mirror.publish([event(1), event(2), event(3)])).toEqual({ outcome: 'published', duplicates: 0 });
  expect(await mirror.state()).toEqual({ lastSequence: 3, messages: 3 });
  expect(await mirror.eventIdAt(2)).toBe(event(2).id);
});

test('an event whose place is taken is refused, and so are all that follow it', async () => {
  await mirror.publish([event(1), event(2), event(3)]);
  expect(await mirror.publish([event(3, 1), event(5, 1), event(6, 1)])).toMatchObject({
    outcome: 'refused',
    position: 3,
  });
  expect(await mirror.state()).toEqual({ lastSequence: 3, messages: 3 });
  expect(await mirror.eventIdAt(3)).toBe(event(3).id);
});

test('an event beyond the end is refused rather than taken at a lower sequence', async () => {
  expect(await mirror.publish([event(2)])).toMatchObject({ outcome: 'refused', position: 2 });
  expect(await mirror.state()).toEqual({ lastSequence: 0, messages: 0 });
});

test('a start beyond the first position holds over a restart of the broker', async () => {
  if (!mirror.canStartAnywhere) return;
  await mirror.startAt(1_001);
  await mirror.publish([event(1_001), event(1_002)]);
  await broker.restart();
  await eventually(async () => {
    expect(await mirror.state()).toEqual({ lastSequence: 1_002, messages: 2 });
    return true;
  });
  expect(await mirror.publish([event(1_003)])).toMatchObject({ outcome: 'published' });
});

test('a missing stream and a missing message are answers, not faults', async () => {
  expect(await mirror.eventIdAt(1)).toBeUndefined();
  await mirror.remove();
  await mirror.remove();
  expect(await mirror.state()).toBeUndefined();
  expect(await mirror.publish([event(1)])).toMatchObject({ outcome: 'refused', position: 1 });
});

test('what a broker that has gone was to take counts as refused', async () => {
  await mirror.publish([event(1)]);
  await broker.kill9();
  expect(await mirror.publish([event(2)])).toMatchObject({ outcome: 'refused', position: 2 });
  await broker.restart();
});
