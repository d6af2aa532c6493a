import { describe, expect, it } from '@jest/globals';
import { type VastFaultRule } from './defects.js';
import { type VastOptions } from './options.js';
import { CHAT, VastTest, type Serving } from './testing.js';

const THREE = { cold_workers: 3, max_workers: 3, min_load: 2_000 };

async function rolling(
  options: Partial<VastOptions> = {},
  policy: object = THREE,
): Promise<{ test: VastTest; serving: Serving; candidate: { id: number; hash_id: string }; old: string }> {
  const test = new VastTest(options);
  const serving = await test.serving(policy);
  const candidate = await test.template();
  return { test, serving, candidate, old: test.vast.standardTemplateHash };
}

const same = (hash: string, count = 3): readonly string[] => Array.from({ length: count }, () => hash);

describe('what starts a rolling update', () => {
  it.each([
    ['put-and-call', true, true],
    ['put-only', true, false],
    ['call-only', false, true],
  ] as const)('%s: the changed workergroup alone %s, the call alone %s', async (rollTrigger, byPut, byCall) => {
    const { test, serving, candidate, old } = await rolling({ rollTrigger });
    await test.put(serving, candidate);
    await test.clock.advance(15_000);
    expect(test.running()).toEqual(same(byPut ? candidate.hash_id : old));
    const other = await rolling({ rollTrigger: 'call-only' });
    await other.test.put(other.serving, other.candidate);
    other.test.vast.options.rollTrigger = rollTrigger;
    expect(await other.test.update(other.serving)).toEqual({ success: true, workers_to_update: byCall ? 3 : 0 });
    await other.test.clock.advance(15_000);
    expect(other.test.running()).toEqual(same(byCall ? other.candidate.hash_id : other.old));
  });

  it('another search starts one too, the same search in other words does not', async () => {
    const { test, serving } = await rolling();
    const put = (search_params: unknown): Promise<unknown> =>
      test.ask('PUT', `/workergroups/${serving.group}/`, { endpoint_id: serving.endpoint, search_params });
    await put({ gpu_ram: { gte: 24 } });
    await test.clock.advance(300);
    expect(test.vast.truth().updating).toEqual([]);
    await put('gpu_ram>=20');
    await test.clock.advance(300);
    expect(test.vast.truth().updating).toEqual([serving.group]);
  });

  it('an edit of the template in place moves nobody until workers are told to update', async () => {
    const { test, serving, candidate } = await rolling();
    await test.put(serving, candidate);
    await test.clock.advance(15_000);
    const { template } = await test.ask('PUT', '/template/', { hash_id: candidate.hash_id, args_str: '--model a/c' });
    await test.clock.advance(15_000);
    expect(test.running()).toEqual(same(candidate.hash_id));
    expect(await test.update(serving)).toMatchObject({ workers_to_update: 3 });
    await test.clock.advance(15_000);
    expect(test.running()).toEqual(same((template as { hash_id: string }).hash_id));
  });

  it('with "every", workers that have the template are updated as well', async () => {
    const { test, serving } = await rolling({ updateSelects: 'every' });
    expect(await test.update(serving)).toMatchObject({ workers_to_update: 3 });
    test.vast.options.updateSelects = 'outdated';
    expect(await test.update(serving)).toMatchObject({ workers_to_update: 0 });
  });

  it('a wrong key or workergroup is told with 200 and success false', async () => {
    const { test, serving } = await rolling();
    const refusal = { success: false, error_msg: expect.any(String) };
    expect(await test.update({ ...serving, group: 1 })).toEqual(refusal);
    expect(await test.run('/update_workers/', { workergroup_id: serving.group }, 'nobody')).toEqual(refusal);
  });
});

describe('the order of a rolling update', () => {
  it('inactive workers come first; then one active after another, so that one can always be routed to', async () => {
    const test = new VastTest();
    const serving = await test.serving({ cold_workers: 3, max_workers: 3, min_load: 1_000, inactivity_timeout: 1 });
    await test.clock.advance(5_000);
    expect((await test.statuses(serving.endpoint)).toSorted()).toEqual(['idle', 'idle', 'stopped']);
    await test.put(serving, await test.template());
    await test.clock.advance(200);
    expect((await test.statuses(serving.endpoint)).toSorted()).toEqual(['idle', 'idle', 'update_rebooting']);
    let fewest = 3;
    for (let step = 0; step < 200; step += 1) {
      await test.clock.advance(50);
      fewest = Math.min(fewest, (await test.statuses(serving.endpoint)).filter((status) => status === 'idle').length);
    }
    expect(fewest).toBeGreaterThan(0);
    expect(test.vast.truth().updating).toEqual([]);
  });

  it('goes through update_ready, update_rebooting and update_starting', async () => {
    const { test, serving, candidate } = await rolling();
    await test.put(serving, candidate);
    await test.clock.advance(15_000);
    const { trace } = (await test.run('/get_workergroup_logs/', { id: serving.group })) as { trace: string };
    for (const step of [
      'idle -> update_ready',
      'update_ready -> update_rebooting',
      'update_rebooting -> update_starting',
    ])
      expect(trace.split(step)).toHaveLength(4);
  });

  it('loses no request: those that run and those that were routed end before their worker reboots', async () => {
    const { test, serving, candidate } = await rolling();
    const routed = [await test.route(), await test.route(), await test.route()];
    const running = test.begin(routed[0] ?? fail(), { ...CHAT, max_tokens: 2_000 });
    await test.put(serving, candidate);
    await test.clock.advance(1_000);
    const late = routed.slice(1).map((auth) => test.begin(auth));
    await test.clock.advance(20_000);
    expect([running, ...late].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(test.running()).toEqual(same(candidate.hash_id));
  });

  it('no-drain cuts requests off, so that a loss can be seen', async () => {
    const { test, serving, candidate } = await rolling();
    test.vast.arm({ kind: 'no-drain' });
    const calls = [];
    for (let index = 0; index < 3; index += 1)
      calls.push(test.begin(await test.route(), { ...CHAT, max_tokens: 2_400 }));
    await test.put(serving, candidate);
    await test.clock.advance(20_000);
    expect(calls.some(({ status }) => status !== 200)).toBe(true);
  });

  it('several workers are drained at once where that is so', async () => {
    const { test, serving, candidate } = await rolling({ updateConcurrency: 2 });
    await test.put(serving, candidate);
    await test.clock.advance(300);
    expect((await test.statuses(serving.endpoint)).toSorted()).toEqual([
      'idle',
      'update_rebooting',
      'update_rebooting',
    ]);
  });

  it('cancel leaves those that have begun to go on, and the others as they are', async () => {
    const { test, serving, candidate, old } = await rolling();
    await test.put(serving, candidate);
    await test.clock.advance(300);
    expect(await test.update(serving, { cancel_update: true })).toEqual({ success: true, cancelled: true });
    await test.clock.advance(20_000);
    expect(test.running().toSorted()).toEqual([candidate.hash_id, old, old].sort());
    expect(await test.statuses(serving.endpoint)).toEqual(['idle', 'idle', 'idle']);
  });

  it('goes back the same way, from the middle as well', async () => {
    const { test, serving, candidate, old } = await rolling();
    const [before] = [...test.vast.store.templates.values()];
    await test.put(serving, candidate);
    await test.clock.advance(1_600);
    await test.put(serving, { id: before?.id ?? 0 });
    await test.update(serving);
    await test.clock.advance(30_000);
    expect(test.running()).toEqual(same(old));
    expect(await test.statuses(serving.endpoint)).toEqual(['idle', 'idle', 'idle']);
  });
});

describe('what the instance record says of a template after an update', () => {
  it.each([
    ['move', (candidate: string) => candidate],
    ['stale', (_candidate: string, old: string) => old],
    ['null', () => null],
  ] as const)('%s', async (instanceTemplateFields, expected) => {
    const { test, serving, candidate, old } = await rolling({ instanceTemplateFields });
    await test.put(serving, candidate);
    await test.clock.advance(15_000);
    const { instances } = (await test.ask('GET', 'v1/instances/')) as unknown as {
      instances: { template_hash_id: string }[];
    };
    expect(instances.map((row) => row.template_hash_id)).toEqual(
      Array.from({ length: 3 }, () => expected(candidate.hash_id, old)),
    );
    expect(test.running()).toEqual(same(candidate.hash_id));
  });
});

describe('an update that does not converge', () => {
  it.each([
    [{ kind: 'stuck-update', workers: 1 }, ['idle', 'idle', 'update_ready'], 2],
    [{ kind: 'stuck-update', at: 'idle', workers: 2 }, ['idle', 'idle', 'idle'], 1],
    [{ kind: 'update-skips', workers: 1 }, ['idle', 'idle', 'idle'], 2],
  ] as const)('%j', async (rule: VastFaultRule, statuses, moved) => {
    const { test, serving, candidate } = await rolling();
    test.vast.arm(rule);
    await test.put(serving, candidate);
    await test.clock.advance(30_000);
    expect((await test.statuses(serving.endpoint)).toSorted()).toEqual(statuses);
    expect(test.running().filter((hash) => hash === candidate.hash_id)).toHaveLength(moved);
  });

  it('a candidate that cannot load goes round in error and reboot, is replaced, and leaves the last worker alone', async () => {
    const { test, serving, candidate, old } = await rolling();
    test.vast.arm({ kind: 'never-loads', on: { template: candidate.hash_id } });
    const before = (await test.workers(serving.endpoint)).map(({ id }) => id);
    await test.put(serving, candidate);
    await test.clock.advance(200_000);
    const after = await test.workers(serving.endpoint);
    expect(after.filter(({ id }) => before.includes(id)).length).toBeLessThan(3);
    expect(test.running()).toContain(old);
    expect(after.map(({ status }) => status)).toContain('idle');
  });

  it('a stuck worker returns when the update is taken back', async () => {
    const { test, serving, candidate, old } = await rolling();
    const [before] = [...test.vast.store.templates.values()];
    const end = test.vast.arm({ kind: 'stuck-update', workers: 1 });
    await test.put(serving, candidate);
    await test.clock.advance(15_000);
    end();
    await test.put(serving, { id: before?.id ?? 0 });
    await test.clock.advance(30_000);
    expect(test.running()).toEqual(same(old));
    expect(await test.statuses(serving.endpoint)).toEqual(['idle', 'idle', 'idle']);
  });
});

function fail(): never {
  throw new Error('not routed');
}
