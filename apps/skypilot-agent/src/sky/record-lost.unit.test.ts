import { describe, expect, test } from '@jest/globals';
import type { FaultEffect } from '@davit/world';
import { hints, launched, phaseOf, serving } from '../testing/hints.js';
import { elasticSpec, WorldRig } from '../testing/world-rig.js';

const onAws = elasticSpec({
  spec: { compute: { mode: 'elastic', placements: [{ cloud: 'aws', region: 'us-east-1', accelerator: 'L40S:1' }] } },
});

describe('a machine whose record SkyPilot has lost', () => {
  test('goes on serving under its address, and is said to be forgotten', async () => {
    const rig = new WorldRig();
    const { order, seen, known } = await serving(rig);
    rig.loseRecord(order.externalKey);
    await rig.clock.advance(20_000);
    const again = await rig.backend.observe(order.externalKey, known);
    expect(again).toMatchObject({ phase: 'up', url: seen.url, providerId: seen.providerId });
    expect(again).toMatchObject({ recordLost: { source: 'runpod-v2' }, detail: expect.stringContaining('lost') });
  });

  test('is never absent while it runs, and its deletion ends that very pod and nothing else', async () => {
    const rig = new WorldRig();
    const [lost, other] = [await serving(rig), await serving(rig)];
    rig.loseRecord(lost.order.externalKey);
    const gone = { ...lost.known, purpose: 'absence' } as const;
    expect(phaseOf(await rig.backend.observe(lost.order.externalKey, gone))).toBe('up');
    const deleted = await rig.backend.delete(lost.order.externalKey, lost.order);
    expect(deleted).toMatchObject({ outcome: 'accepted', detail: expect.stringContaining('pod') });
    expect(await rig.backend.observe(lost.order.externalKey, gone)).toEqual({ outcome: 'absent' });
    expect([rig.machines(lost.order.externalKey), rig.machines(other.order.externalKey)]).toEqual([0, 1]);
  });

  test('before it ever had an address has failed, because nobody can learn it any more', async () => {
    const rig = new WorldRig();
    rig.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'row-lost' } });
    const { order, handle } = await launched(rig);
    await rig.clock.advance(60_000);
    const seen = await rig.backend.observe(order.externalKey, hints(order, { handle }));
    expect(seen).toMatchObject({ phase: 'failed', class: 'transient', recordLost: { source: 'runpod-v2' } });
  });

  test('is not launched a second time', async () => {
    const rig = new WorldRig();
    const { order } = await serving(rig);
    rig.loseRecord(order.externalKey);
    expect(await rig.backend.discover(order.externalKey, order)).toMatchObject({ outcome: 'present' });
    expect((await rig.backend.ensure(order)).outcome).toBe('accepted');
    expect(rig.commandLines().filter((line) => line.startsWith('launch'))).toHaveLength(1);
  });

  test('is not seen where nobody asks the cloud itself, and the inventory says so', async () => {
    const rig = new WorldRig({ witness: false });
    const { order, known } = await serving(rig);
    rig.loseRecord(order.externalKey);
    expect(await rig.backend.observe(order.externalKey, { ...known, purpose: 'absence' })).toEqual({
      outcome: 'absent',
    });
    const listed = await rig.backend.inventory('dv-', order);
    expect(listed).toEqual({
      outcome: 'listed',
      rows: [],
      sources: ['sky status', 'runpod: no witness beside sky status'],
    });
  });
});

describe('a long list of pods', () => {
  test('is read to its end, whoever else rents there, and the key stands in no address', async () => {
    const rig = new WorldRig();
    rig.world.stock.set({ gpu: 'L40S', free: 1_000 });
    for (let others = 0; others < 450; others += 1) {
      const name = `other-${others}`;
      await rig.world.cloud.create({
        ...{ name, cloud: 'runpod', accelerator: 'L40S', gpuCount: 1, owner: 'somebody', image: null },
      });
    }
    const { order, known } = await serving(rig);
    rig.loseRecord(order.externalKey);
    rig.asked.length = 0;
    await rig.clock.advance(60_000);
    expect(phaseOf(await rig.backend.observe(order.externalKey, known))).toBe('up');
    expect(rig.asked.length).toBeGreaterThanOrEqual(3);
    expect(rig.asked.map(({ url }) => url).join(' ')).not.toContain(rig.world.keys.runpod);
  });
});

describe('a cloud that cannot be read', () => {
  test.each<[string, FaultEffect]>([
    ['refuses the key', { kind: 'refusal', reason: 'auth' }],
    ['refuses access', { kind: 'refusal', reason: 'permission' }],
    ['asks for quiet', { kind: 'status', status: 429, retryAfterSeconds: 3 }],
    ['fails', { kind: 'status', status: 503 }],
    ['is silent', { kind: 'hang' }],
    ['cuts the connection', { kind: 'lost-reply' }],
    ['answers half', { kind: 'malformed', how: 'truncate' }],
    ['answers something else', { kind: 'malformed', how: 'garbage' }],
  ])('because it %s leaves nothing proven gone, and launches nothing', async (_, effect) => {
    const rig = new WorldRig();
    const { order, known } = await serving(rig);
    rig.loseRecord(order.externalKey);
    await rig.clock.advance(60_000);
    const before = rig.commandLines().length;
    rig.world.faults.add({ service: 'runpod', count: 99, effect });
    const key = order.externalKey;
    expect((await rig.backend.observe(key, { ...known, purpose: 'absence' })).outcome).toBe('unknown');
    expect((await rig.backend.observe(key, known)).outcome).toBe('unknown');
    expect((await rig.backend.discover(key, order)).outcome).toBe('unknown');
    expect((await rig.backend.ensure(order)).outcome).toBe('unknown');
    expect((await rig.backend.inventory('dv-', order)).outcome).toBe('unknown');
    expect((await rig.backend.inventory('dv-')).outcome).toBe('unknown');
    expect(
      rig
        .commandLines()
        .slice(before)
        .filter((line) => line.startsWith('launch')),
    ).toEqual([]);
    rig.world.faults.clear();
    await rig.clock.advance(60_000);
    expect(phaseOf(await rig.backend.observe(key, known))).toBe('up');
  });

  test('does not keep what can only be elsewhere from being proven gone', async () => {
    const rig = new WorldRig();
    const order = rig.order(onAws);
    rig.world.faults.add({ service: 'runpod', count: 99, effect: { kind: 'status', status: 503 } });
    expect(await rig.backend.observe(order.externalKey, hints(order, { purpose: 'absence' }))).toEqual({
      outcome: 'absent',
    });
    expect(await rig.backend.inventory('dv-', order)).toEqual({
      outcome: 'listed',
      rows: [],
      sources: ['sky status', 'aws: no witness beside sky status'],
    });
  });

  test('does not keep a replica that serves from being seen, while SkyPilot has its row', async () => {
    const rig = new WorldRig();
    const { order, known } = await serving(rig);
    await rig.clock.advance(60_000);
    rig.world.faults.add({ service: 'runpod', count: 99, effect: { kind: 'status', status: 503 } });
    expect(phaseOf(await rig.backend.observe(order.externalKey, known))).toBe('up');
  });
});
