import { describe, expect, it } from '@jest/globals';
import { TestWorld, USER } from '../test-world.js';

describe('the command line of sky', () => {
  it('prints its version alone', async () => {
    expect(await new TestWorld({ skyVersion: '0.12.0' }).exited(['--version'])).toEqual({
      kind: 'exited',
      exitCode: 0,
      stdout: 'skypilot, version 0.12.0\n',
      stderr: '',
    });
  });

  it.each([
    [['launch', '--bogus', 'replica.yaml'], 'No such option: --bogus'],
    [['status', '-r', '--endpoint', '8000', 'x'], 'Using --ip or --endpoint(s) with --refresh'],
    [['status', '--endpoint', 'http', 'x'], "'http' is not a valid integer"],
    [['status', '-o', 'xml'], "'xml' is not one of 'table', 'json'"],
    [['launch', '-c'], "Option '-c' requires an argument"],
    [['down', '-y'], 'Missing argument'],
    [['launch', '-c', 'a', '-y', '--secret', 'NOT_SET', 'replica.yaml'], 'NOT_SET is not set'],
    [['api', 'get', 'x'], "No such command 'get'"],
  ])('answers misuse %j with exit code 2 and usage on stderr', async (argv, message) => {
    const { exitCode, stdout, stderr } = await new TestWorld().exited(argv);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^Usage: sky /);
    expect(stderr).toContain(message);
  });

  it('asks before it takes an unreadable YAML path for a command, even with -y, and aborts on closed input', async () => {
    const { exitCode, stdout, stderr } = await new TestWorld().exited(['launch', '-c', 'a', '-y', 'missing.yaml']);
    expect([exitCode, stderr]).toEqual([1, 'Aborted!\n']);
    expect(stdout).toContain('Continue? [y/N]: ');
  });

  it('asks before a launch without -y and before a down without -y', async () => {
    const test = new TestWorld();
    const launch = await test.exited(['launch', '-c', 'a', '--secret', 'WORKER_API_KEY', 'replica.yaml']);
    expect([launch.exitCode, launch.stderr]).toEqual([1, 'Aborted!\n']);
    expect(test.world.sky.requests).toEqual([]);
    await test.launch('a');
    await test.clock.advance(5_000);
    const down = await test.exited(['down', 'a']);
    expect([down.exitCode, down.stderr]).toEqual([1, 'Aborted!\n']);
    expect(test.world.ledger.running()).toHaveLength(1);
  });

  it.each(['9lives', 'a_', 'ä', 'a b'])(
    'takes a launch of the cluster name %s, whose request then fails with its class',
    async (name) => {
      const test = new TestWorld();
      expect((await test.launch(name)).exitCode).toBe(0);
      await test.clock.advance(5_000);
      const { exitCode, stderr } = await test.exited(['api', 'logs', test.world.sky.requests[0]?.id ?? '']);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^sky\.exceptions\.InvalidClusterNameError: .*\n$/);
    },
  );

  it('reports a secret without a value, an unknown cloud and an unknown key at once, even with --async', async () => {
    const test = new TestWorld();
    const plain = ['launch', '-c', 'a', '-y', '--async'];
    const secretless = await test.exited([...plain, 'replica.yaml']);
    expect(secretless.exitCode).toBe(1);
    expect(secretless.stderr).toMatch(/^ValueError: .*WORKER_API_KEY/);
    test.files['cloud.yaml'] = 'resources: { infra: moon }';
    const cloudless = await test.exited([...plain, 'cloud.yaml']);
    expect(cloudless.exitCode).toBe(1);
    expect(cloudless.stderr).toMatch(/^sky\.exceptions\.InvalidSkyPilotConfigError: .*'moon' does not match/);
    test.files['key.yaml'] = 'resurces: {}';
    expect((await test.exited([...plain, 'key.yaml'])).stderr).toContain("unsupported field 'resurces'");
  });

  it('prints the request id of an asynchronous launch on a line of its own', async () => {
    const { exitCode, stdout, stderr } = await new TestWorld().launch();
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^YAML to run: replica\.yaml\nRunning on cluster: ic-one\nSubmitted sky\.launch request: [0-9a-f-]{36}\n/,
    );
  });

  it('shows only the caller’s clusters without names, and everybody’s with', async () => {
    const test = new TestWorld();
    await test.launch();
    await test.clock.advance(1_000);
    const other = { ...USER, SKYPILOT_USER_ID: 'ffffffff' };
    expect((await test.exited(['status', '-o', 'json'], other)).stdout).toBe('[]\n');
    expect(JSON.parse((await test.exited(['status', '-o', 'json', 'ic-*'], other)).stdout)).toHaveLength(1);
    expect(JSON.parse((await test.exited(['status', '-u', '-o', 'json'], other)).stdout)).toHaveLength(1);
  });
});
