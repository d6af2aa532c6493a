import { describe, expect, it } from '@jest/globals';
import { type FaultEffect, type LaunchFailure } from '../faults.js';
import { TestWorld } from '../test-world.js';

const fault = (test: TestWorld, verb: string, effect: FaultEffect, count = 1): number =>
  test.world.faults.add({ service: 'sky', verb, effect, count });

async function up(test: TestWorld): Promise<void> {
  await test.launch();
  await test.clock.advance(5_000);
}

describe('exit codes that lie', () => {
  it('down of an absent cluster exits 0', async () => {
    expect(await new TestWorld().exited(['down', '-y', 'ic-none'])).toMatchObject({
      exitCode: 0,
      stdout: 'Cluster(s) not found: \u001b[1mic-none\u001b[0m.\nCluster(s) not found (tip: see `sky status`).\n',
    });
  });

  it('status of an absent cluster prints prose with escape sequences, then [], and exits 0', async () => {
    expect(await new TestWorld().exited(['status', '-o', 'json', 'ic-none'])).toEqual({
      kind: 'exited',
      exitCode: 0,
      stdout: 'Cluster(s) not found: \u001b[1mic-none\u001b[0m.\n[]\n',
      stderr: '',
    });
  });

  it('a refused termination exits 0 and deletes nothing', async () => {
    const test = new TestWorld();
    await up(test);
    fault(test, 'down', { kind: 'down-lies' });
    const { exitCode, stdout } = await test.exited(['down', '-y', 'ic-one']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Forbidden[^]*Cluster\(s\) failed\. See details above\./);
    expect(test.world.ledger.running()).toHaveLength(1);
    await test.exited(['down', '-y', 'ic-one']);
    expect(test.world.ledger.running()).toEqual([]);
  });

  it('an asynchronous down says done before anything is gone', async () => {
    const test = new TestWorld();
    await up(test);
    const { stdout } = await test.exited(['down', '-y', '--async', 'ic-one']);
    expect(stdout).toMatch(/^\nSubmitted sky\.Terminating request: [0-9a-f-]{36}\n[^]*done\./);
    expect(test.world.ledger.running()).toHaveLength(1);
    await test.clock.advance(1_000);
    expect(test.world.ledger.running()).toEqual([]);
  });

  it('an unreachable server makes api info prose, down a success and everything else an exception', async () => {
    const test = new TestWorld();
    await up(test);
    fault(test, '*', { kind: 'refusal', reason: 'unreachable' }, 3);
    const info = await test.exited(['api', 'info', '-o', 'json']);
    const down = await test.exited(['down', '-y', 'ic-one']);
    const status = await test.exited(['status', '-o', 'json']);
    expect([info.exitCode, down.exitCode, status.exitCode]).toEqual([0, 0, 1]);
    expect(() => JSON.parse(info.stdout) as unknown).toThrow();
    expect(status.stderr).toMatch(/^sky\.exceptions\.ApiServerConnectionError: /);
    expect(test.world.ledger.running()).toHaveLength(1);
  });

  it('a launch that will fail for capacity exits 0; its request tells later', async () => {
    const test = new TestWorld();
    test.world.stock.set({ gpu: 'L4', free: 0 });
    expect(await test.launch()).toMatchObject({ exitCode: 0 });
    await test.clock.advance(5_000);
    const [request] = test.world.sky.requests;
    const unfollowed = await test.exited(['api', 'logs', request?.id ?? '', '--no-follow', '--tail', '100']);
    expect([unfollowed.exitCode, unfollowed.stderr]).toEqual([0, '']);
    const logs = await test.exited(['api', 'logs', request?.id ?? '', '--tail', '100']);
    expect(logs.exitCode).toBe(1);
    expect(logs.stderr).toContain('ResourcesUnavailableError: Failed to provision all possible launchable resources');
    expect(await test.rows('ic-one')).toEqual([]);
    expect(test.world.ledger.everCreated()).toEqual([]);
  });
});

describe('launches that go wrong later', () => {
  it.each<[LaunchFailure, string, number]>([
    ['no-capacity', 'ResourcesUnavailableError', 0],
    ['infeasible', 'ResourcesUnavailableError', 0],
    ['quota', 'ResourcesUnavailableError', 0],
    ['credentials', 'InvalidCloudCredentials', 0],
    ['owner-mismatch', 'ClusterOwnerIdentityMismatchError', 0],
    ['image-missing', 'ClusterSetUpError', 1],
    ['image-pull-interrupted', 'ClusterSetUpError', 1],
    ['disk-full', 'ClusterSetUpError', 1],
    ['ssh-timeout', 'CommandError', 1],
  ])('%s ends in %s with %i machines left to delete', async (reason, className, machines) => {
    const test = new TestWorld();
    fault(test, 'launch', { kind: 'launch-fails', reason });
    await up(test);
    expect(test.world.sky.requests[0]).toMatchObject({ status: 'FAILED', error: { className } });
    expect(test.world.ledger.running()).toHaveLength(machines);
    expect(await test.rows('ic-one')).toHaveLength(machines);
    if (machines === 0) return;
    const log = await test.exited(['logs', 'ic-one', '--provision', '--no-follow', '--tail', '200']);
    expect(log.stdout.trim()).not.toBe('');
    await test.exited(['down', '-y', 'ic-one']);
    expect(test.world.ledger.running()).toEqual([]);
  });

  it('a stuck launch runs until its cluster goes down', async () => {
    const test = new TestWorld();
    fault(test, 'launch', { kind: 'launch-fails', reason: 'stuck' });
    await up(test);
    await test.clock.advance(3_600_000);
    expect(test.world.sky.requests[0]).toMatchObject({ status: 'RUNNING' });
    await test.exited(['down', '-y', 'ic-one']);
    expect(test.world.ledger.running()).toEqual([]);
  });
});

describe('replies that do not arrive', () => {
  it('kills the client after the launch was accepted, or before', async () => {
    const test = new TestWorld();
    fault(test, 'launch', { kind: 'lost-reply' });
    const argv = ['launch', '-c', 'ic-one', '-y', '--async', '--secret', 'WORKER_API_KEY', 'replica.yaml'];
    expect(await test.sky(argv)).toEqual({ kind: 'killed' });
    expect(test.world.sky.requests).toHaveLength(1);
    fault(test, 'launch', { kind: 'lost-request' });
    expect(await test.sky(argv)).toEqual({ kind: 'killed' });
    expect(test.world.sky.requests).toHaveLength(1);
  });

  it('leaves a machine running when its row is lost', async () => {
    const test = new TestWorld();
    fault(test, 'launch', { kind: 'row-lost' });
    await up(test);
    expect(await test.rows('ic-one')).toEqual([]);
    expect(test.world.ledger.running()).toHaveLength(1);
  });

  it('cuts output short, floods it or puts noise before it, as often as the rule says', async () => {
    const test = new TestWorld();
    await up(test);
    fault(test, 'status', { kind: 'malformed', how: 'truncate' });
    const cut = await test.exited(['status', '-o', 'json']);
    expect(() => JSON.parse(cut.stdout) as unknown).toThrow();
    fault(test, 'status', { kind: 'malformed', how: 'noise' });
    expect((await test.exited(['status', '-o', 'json'])).stdout).toMatch(/newer version[^]*^\[/m);
    expect((await test.exited(['status', '-o', 'json'])).stdout).toMatch(/^\[/);
  });

  it('hits only the chosen call of those that match, and is then used up', async () => {
    const test = new TestWorld();
    test.world.faults.add({
      service: 'sky',
      verb: 'status',
      name: 'ic-*',
      nth: 2,
      effect: { kind: 'refusal', reason: 'auth' },
    });
    expect((await test.exited(['status', '-o', 'json', 'other'])).exitCode).toBe(0);
    expect((await test.exited(['status', '-o', 'json', 'ic-a'])).exitCode).toBe(0);
    expect((await test.exited(['status', '-o', 'json', 'ic-b'])).exitCode).toBe(1);
    expect((await test.exited(['status', '-o', 'json', 'ic-b'])).exitCode).toBe(0);
    expect(test.world.faults.list()).toEqual([]);
  });
});
