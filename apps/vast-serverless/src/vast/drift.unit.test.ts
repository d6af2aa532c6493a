import { describe, expect, test } from '@jest/globals';
import type { LaunchOrder, ObserveHints } from '@davit/provider-kit';
import { WorldRig } from '../testing/world-rig.js';

const hints = (subject: LaunchOrder, handle: string | null): ObserveHints => ({
  ...{ subject, handle, purpose: 'follow', askedAtMs: 0, launching: true, mayBeInvisible: false, billed: false },
  ...{ url: null, providerId: null },
});

async function served() {
  const rig = new WorldRig();
  const order = rig.order(rig.spec({ search: 'verified=true gpu_name=L40S' }));
  const result = await rig.backend.ensure(order);
  if (result.outcome !== 'accepted') throw new Error(JSON.stringify(result));
  const look = async () => {
    await rig.clock.advance(20_000);
    const seen = await rig.backend.observe(order.externalKey, hints(order, result.handle));
    if (seen.outcome !== 'present') throw new Error(JSON.stringify(seen));
    return seen;
  };
  for (let tries = 0; tries < 100 && (await look()).phase !== 'up'; tries++) await rig.clock.advance(5_000);
  const [endpoint] = [...rig.world.vast.store.endpoints.values()];
  const [group] = [...rig.world.vast.store.groups.values()];
  if (!endpoint || !group) throw new Error('nothing was made');
  return { rig, order, look, endpoint, group, handle: result.handle };
}

describe('settings that somebody else changed', () => {
  test('are none after a launch, whose handle keeps template and search', async () => {
    const { look, group, handle } = await served();
    expect(handle?.split('/').slice(2, 4)).toEqual([String(group.template.id), group.template.hash]);
    expect(await look()).not.toHaveProperty('changed');
  });

  test('are told by field, with what was wanted: policy, search, template and state', async () => {
    const { rig, look, endpoint, group } = await served();
    endpoint.policy = { ...endpoint.policy, max_workers: 20, cold_workers: 5 };
    expect((await look()).changed).toEqual({
      was: 'cold_workers 1, max_workers 2',
      is: 'cold_workers 5, max_workers 20',
    });
    endpoint.policy = { ...endpoint.policy, max_workers: 2, cold_workers: 1 };
    group.searchText = 'verified=true';
    expect((await look()).changed?.was).toMatch(/^search digest/);
    group.searchText = 'verified=true gpu_name=L40S';
    const asked = group.template.hash;
    const edited = rig.world.vast.store.putTemplate({ name: 'other', image: 'other' });
    group.template = edited;
    expect((await look()).changed).toEqual({ was: `template ${asked}`, is: `template ${edited.hash}` });
    endpoint.endpoint_state = 'suspended';
    expect((await look()).changed?.is).toContain('state suspended');
  });

  test('that are stopped are a phase of their own', async () => {
    const { look, endpoint } = await served();
    endpoint.endpoint_state = 'stopped';
    expect(await look()).toMatchObject({ phase: 'stopped' });
  });
});

describe('what workers cost', () => {
  test('is the sum of what their instances are billed, and not known where those cannot be read', async () => {
    const { rig, look } = await served();
    const priced = await look();
    const billed = [...rig.world.vast.store.workers.values()].filter(({ status }) => status === 'idle');
    expect(billed.length).toBeGreaterThan(0);
    expect(priced.price).toMatchObject({ currency: 'USD', unit: 'instance-hour', kind: 'billed' });
    expect(priced.price?.amount).not.toBe('0');
    rig.world.faults.add({
      ...{ service: 'vast-console', verb: 'GET /api/v1/instances/', count: 9 },
      effect: { kind: 'status', status: 403 },
    });
    expect(await look()).toMatchObject({ phase: 'up', price: null });
  });
});
