import { describe, expect, test } from '@jest/globals';
import { externalKeyOf, externalKeyPrefix } from '@davit/domain';
import type { InventoryResult, InventoryRow } from '@davit/provider-kit';
import { hints, serving } from '../testing/hints.js';
import { WorldRig } from '../testing/world-rig.js';

const rowsOf = (result: InventoryResult): readonly InventoryRow[] => {
  if (result.outcome !== 'listed') throw new Error(result.detail);
  return result.rows;
};

describe('a machine that was rented twice', () => {
  const doubled = async () => {
    const rig = new WorldRig();
    rig.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'machine-doubled' } });
    return { rig, ...(await serving(rig)) };
  };

  test('is listed beside the one that has the address, and reaping it ends it alone', async () => {
    const { rig, order, known } = await doubled();
    expect(rig.machines(order.externalKey)).toBe(2);
    await rig.clock.advance(60_000);
    const seen = await rig.backend.observe(order.externalKey, known);
    if (seen.outcome !== 'present') throw new Error(seen.outcome);
    const [extra, ...more] = seen.duplicates ?? [];
    expect(more).toEqual([]);
    expect(extra).toMatchObject({ externalKey: order.externalKey, source: 'runpod-v2', price: { kind: 'billed' } });
    const rows = rowsOf(await rig.backend.inventory('dv-'));
    expect(rows.map(({ providerId }) => providerId).toSorted()).toEqual(
      [extra?.providerId, seen.providerId].toSorted(),
    );
    if (extra) expect(await rig.backend.reap?.(extra)).toMatchObject({ outcome: 'accepted' });
    expect(rig.machines(order.externalKey)).toBe(1);
    await rig.clock.advance(60_000);
    const after = await rig.backend.observe(order.externalKey, known);
    expect(after).toMatchObject({ phase: 'up', url: seen.url });
    expect(after.outcome === 'present' && after.duplicates).toBeUndefined();
  });

  test('is no candidate for reaping while nothing tells which of the two is in use', async () => {
    const { rig, seen } = await doubled();
    // Another instance of the agent, which has not seen an address yet.
    const rows = rowsOf(await rig.anotherAgent().inventory('dv-'));
    expect(rows.map(({ providerId }) => providerId)).toEqual([seen.providerId]);
    const both = rowsOf(await rig.backend.inventory('dv-')).flatMap(({ providerId, behind = [] }) => [
      ...(providerId === seen.providerId ? [] : [providerId]),
      ...behind.map((row) => row.providerId),
    ]);
    expect(rows[0]?.behind?.map(({ providerId }) => providerId).toSorted()).toEqual(both.toSorted());
    expect(both).toHaveLength(2);
  });

  test("is ended by its own identity although the other one is not to be seen, for the record is its owner's", async () => {
    const { rig, order, known } = await doubled();
    await rig.clock.advance(60_000);
    await rig.backend.observe(order.externalKey, known);
    const rows = rowsOf(await rig.backend.inventory('dv-'));
    const extra = rows.find(({ source }) => source === 'runpod-v2');
    const [used] = rows.flatMap(({ behind = [] }) => behind);
    if (!extra || !used) throw new Error('there are not two');
    await rig.backend.reap?.(used);
    await rig.clock.advance(5_000);
    expect(await rig.backend.reap?.(extra)).toMatchObject({ outcome: 'accepted' });
    expect(rig.commandLines().filter((line) => line.startsWith('down'))).toEqual([]);
    expect(rig.world.sky.clusters.has(order.externalKey)).toBe(true);
  });

  test('does not outlive the deletion of its replica', async () => {
    const { rig, order } = await doubled();
    for (let tries = 0; tries < 3; tries += 1) {
      await rig.backend.delete(order.externalKey, order);
      await rig.clock.advance(5_000);
    }
    expect(rig.machines(order.externalKey)).toBe(0);
    const gone = await rig.backend.observe(order.externalKey, hints(order, { purpose: 'absence' }));
    expect(gone).toEqual({ outcome: 'absent' });
  });
});

describe('reaping', () => {
  test('what SkyPilot has a record of goes by name, record and all', async () => {
    const rig = new WorldRig();
    const { order } = await serving(rig);
    const [row] = rowsOf(await rig.backend.inventory('dv-'));
    if (row) expect(await rig.backend.reap?.(row)).toMatchObject({ outcome: 'accepted' });
    expect(rig.commandLines()).toContain(`down -y ${order.externalKey}`);
    expect(rig.machines(order.externalKey) + rig.world.sky.clusters.size).toBe(0);
  });

  test('what nobody has a record of goes by its own identity', async () => {
    const rig = new WorldRig();
    const { order } = await serving(rig);
    rig.loseRecord(order.externalKey);
    const [row] = rowsOf(await rig.backend.inventory('dv-'));
    if (row) expect(await rig.backend.reap?.(row)).toMatchObject({ outcome: 'accepted' });
    expect(rig.machines(order.externalKey)).toBe(0);
    expect(rig.commandLines().some((line) => line.startsWith('down'))).toBe(false);
  });

  test('a record that is another one by now is left alone', async () => {
    const rig = new WorldRig();
    const { order } = await serving(rig);
    const [row] = rowsOf(await rig.backend.inventory('dv-'));
    if (row) await rig.backend.reap?.({ ...row, providerId: 'an-older-one' });
    expect(rig.machines(order.externalKey)).toBe(1);
  });

  test('names are compared as a whole: a longer name, and the name of another installation, are nobody of ours', async () => {
    const rig = new WorldRig();
    const { order } = await serving(rig);
    await rent(rig, `${order.externalKey}-0badcafe-head-2`);
    await rent(rig, `${order.externalKey}x-0badcafe-head`);
    await rent(rig, order.externalKey);
    const identity = { deployment: 'default/qwen', revision: 1, ordinal: 0, incarnation: 1 };
    await rent(rig, `${externalKeyOf(identity, 'another')}-0badcafe-head`);
    await rig.clock.advance(60_000);
    expect(rowsOf(await rig.backend.inventory(externalKeyPrefix('test')))).toHaveLength(1);
    rig.loseRecord(order.externalKey);
    await rig.backend.delete(order.externalKey, order);
    expect(rig.world.ledger.running().map(({ owner }) => owner)).toEqual(Array(4).fill('somebody'));
  });
});

describe('a machine under the hash of another user', () => {
  test("is its key's all the same: not gone while it runs, and ended with it", async () => {
    const rig = new WorldRig();
    const order = rig.order();
    await rent(rig, `${order.externalKey}-1a2b3c4d-head`);
    const asked = hints(order, { purpose: 'absence' });
    expect(await rig.backend.observe(order.externalKey, asked)).toMatchObject({ outcome: 'present' });
    expect(rowsOf(await rig.backend.inventory('dv-', order))).toHaveLength(1);
    expect(await rig.backend.discover(order.externalKey, order)).toMatchObject({ outcome: 'present' });
    await rig.backend.delete(order.externalKey, order);
    expect(rig.world.ledger.running()).toEqual([]);
  });
});

const rent = (rig: WorldRig, name: string) =>
  rig.world.cloud.create({
    ...{ name, cloud: 'runpod', accelerator: 'L40S', gpuCount: 1, owner: 'somebody', image: null },
  });
