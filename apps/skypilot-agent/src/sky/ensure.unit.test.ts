import { describe, expect, test } from '@jest/globals';
import { elasticSpec, SECRET_VALUE, WorldRig } from '../testing/world-rig.js';

describe('launching with sky', () => {
  test('law-13: values of secrets are in the environment of the launch alone, and in no argument, file or call record', async () => {
    const rig = new WorldRig();
    const order = rig.order();
    let file = '';
    const { commands } = rig;
    const run = commands.run.bind(commands);
    Object.assign(commands, {
      run: (request: Parameters<typeof run>[0]) => {
        if (request.args[0] === 'launch') file = [...rig.files.values()].join('\n');
        return run(request);
      },
    });
    expect((await rig.backend.ensure(order)).outcome).toBe('accepted');
    const launches = rig.requests.filter(({ args }) => args[0] === 'launch');
    expect(launches).toHaveLength(1);
    expect(launches[0]?.env['HF_TOKEN']).toBe(SECRET_VALUE);
    expect(launches[0]?.args.slice(0, 6)).toEqual(['launch', '-c', order.externalKey, '-y', '--async', '--secret']);
    expect(rig.requests.filter(({ args }) => args[0] !== 'launch').some(({ env }) => 'HF_TOKEN' in env)).toBe(false);
    expect(file).toContain('HF_TOKEN: null');
    expect([file, ...rig.commandLines(), JSON.stringify(rig.world.calls.all())].join('\n')).not.toContain(SECRET_VALUE);
    expect(rig.world.sky.clusters.size + rig.world.sky.requests.length).toBeGreaterThan(0);
  });

  test('the environment of sky is made of what it needs', async () => {
    const rig = new WorldRig({ settings: { apiServerUrl: 'https://sky.example', apiServerToken: 'sky_token' } });
    const order = rig.order();
    await rig.backend.discover(order.externalKey, order);
    expect(Object.keys(rig.requests[0]?.env ?? {}).toSorted()).toEqual([
      'HOME',
      'LANG',
      'PATH',
      'SKYPILOT_API_SERVER_ENDPOINT',
      'SKYPILOT_DISABLE_USAGE_COLLECTION',
      'SKYPILOT_SERVICE_ACCOUNT_TOKEN',
      'SKYPILOT_USER',
      'SKYPILOT_USER_ID',
    ]);
  });

  test('the task file is gone after the launch, however it ended', async () => {
    const rig = new WorldRig();
    await rig.backend.ensure(rig.order());
    rig.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'lost-request' } });
    await rig.backend.ensure(rig.order());
    expect(rig.files.size).toBe(0);
  });

  test('a full disk keeps the launch from being made, which is no unknown outcome, and the reason is kept', async () => {
    const rig = new WorldRig();
    rig.files.set = () => {
      throw new Error('ENOSPC: no space left on device, write');
    };
    const result = await rig.backend.ensure(rig.order());
    expect(result).toMatchObject({ outcome: 'refused', class: 'transient', detail: expect.stringContaining('ENOSPC') });
    expect(rig.requests.some(({ args }) => args[0] === 'launch')).toBe(false);
  });

  test("a variable is handed on whatever it is called, unless it is the control plane's own credential", async () => {
    const rig = new WorldRig();
    const secrets = [{ name: 'HF_TOKEN', from: { env: 'DAVIT_HF_TOKEN' } }];
    expect((await rig.backend.ensure(rig.order(elasticSpec({ spec: { secrets } })))).outcome).toBe('accepted');
  });

  test.each([
    ['a secret that is not set', { name: 'API_KEY', from: { env: 'NOT_SET' } }, 'NOT_SET'],
    ['a name that steers programs', { name: 'LD_PRELOAD', from: { env: 'HF_TOKEN' } }, 'LD_PRELOAD'],
    ["a variable of the control plane's own", { name: 'API_KEY', from: { env: 'DATABASE_URL' } }, 'DATABASE_URL'],
  ])('%s is refused, by name, before anything is launched', async (_, secret, named) => {
    const rig = new WorldRig();
    // A log may hold specifications that a newer release would not accept.
    const { spec, ...rest } = elasticSpec();
    const result = await rig.backend.ensure(rig.order({ ...rest, spec: { ...spec, secrets: [secret] } }));
    expect(result).toMatchObject({ outcome: 'refused', class: 'config', detail: expect.stringContaining(named) });
    expect(rig.commandLines().some((line) => line.startsWith('launch'))).toBe(false);
  });

  test.each([
    ['auth', 'refused'],
    ['version', 'refused'],
    ['unreachable', 'unknown'],
  ] as const)('an API server that answers with "%s" makes the launch %s', async (reason, outcome) => {
    const rig = new WorldRig();
    rig.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'refusal', reason } });
    expect((await rig.backend.ensure(rig.order())).outcome).toBe(outcome);
  });

  test.each(['truncate', 'garbage', 'huge'] as const)(
    'a launch whose output is damaged (%s) is unknown',
    async (how) => {
      const rig = new WorldRig();
      const order = rig.order();
      rig.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'malformed', how } });
      const { outcome } = await rig.backend.ensure(order);
      expect(how === 'truncate' ? ['unknown', 'accepted'] : ['unknown']).toContain(outcome);
      expect((await rig.backend.discover(order.externalKey, order)).outcome).toBe('present');
    },
  );

  test('noise around the output does not matter', async () => {
    const rig = new WorldRig();
    rig.world.faults.add({ service: 'sky', count: 10, effect: { kind: 'malformed', how: 'noise' } });
    expect((await rig.backend.ensure(rig.order())).outcome).toBe('accepted');
  });

  test('a command that hangs ends at its deadline as unknown', async () => {
    const rig = new WorldRig();
    const order = rig.order();
    rig.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'hang' } });
    expect((await rig.backend.ensure(order)).outcome).toBe('unknown');
    expect((await rig.backend.discover(order.externalKey, order)).outcome).toBe('present');
  });
});
