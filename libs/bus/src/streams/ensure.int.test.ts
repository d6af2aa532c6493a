import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RetentionPolicy } from 'nats';
import type { Bus } from '../connection.js';
import { StreamConflictError } from '../errors.js';
import { Rig } from '../testing/rig.js';
import { ensureStreams } from './ensure.js';

describe('ensureStreams', () => {
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

  const changes = (): unknown[] =>
    rig.lines.filter((line) => line.message === 'stream settings written').map((line) => line.fields);

  it('creates what is missing, from many instances at once, and then leaves it alone', async () => {
    await Promise.all([ensureStreams(bus), ensureStreams(await rig.bus('second')), ensureStreams(bus)]);
    const manager = await bus.connection.jetstreamManager();
    const { config } = await manager.streams.info('INTENTS');
    expect(config).toMatchObject({
      retention: 'workqueue',
      storage: 'file',
      no_ack: true,
      subjects: ['davit.intent.>'],
    });
    rig.lines.length = 0;
    await ensureStreams(bus);
    expect(changes()).toEqual([]);
  });

  it('brings settings back that somebody changed, and keeps those that are not its own', async () => {
    await ensureStreams(bus);
    const manager = await bus.connection.jetstreamManager();
    const { config } = await manager.streams.info('DEADLETTERS');
    await manager.streams.update('DEADLETTERS', { ...config, subjects: ['davit.deadletter.>'], description: 'kept' });
    rig.lines.length = 0;
    await ensureStreams(bus);
    expect(changes()).toEqual([{ stream: 'DEADLETTERS', change: 'repaired' }]);
    const repaired = (await manager.streams.info('DEADLETTERS')).config;
    expect(repaired).toMatchObject({ description: 'kept' });
    expect(repaired.subjects).toContain('$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.INTENTS.*');
  });

  it('refuses a stream of that name which keeps its messages differently', async () => {
    const manager = await bus.connection.jetstreamManager();
    await manager.streams.add({ name: 'INTENTS', subjects: ['other'], retention: RetentionPolicy.Limits });
    await expect(ensureStreams(bus)).rejects.toThrow(StreamConflictError);
  });
});
