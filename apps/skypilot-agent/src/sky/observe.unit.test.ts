import { describe, expect, test } from '@jest/globals';
import type { ObserveResult } from '@davit/provider-kit';
import type { LaunchFailure } from '@davit/world';
import { hints, launched, phaseOf } from '../testing/hints.js';
import { elasticSpec, WorldRig } from '../testing/world-rig.js';

async function until(rig: WorldRig, look: () => Promise<ObserveResult>, done: (seen: ObserveResult) => boolean) {
  for (let tries = 0; tries < 200; tries++) {
    const seen = await look();
    if (done(seen)) return seen;
    await rig.clock.advance(500);
  }
  throw new Error('it did not come to that');
}

describe('a launch that fails', () => {
  test.each([
    ['no-capacity', 'capacity'],
    ['quota', 'quota'],
    ['infeasible', 'config'],
    ['credentials', 'auth'],
    ['image-missing', 'config'],
    ['image-pull-interrupted', 'transient'],
    ['disk-full', 'config'],
    ['ssh-timeout', 'transient'],
  ] as [LaunchFailure, string][])('for %s is seen as failed with class %s', async (reason, errorClass) => {
    const rig = new WorldRig();
    rig.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'launch-fails', reason } });
    const { order, handle } = await launched(rig);
    const look = (): Promise<ObserveResult> => rig.backend.observe(order.externalKey, hints(order, { handle }));
    const seen = await until(rig, look, (result) => phaseOf(result) === 'failed');
    expect(seen).toMatchObject({ class: errorClass });
    expect(seen.outcome === 'present' && seen.detail.length).toBeGreaterThan(5);
  });

  test('is absent, not failed, for who wants to know whether it is gone', async () => {
    const rig = new WorldRig();
    rig.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'launch-fails', reason: 'no-capacity' } });
    const { order, handle } = await launched(rig);
    await rig.clock.advance(10_000);
    const seen = await rig.backend.observe(order.externalKey, hints(order, { handle, purpose: 'absence' }));
    expect(seen.outcome).toBe('absent');
  });

  test('tells nothing of the secrets that its log repeats', async () => {
    const rig = new WorldRig();
    const text = 'docker login failed: password=pa55word and token canary-5f1d0c7e9a';
    const effect = { kind: 'launch-fails', reason: 'ssh-timeout', text, log: text } as const;
    rig.world.faults.add({ service: 'sky', verb: 'launch', effect });
    const { order, handle } = await launched(rig);
    const look = (): Promise<ObserveResult> => rig.backend.observe(order.externalKey, hints(order, { handle }));
    const seen = await until(rig, look, (result) => phaseOf(result) === 'failed');
    expect(JSON.stringify(seen)).not.toMatch(/canary|pa55word/);
  });
});

describe('a launch that does not end', () => {
  test('is provisioning for as long as its request is active', async () => {
    const rig = new WorldRig();
    rig.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'launch-fails', reason: 'stuck' } });
    const { order, handle } = await launched(rig);
    await rig.clock.advance(3_600_000);
    expect(phaseOf(await rig.backend.observe(order.externalKey, hints(order, { handle })))).toBe('provisioning');
  });

  test('and a port that never gets an address leaves it up without one', async () => {
    const rig = new WorldRig();
    rig.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'endpoint-never' } });
    const { order } = await launched(rig);
    await rig.clock.advance(60_000);
    const seen = await rig.backend.observe(order.externalKey, hints(order));
    expect(seen).toMatchObject({ outcome: 'present', phase: 'up', url: null });
  });
});

describe('looking at a fleet', () => {
  test('takes no launch for failed that began between its two lists', async () => {
    const rig = new WorldRig();
    const order = rig.order();
    const plain = { ...rig.commands };
    rig.commands.run = async (request) => {
      const outcome = await plain.run(request);
      if (request.args[0] !== 'api') return outcome;
      Object.assign(rig.commands, plain);
      await launched(rig, order);
      await rig.clock.advance(300);
      return outcome;
    };
    const seen = await rig.backend.observe(order.externalKey, hints(order));
    expect(seen).toMatchObject({ outcome: 'present', phase: 'provisioning', detail: expect.stringContaining('INIT') });
  });

  test('costs the same however many replicas ask', async () => {
    const rig = new WorldRig({ settings: { launchingAgeMs: 60_000, steadyAgeMs: 60_000 } });
    const spec = elasticSpec({ spec: { secrets: [] } });
    const orders = Array.from({ length: 20 }, () => rig.order(spec));
    for (const order of orders) await launched(rig, order);
    await rig.clock.advance(10_000);
    rig.requests.length = 0;
    const known = { launching: false, url: 'http://127.0.0.1:20001', providerId: null };
    await Promise.all(
      orders.map((order) => rig.backend.observe(order.externalKey, hints(order, { purpose: 'absence' }))),
    );
    // One look for the first, and one more, begun later, that the others share.
    expect(rig.requests).toHaveLength(4);
    await Promise.all(orders.map((order) => rig.backend.observe(order.externalKey, hints(order, known))));
    const questions = rig.commandLines().filter((line) => line.includes('--endpoint'));
    expect(rig.requests.length - questions.length).toBe(4);
  });

  test('asks for an address once, and not again while it is the same cluster', async () => {
    const rig = new WorldRig();
    const { order } = await launched(rig);
    await rig.clock.advance(10_000);
    const seen = await rig.backend.observe(order.externalKey, hints(order));
    if (seen.outcome !== 'present') throw new Error(seen.outcome);
    const known = { launching: false, url: seen.url, providerId: seen.providerId };
    rig.requests.length = 0;
    expect(await rig.backend.observe(order.externalKey, hints(order, known))).toMatchObject({ url: seen.url });
    expect(rig.commandLines().some((line) => line.includes('--endpoint'))).toBe(false);
    await rig.backend.observe(order.externalKey, hints(order, { ...known, providerId: 'another' }));
    expect(rig.commandLines().some((line) => line.includes('--endpoint'))).toBe(true);
  });

  test.each(['truncate', 'garbage', 'huge'] as const)('output that is damaged (%s) is unknown', async (how) => {
    const rig = new WorldRig();
    const { order } = await launched(rig);
    await rig.clock.advance(10_000);
    rig.world.faults.add({ service: 'sky', verb: 'status', count: 9, effect: { kind: 'malformed', how } });
    const seen = await rig.backend.observe(order.externalKey, hints(order, { purpose: 'absence' }));
    expect(seen.outcome).toBe('unknown');
  });
});

describe('deleting', () => {
  test('a termination that fails with exit code 0 is refused, and the machine is still seen', async () => {
    const rig = new WorldRig();
    const { order } = await launched(rig);
    await rig.clock.advance(10_000);
    rig.world.faults.add({ service: 'sky', verb: 'down', effect: { kind: 'down-lies' } });
    const result = await rig.backend.delete(order.externalKey, order);
    expect(result).toMatchObject({ outcome: 'refused' });
    expect(phaseOf(await rig.backend.observe(order.externalKey, hints(order, { purpose: 'absence' })))).toBe('up');
    expect((await rig.backend.delete(order.externalKey, order)).outcome).toBe('accepted');
  });

  test('a launch under way is cancelled before the termination', async () => {
    const rig = new WorldRig();
    const { order } = await launched(rig);
    await rig.backend.delete(order.externalKey, order);
    const verbs = rig.requests.map(({ args }) => args.slice(0, 2).join(' '));
    expect(verbs.indexOf('api cancel')).toBeGreaterThan(-1);
    expect(verbs.indexOf('api cancel')).toBeLessThan(verbs.indexOf('down -y'));
  });
});
