import { describe, expect, test } from '@jest/globals';
import { VirtualClock } from '@davit/ports';
import { WorldRig } from '../testing/world-rig.js';
import { Pacer } from './wire/pacer.js';
import { policyOf, serverlessOf } from './policy.js';
import { endpointList } from './api/endpoints.js';
import { groupList } from './api/workergroups.js';

describe('calls', () => {
  test('law-13: the key travels in the header alone, and the keys in rows go nowhere', async () => {
    const rig = new WorldRig();
    const order = rig.order();
    const results: unknown[] = [await rig.backend.ensure(order), await rig.backend.discover(order.externalKey, order)];
    const client = rig.newClient();
    results.push(await rig.drive(client.endpoints.list()), await rig.drive(client.workergroups.list()));
    const { store, options } = rig.world.vast;
    const secrets = [
      options.apiKey,
      ...[...store.endpoints.values(), ...store.groups.values()].map(({ api_key }) => api_key),
    ];
    expect(secrets).toHaveLength(3);
    const seen = rig.bodies.join('\n');
    expect(secrets.slice(1).every((secret) => seen.includes(secret))).toBe(true);
    for (const secret of secrets) expect(JSON.stringify(results)).not.toContain(secret);
    expect(rig.requests.every(({ headers }) => headers?.['authorization'] === `Bearer ${options.apiKey}`)).toBe(true);
    expect(rig.requests.some(({ url, body }) => `${url}${body ?? ''}`.includes(options.apiKey))).toBe(false);
  });

  test('a call that came too soon is made again later, and not more often than that', async () => {
    const rig = new WorldRig();
    rig.world.faults.add({
      service: 'vast-console',
      verb: 'GET /api/v0/endptjobs/',
      count: 2,
      effect: { kind: 'status', status: 429, body: 'API requests too frequent: endpoint threshold=3.0' },
    });
    const before = rig.clock.nowMs();
    expect((await rig.drive(rig.newClient().endpoints.list())).kind).toBe('confirmed');
    expect(rig.requests).toHaveLength(3);
    expect(rig.clock.nowMs() - before).toBeGreaterThanOrEqual(6_000);
  });

  test('a service that only ever says "slow down" is unknown within the patience given', async () => {
    const rig = new WorldRig({ settings: { patienceMs: 20_000 } });
    rig.world.faults.add({
      service: 'vast-console',
      count: 1_000,
      effect: { kind: 'status', status: 429, retryAfterSeconds: 8 },
    });
    const before = rig.clock.nowMs();
    expect((await rig.drive(rig.newClient().endpoints.list())).kind).toBe('unknown');
    expect(rig.clock.nowMs() - before).toBeLessThanOrEqual(20_100);
  });

  test('a list of another form is unknown, not empty', () => {
    for (const body of [
      {},
      { results: {} },
      { results: [{ id: 1 }] },
      [],
      { results: [{ id: 'x', endpoint_name: 'a' }] },
    ]) {
      expect(endpointList.safeParse(body).success).toBe(false);
    }
    expect(groupList.safeParse({ results: [] })).toMatchObject({ success: true, data: [] });
  });
});

describe('turns', () => {
  test('calls of one route keep their distance; other routes do not wait for them', async () => {
    const clock = new VirtualClock();
    const pacer = new Pacer(clock, 1);
    const turns: [string, number][] = [];
    const take = (name: string, route: 'GET endptjobs' | 'GET workergroups'): void => {
      void pacer.turn(route, 60_000).then(() => turns.push([name, clock.nowMs() - startMs]));
    };
    const startMs = clock.nowMs();
    for (const name of ['a', 'b', 'c']) take(name, 'GET endptjobs');
    take('other', 'GET workergroups');
    await clock.advance(10_000);
    expect(Object.fromEntries(turns)).toEqual({ a: 0, b: 3_000, c: 6_000, other: 0 });
  });

  test('a turn that would come too late is not waited for', async () => {
    const clock = new VirtualClock();
    const pacer = new Pacer(clock, 1);
    pacer.hold('GET endptjobs', 5_000);
    expect(await pacer.turn('GET endptjobs', 4_999)).toBe(false);
  });
});

test('the policy names every field, in the units of the service', () => {
  const compute = serverlessOf(new WorldRig().spec({ workers: { cold: 0, max: 3, inactivityTimeout: '5m' } }));
  expect(compute && policyOf(compute)).toEqual({
    min_load: 0,
    min_cold_load: 0,
    target_util: 0.9,
    cold_mult: 2.5,
    cold_workers: 0,
    max_workers: 3,
    max_queue_time: 30,
    target_queue_time: 10,
    inactivity_timeout: 300,
  });
});
