import { describe, expect, test } from '@jest/globals';
import type { LaunchOrder, ObserveHints, ObserveResult, ProviderBackend } from '@davit/provider-kit';
import { WorldRig } from '../testing/world-rig.js';

const hints = (subject: LaunchOrder, changes: Partial<ObserveHints> = {}): ObserveHints => ({
  subject,
  purpose: 'follow',
  askedAtMs: 0,
  launching: true,
  mayBeInvisible: false,
  billed: false,
  handle: null,
  url: null,
  providerId: null,
  ...changes,
});

async function up(rig: WorldRig, order: LaunchOrder): Promise<{ url: string | null; handle: string | null }> {
  const result = await rig.backend.ensure(order);
  if (result.outcome !== 'accepted') throw new Error(JSON.stringify(result));
  for (let tries = 0; tries < 100; tries++) {
    const seen = await rig.backend.observe(order.externalKey, hints(order));
    if (seen.outcome === 'present' && seen.phase === 'up') return { url: seen.url, handle: result.handle };
    await rig.clock.advance(500);
  }
  throw new Error('it never came up');
}

const absence = (
  backend: ProviderBackend,
  order: LaunchOrder,
  changes: Partial<ObserveHints> = {},
): Promise<ObserveResult> => backend.observe(order.externalKey, hints(order, { purpose: 'absence', ...changes }));

describe('one endpoint with one workergroup', () => {
  test('is up at its address in the protocol of OpenAI once a worker is ready, and counts its workers', async () => {
    const rig = new WorldRig();
    const order = rig.order();
    await rig.backend.ensure(order);
    const first = await rig.backend.observe(order.externalKey, hints(order));
    expect(first).toMatchObject({ outcome: 'present', phase: 'provisioning', url: null });
    const { url } = await up(rig, order);
    expect(url).toBe(`https://openai.vast.ai/${order.externalKey}`);
    expect(rig.held(order.externalKey)).toMatchObject({ endpoints: 1, groups: 1 });
    expect(await rig.backend.observe(order.externalKey, hints(order))).toMatchObject({ detail: '1 idle' });
  });

  test('is completed when an earlier attempt ended between the two', async () => {
    const rig = new WorldRig();
    const order = rig.order();
    rig.world.faults.add({
      service: 'vast-console',
      verb: 'POST /api/v0/workergroups/',
      effect: { kind: 'lost-request' },
    });
    expect((await rig.backend.ensure(order)).outcome).toBe('unknown');
    expect(rig.held(order.externalKey)).toMatchObject({ endpoints: 1, groups: 0 });
    expect(await rig.backend.observe(order.externalKey, hints(order))).toMatchObject({
      phase: 'failed',
      class: 'transient',
    });
    expect((await rig.backend.ensure(order)).outcome).toBe('accepted');
    expect(rig.held(order.externalKey)).toMatchObject({ endpoints: 1, groups: 1 });
  });

  test('is not made twice when the answer to its creation is lost', async () => {
    const rig = new WorldRig();
    const order = rig.order();
    rig.world.faults.add({ service: 'vast-console', verb: 'POST /api/v0/endptjobs/', effect: { kind: 'lost-reply' } });
    expect((await rig.backend.ensure(order)).outcome).toBe('unknown');
    expect((await rig.backend.ensure(order)).outcome).toBe('accepted');
    expect(rig.held(order.externalKey)).toMatchObject({ endpoints: 1, groups: 1 });
  });

  test('with a template that does not exist is refused', async () => {
    const rig = new WorldRig();
    const result = await rig.backend.ensure(rig.order(rig.spec({ templateHash: '0'.repeat(32) })));
    expect(result).toMatchObject({ outcome: 'refused', class: 'config', detail: expect.stringContaining('template') });
  });

  test('whose policy was changed by hand gets the whole policy back', async () => {
    const rig = new WorldRig({ vast: { putEndpoint: 'reset-omitted' } });
    const order = rig.order();
    await rig.backend.ensure(order);
    const endpoint = [...rig.world.vast.store.endpoints.values()].find(
      ({ endpoint_name }) => endpoint_name === order.externalKey,
    );
    if (endpoint) endpoint.policy = { ...endpoint.policy, max_workers: 20 };
    expect((await rig.backend.ensure(order)).outcome).toBe('accepted');
    expect(endpoint?.policy).toMatchObject({ max_workers: 2, cold_workers: 1, min_load: 1 });
  });

  test('a key without rights is a refusal with its class', async () => {
    const rig = new WorldRig({ settings: { apiKey: 'wrong' } });
    const order = rig.order();
    expect(await rig.backend.ensure(order)).toMatchObject({ outcome: 'refused', class: 'auth' });
    expect((await rig.backend.discover(order.externalKey, order)).outcome).toBe('unknown');
    expect((await absence(rig.backend, order)).outcome).toBe('unknown');
  });
});

describe('what its workers tell', () => {
  test('a run host that does not answer is unknown once the endpoint served, and patience before', async () => {
    const rig = new WorldRig();
    const order = rig.order();
    const { url } = await up(rig, order);
    rig.world.faults.add({ service: 'vast-run', count: 9, effect: { kind: 'status', status: 500 } });
    const served = hints(order, { launching: false, url });
    expect((await rig.backend.observe(order.externalKey, served)).outcome).toBe('unknown');
    expect(await rig.backend.observe(order.externalKey, hints(order))).toMatchObject({ phase: 'provisioning' });
  });

  test('an endpoint whose workers all sleep is up: they wake on demand', async () => {
    const rig = new WorldRig();
    const order = rig.order(rig.spec({ workers: { cold: 1, max: 2, minLoad: 0, inactivityTimeout: '1s' } }));
    const { url } = await up(rig, order);
    await rig.clock.advance(60_000);
    const seen = await rig.backend.observe(order.externalKey, hints(order, { launching: false, url }));
    expect(seen).toMatchObject({ phase: 'up', detail: '1 stopped', url });
  });
});

describe('deleting', () => {
  test('goes from the workergroup to the endpoint, and workers count until they are gone', async () => {
    const rig = new WorldRig();
    const order = rig.order();
    const { handle } = await up(rig, order);
    rig.requests.length = 0;
    expect((await rig.backend.delete(order.externalKey, order)).outcome).toBe('accepted');
    const deletes = rig.routes().filter((route) => route.startsWith('DELETE'));
    expect(deletes.map((route) => route.split('/')[3])).toEqual(['workergroups', 'endptjobs']);
    expect(rig.held(order.externalKey)).toMatchObject({ endpoints: 0, workers: 1 });
    expect(await absence(rig.backend, order, { handle })).toMatchObject({ outcome: 'present', phase: 'stopped' });
    await rig.clock.advance(5_000);
    expect((await absence(rig.backend, order, { handle })).outcome).toBe('absent');
  });

  test('workers that were not destroyed make it a refusal, and keep the endpoint from being absent', async () => {
    const rig = new WorldRig({ vast: { failedOnDelete: 1 } });
    const order = rig.order();
    const { handle } = await up(rig, order);
    expect(await rig.backend.delete(order.externalKey, order)).toMatchObject({
      outcome: 'refused',
      detail: expect.stringMatching(/workers not destroyed: \d+/),
    });
    await rig.clock.advance(60_000);
    expect((await absence(rig.backend, order)).outcome).toBe('present');
    // After a restart the handle in the log still leads to the workers.
    expect((await absence(rig.newBackend(), order, { handle })).outcome).toBe('present');
  });

  test('instances that cannot be listed leave it unknown whether workers are left', async () => {
    const rig = new WorldRig();
    const order = rig.order();
    await up(rig, order);
    await rig.backend.delete(order.externalKey, order);
    await rig.clock.advance(5_000);
    rig.world.faults.add({
      service: 'vast-console',
      verb: 'GET /api/v1/instances/',
      count: 9,
      effect: { kind: 'status', status: 403 },
    });
    expect((await absence(rig.backend, order)).outcome).toBe('unknown');
  });
});

describe('reaping an endpoint', () => {
  const listed = async (rig: WorldRig) => {
    const result = await rig.backend.inventory('dv-');
    if (result.outcome !== 'listed') throw new Error(result.detail);
    return result.rows;
  };

  test('whose workers are not destroyed leaves them to be seen, and says that only a person can end them', async () => {
    const rig = new WorldRig({ vast: { failedOnDelete: 1 } });
    const order = rig.order();
    await up(rig, order);
    const [endpoint] = await listed(rig);
    if (!endpoint) throw new Error('it is not listed');
    expect(await rig.backend.reap?.(endpoint)).toMatchObject({ outcome: 'refused' });
    await rig.clock.advance(60_000);
    expect(rig.held(order.externalKey)).toMatchObject({ endpoints: 0, workers: 1 });
    const [worker, ...more] = await listed(rig);
    expect(more).toEqual([]);
    expect(worker).toMatchObject({ externalKey: order.externalKey, providerId: expect.stringMatching(/^worker:\d+$/) });
    if (worker) expect(await rig.backend.reap?.(worker)).toMatchObject({ outcome: 'refused', class: 'config' });
    rig.world.faults.add({
      ...{ service: 'vast-console', verb: 'GET /api/v1/instances/', count: 9 },
      effect: { kind: 'status', status: 403 },
    });
    expect((await rig.backend.inventory('dv-')).outcome).toBe('unknown');
  });

  test('whose workers are not destroyed can have each ended by itself where a key for that is set', async () => {
    const rig = new WorldRig({ vast: { failedOnDelete: 1 }, emergency: true });
    const order = rig.order();
    await up(rig, order);
    const [endpoint] = await listed(rig);
    if (endpoint) await rig.backend.reap?.(endpoint);
    const [worker] = await listed(rig);
    if (!worker) throw new Error('no worker is listed');
    rig.world.faults.add({ service: 'vast-console', effect: { kind: 'lost-reply' } });
    expect((await rig.backend.reap?.(worker))?.outcome).toBe('unknown');
    expect((await rig.backend.reap?.(worker))?.outcome).toBe('accepted');
    await rig.clock.advance(60_000);
    expect(rig.held(order.externalKey).workers).toBe(0);
    expect(await listed(rig)).toEqual([]);
  });

  test('whose workers go leaves nothing, and instances are asked for no longer', async () => {
    const rig = new WorldRig();
    const order = rig.order();
    await up(rig, order);
    const [endpoint] = await listed(rig);
    if (endpoint) await rig.backend.reap?.(endpoint);
    await rig.clock.advance(60_000);
    expect(await listed(rig)).toEqual([]);
    rig.requests.length = 0;
    expect(await listed(rig)).toEqual([]);
    expect(rig.routes().filter((route) => route.includes('instances'))).toEqual([]);
  });
});
