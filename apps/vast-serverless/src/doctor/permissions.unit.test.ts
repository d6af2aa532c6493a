import { describe, expect, test } from '@jest/globals';
import { WorldRig } from '../testing/world-rig.js';
import { examineVast } from './permissions.js';

const examine = async (rig: WorldRig) =>
  Object.fromEntries(
    (await rig.drive(examineVast({ client: rig.newClient(), settings: rig.settings, clock: rig.clock }))).map(
      (check) => [check.name, check],
    ),
  );

const refuse = (rig: WorldRig, verb: string, status: number, body: object): void =>
  void rig.world.faults.add({
    ...{ service: 'vast-console', verb },
    effect: { kind: 'status', status, body: JSON.stringify(body) },
  });

describe('what a key of Vast may do', () => {
  test('is told by reading alone: nothing is written, and no other key is tried', async () => {
    const rig = new WorldRig();
    const checks = await examine(rig);
    expect(Object.values(checks).filter(({ ok }) => !ok)).toEqual([]);
    expect(rig.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    const keys = new Set(rig.requests.map(({ headers }) => headers?.['authorization']));
    expect([...keys]).toEqual([`Bearer ${rig.settings.apiKey}`]);
  });

  test.each([401, 403])('names the group that is missing where Vast answers %s', async (status) => {
    const rig = new WorldRig();
    refuse(rig, 'GET /api/v1/instances/', status, { msg: 'Your key lacks the `instance_read` permission group' });
    const checks = await examine(rig);
    expect(checks['vast permission instance_read']).toMatchObject({
      ok: false,
      remedy: expect.stringContaining('instance_read') as unknown,
    });
    expect(checks['vast permission misc']).toMatchObject({ ok: true });
  });

  test('says of a key that is not known, and of one without a deposit, what each needs', async () => {
    const unknown = await examine(new WorldRig({ settings: { apiKey: 'wrong' } }));
    expect(unknown['vast permission misc']).toMatchObject({
      ok: false,
      remedy: expect.stringContaining('VAST_API_KEY') as unknown,
    });
    const poor = new WorldRig();
    refuse(poor, 'GET /api/v0/users/current/', 200, {
      id: 1,
      credit: 1.25,
      balance: 0,
      email: 'a@b',
      api_key: 'canary',
    });
    const checks = await examine(poor);
    expect(checks['vast credit']).toMatchObject({ ok: false, detail: 'USD 1.25' });
    expect(JSON.stringify(checks)).not.toMatch(/canary|a@b/);
  });

  test('is no fault where no key is set, and not known where Vast does not answer', async () => {
    const none = await examine(new WorldRig({ settings: { apiKey: '' } }));
    expect(none).toMatchObject({ 'vast key': { ok: true } });
    const silent = new WorldRig();
    silent.world.faults.add({ service: 'vast-console', count: 20, effect: { kind: 'status', status: 502 } });
    expect((await examine(silent))['vast permission misc']).toMatchObject({
      ok: false,
      detail: expect.stringContaining('not known') as unknown,
    });
  });
});
