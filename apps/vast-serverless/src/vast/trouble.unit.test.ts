import { describe, expect, test } from '@jest/globals';
import type { LaunchOrder, ObserveHints } from '@davit/provider-kit';
import { WorldRig } from '../testing/world-rig.js';

const hints = (subject: LaunchOrder, changes: Partial<ObserveHints> = {}): ObserveHints => ({
  ...{ subject, purpose: 'follow', askedAtMs: 0, launching: true, mayBeInvisible: false, billed: false },
  ...{ handle: null, url: null, providerId: null, ...changes },
});
const TOO_MANY = { kind: 'status', status: 429, body: 'API requests too frequent' } as const;
const CREATIONS = ['POST /api/v0/endptjobs/', 'POST /api/v0/workergroups/'] as const;
const created = (rig: WorldRig): number =>
  rig.routes().filter((route) => CREATIONS.some((one) => one === route)).length;

describe('a creation of which nobody knows whether it happened', () => {
  test.each(
    CREATIONS.flatMap((verb) => [
      [verb, { kind: 'status-after', status: 502, body: '<html>bad gateway</html>' }] as const,
      [verb, { kind: 'status-after', status: 504, body: '' }] as const,
      [verb, { kind: 'lost-reply' }] as const,
      [verb, { kind: 'malformed', how: 'truncate' }] as const,
    ]),
  )('is looked for, and never made twice: %s, %j', async (verb, effect) => {
    const rig = new WorldRig();
    const order = rig.order();
    rig.world.faults.add({ service: 'vast-console', verb, effect });
    expect((await rig.backend.ensure(order)).outcome).toBe('unknown');
    expect((await rig.backend.discover(order.externalKey, order)).outcome).toBe('present');
    expect((await rig.newBackend().ensure(order)).outcome).toBe('accepted');
    expect(rig.held(order.externalKey)).toMatchObject({ endpoints: 1, groups: 1 });
    expect(rig.routes().filter((route) => route === verb)).toHaveLength(1);
  });
});

describe('a storm of 429', () => {
  test('that ends within the patience of a call is waited out, and nothing is made twice', async () => {
    const rig = new WorldRig();
    const order = rig.order();
    rig.world.faults.add({ service: 'vast-console', count: 3, effect: TOO_MANY });
    expect((await rig.backend.ensure(order)).outcome).toBe('accepted');
    expect(rig.held(order.externalKey)).toMatchObject({ endpoints: 1, groups: 1 });
    expect(created(rig)).toBe(2);
  });

  test('that does not end is unknown within that patience: not refused, not absent, and nothing was made', async () => {
    const rig = new WorldRig();
    const order = rig.order();
    rig.world.faults.add({ service: 'vast-console', count: 100_000, effect: TOO_MANY });
    const startedMs = rig.clock.nowMs();
    expect((await rig.backend.ensure(order)).outcome).toBe('unknown');
    expect(rig.clock.nowMs() - startedMs).toBeLessThanOrEqual(rig.settings.patienceMs + 1_000);
    expect((await rig.backend.observe(order.externalKey, hints(order, { purpose: 'absence' }))).outcome).toBe(
      'unknown',
    );
    expect((await rig.backend.inventory('dv-')).outcome).toBe('unknown');
    expect(created(rig)).toBe(0);
    expect(rig.requests.length).toBeLessThan(30);
  });

  test('keeps away for as long as it asks to', async () => {
    const rig = new WorldRig();
    rig.world.faults.add({ service: 'vast-console', count: 1, effect: { ...TOO_MANY, retryAfterSeconds: 40 } });
    const startedMs = rig.clock.nowMs();
    await rig.drive(rig.newClient().endpoints.list());
    expect(rig.clock.nowMs() - startedMs).toBeGreaterThanOrEqual(40_000);
  });
});

describe('a key that lacks a permission', () => {
  const scoped = (without: string): WorldRig => {
    const rig = new WorldRig();
    const groups = ['misc', 'user_read', 'user_write', 'instance_read', 'billing_read'].filter(
      (one) => one !== without,
    );
    const key = rig.world.vast.keys.create('scoped', { api: Object.fromEntries(groups.map((one) => [one, {}])) });
    Object.assign(rig.settings, { apiKey: key.secret, templateKey: key.secret });
    return rig;
  };
  const content = { image: 'vllm/vllm-openai:v0.11.0', diskGiB: 40 };

  test.each([
    ['misc', {}, 1],
    ['user_write', { templateHash: undefined, template: content }, 4],
  ])('stops a launch at its first call that needs it, and is named: %s', async (group, compute, calls) => {
    const rig = scoped(group);
    const order = rig.order(rig.spec(compute));
    const result = await rig.newBackend().ensure(order);
    expect(result).toMatchObject({ outcome: 'refused', class: 'auth' });
    expect('detail' in result && result.detail).toContain(group);
    expect(rig.requests.length).toBeLessThanOrEqual(calls);
    expect(rig.held(order.externalKey)).toMatchObject({ endpoints: 0, groups: 0, workers: 0 });
  });

  test('leaves it unknown whether workers are left, and is named: instance_read', async () => {
    const rig = scoped('instance_read');
    const order = rig.order();
    const backend = rig.newBackend();
    expect((await backend.ensure(order)).outcome).toBe('accepted');
    expect((await backend.delete(order.externalKey, order)).outcome).toBe('accepted');
    const seen = await backend.observe(order.externalKey, hints(order, { purpose: 'absence' }));
    expect(seen.outcome).toBe('unknown');
    expect('detail' in seen && seen.detail).toContain('instance_read');
  });

  test('or a deposit: a workergroup that needs both is refused once, and both are named', async () => {
    const rig = new WorldRig({ vast: { workergroupNeeds: 'admin-and-deposit', credit: 0 } });
    const result = await rig.backend.ensure(rig.order());
    expect(result.outcome).toBe('refused');
    expect(rig.routes().filter((route) => route === CREATIONS[1])).toHaveLength(1);
  });
});

describe('workers that outlive their endpoint', () => {
  test('unsaid are seen by the one that knew them, listed, and ended by the emergency key alone', async () => {
    const rig = new WorldRig({ vast: { deleteWorkergroup: 'lingers' }, emergency: true });
    const order = rig.order();
    await rig.backend.ensure(order);
    await untilWorking(rig, order);
    expect((await rig.backend.delete(order.externalKey, order)).outcome).toBe('accepted');
    const absent = () => rig.backend.observe(order.externalKey, hints(order, { purpose: 'absence' }));
    expect(await absent()).toMatchObject({ outcome: 'present', phase: 'stopped' });
    const listed = await rig.backend.inventory('dv-');
    const rows = listed.outcome === 'listed' ? listed.rows : [];
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect((await rig.backend.reap?.(row))?.outcome).toBe('accepted');
    await rig.clock.advance(10_000);
    expect((await absent()).outcome).toBe('absent');
    expect(rig.held(order.externalKey).workers).toBe(0);
  });

  test('and are told as failed make the deletion unfinished, with their numbers', async () => {
    const rig = new WorldRig({ vast: { failedOnDelete: 1 } });
    const order = rig.order();
    await rig.backend.ensure(order);
    await untilWorking(rig, order);
    expect(await rig.backend.delete(order.externalKey, order)).toMatchObject({
      ...{ outcome: 'refused', class: 'transient' },
      detail: expect.stringMatching(/^workers not destroyed: \d+/) as unknown,
    });
    const seen = await rig.backend.observe(order.externalKey, hints(order, { purpose: 'absence' }));
    expect(seen.outcome).not.toBe('absent');
  });
});

test('a list of workers that is only ever a text is never an endpoint without workers, nor one that serves', async () => {
  const rig = new WorldRig({ vast: { workersShape: 'string' } });
  const order = rig.order();
  expect((await rig.backend.ensure(order)).outcome).toBe('accepted');
  await rig.clock.advance(60_000);
  expect(await rig.backend.observe(order.externalKey, hints(order))).toMatchObject({
    phase: 'provisioning',
    url: null,
  });
  const served = { url: 'https://openai.vast.ai/x', launching: false };
  expect((await rig.backend.observe(order.externalKey, hints(order, served))).outcome).toBe('unknown');
});

async function untilWorking(rig: WorldRig, order: LaunchOrder): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const seen = await rig.backend.observe(order.externalKey, hints(order));
    if (seen.outcome === 'present' && seen.phase === 'up') return;
    await rig.clock.advance(500);
  }
  throw new Error('it never came up');
}
