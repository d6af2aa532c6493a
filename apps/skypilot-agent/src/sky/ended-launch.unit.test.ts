import { describe, expect, test } from '@jest/globals';
import type { FaultEffect } from '@davit/world';
import { hints, launched } from '../testing/hints.js';
import { WorldRig } from '../testing/world-rig.js';

/** A launch that has failed; `disk-full` leaves a row and a machine behind, `no-capacity` nothing. */
async function failed(reason: 'no-capacity' | 'disk-full') {
  const rig = new WorldRig();
  rig.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'launch-fails', reason } });
  const { order, handle } = await launched(rig);
  await rig.clock.advance(20_000);
  const look = () => rig.backend.observe(order.externalKey, hints(order, { handle }));
  return { rig, order, look };
}

describe('a launch that has ended, and of which the API server knows nothing any more', () => {
  test('is absent where it left nothing', async () => {
    const { rig, look } = await failed('no-capacity');
    rig.world.sky.requests.length = 0;
    expect(await look()).toEqual({ outcome: 'absent' });
  });

  test('has failed where it left a row, for what its own log says and not for what the server answered', async () => {
    const { rig, look } = await failed('disk-full');
    rig.world.sky.requests.length = 0;
    const seen = await look();
    expect(seen).toMatchObject({ phase: 'failed', class: 'config', diagnosis: { boundary: 'disk-full' } });
    expect(JSON.stringify(seen)).not.toMatch(/stream logs|not found/i);
  });
});

describe('how a launch ended', () => {
  test.each<[string, FaultEffect]>([
    ['hangs', { kind: 'hang' }],
    ['is cut off', { kind: 'lost-reply' }],
    ['finds no server', { kind: 'refusal', reason: 'unreachable' }],
    ['finds another version', { kind: 'refusal', reason: 'version' }],
  ])('is unknown when the question %s, and is told when it is asked again', async (_, effect) => {
    const { rig, look } = await failed('no-capacity');
    rig.world.faults.add({ service: 'sky', verb: 'api logs', effect });
    const beforeMs = rig.clock.nowMs();
    expect(await look()).toMatchObject({ outcome: 'unknown' });
    expect(rig.clock.nowMs() - beforeMs).toBeLessThan(90_000);
    await rig.clock.advance(60_000);
    expect(await look()).toMatchObject({ phase: 'failed', class: 'capacity' });
  });
});
