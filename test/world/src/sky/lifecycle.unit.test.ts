import { describe, expect, it } from '@jest/globals';
import { CANARY, TestWorld } from '../test-world.js';

const STATUS_KEYS = [
  'init_kind init_status_reason links node_names priority priority_class',
  'accelerators autostop cloud cluster_ever_up cluster_hash cluster_name_on_cloud config_hash cpus is_managed labels',
  'last_creation_command last_creation_yaml last_event last_use launched_at memory metadata name nodes owner region',
  'resources_str resources_str_full status status_updated_at to_down user_hash user_name workspace',
].flatMap((line) => line.split(' '));

const CHAT = { model: 'qwen3-8b', messages: [{ role: 'user', content: 'hi' }] };

async function endpoint(test: TestWorld, name = 'ic-one'): Promise<string> {
  const { exitCode, stdout } = await test.exited(['status', name, '--endpoint', '8000']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^127\.0\.0\.1:\d+\n$/);
  return `http://${stdout.trim()}`;
}

describe('the life of a cluster', () => {
  it('is invisible at first, then INIT, then UP with an endpoint, while the active request tells of it throughout', async () => {
    const test = new TestWorld();
    await test.launch();
    expect(await test.rows('ic-one')).toEqual([]);
    const active = ['api', 'status', '-o', 'json', '-v', '-c', 'ic-one', '-l', 'none'];
    const { stdout } = await test.exited(active);
    expect(stdout).toContain('The flag is ignored because the server does not support it yet.');
    expect(JSON.parse(stdout.slice(stdout.indexOf('\n[')))).toMatchObject([
      { name: 'sky.launch', status: 'PENDING', cluster_name: 'ic-one', user_id: '1a2b3c4d' },
    ]);
    expect(test.world.ledger.everCreated()).toEqual([]);
    await test.clock.advance(250);
    expect(await test.rows('ic-one')).toMatchObject([{ status: 'INIT', cluster_ever_up: false, cloud: 'RunPod' }]);
    expect(test.world.ledger.running()).toMatchObject([{ name: 'ic-one-1a2b3c4d-head', owner: 'sky:ic-one' }]);
    await test.clock.advance(2_000);
    expect(await test.rows('ic-one')).toMatchObject([
      { status: 'UP', cluster_ever_up: true, accelerators: "{'L4': 1}" },
    ]);
    expect((await test.exited(active)).stdout).toMatch(/\n\[\]\n$/);
    await endpoint(test);
  });

  it('has exactly the keys of the JSON model, and an unknown one in the profile of later releases', async () => {
    const test = new TestWorld();
    await test.launch();
    await test.clock.advance(1_000);
    expect(Object.keys((await test.rows())[0] ?? {}).sort()).toEqual([...STATUS_KEYS].sort());
    const future = new TestWorld({ skyFutureKeys: true });
    await future.launch();
    await future.clock.advance(1_000);
    expect(Object.keys((await future.rows())[0] ?? {})).toHaveLength(STATUS_KEYS.length + 1);
  });

  it('refuses connections while the model loads and then wants the key that the secret carried', async () => {
    const test = new TestWorld();
    await test.launch();
    await test.clock.advance(1_900);
    const url = await endpoint(test);
    expect(await test.http('GET', `${url}/health`)).toBe('refused');
    await test.clock.advance(1_000);
    expect(await test.http('GET', `${url}/health`)).toMatchObject({ status: 200, body: '' });
    expect(await test.http('GET', `${url}/v1/models`, 'wrong')).toMatchObject({ status: 401 });
    expect(await test.json('GET', `${url}/v1/models`, CANARY)).toMatchObject({
      data: [{ id: 'qwen3-8b', root: 'Qwen/Qwen3-8B' }],
    });
    expect(await test.http('POST', `${url}/v1/chat/completions`, CANARY, CHAT)).toMatchObject({ status: 200 });
  });

  it('brings up a server that serves another model when a launch was given that fault', async () => {
    const test = new TestWorld();
    const fault = { kind: 'wrong-model', model: 'impostor' } as const;
    test.world.faults.add({ service: 'sky', verb: 'launch', effect: { kind: 'server-fault', fault } });
    await test.launch();
    await test.clock.advance(5_000);
    const url = await endpoint(test);
    expect(await test.json('GET', `${url}/v1/models`, CANARY)).toMatchObject({ data: [{ id: 'impostor' }] });
  });

  it('tells a port that is not declared from one that is not mapped yet only by its warning', async () => {
    const test = new TestWorld({ timings: { portMs: 10_000 } });
    await test.launch();
    await test.clock.advance(3_000);
    const wrong = await test.exited(['status', 'ic-one', '--endpoint', '9000']);
    const early = await test.exited(['status', 'ic-one', '--endpoint', '8000']);
    expect([wrong.exitCode, wrong.stderr]).toEqual([1, 'Aborted!\n']);
    expect([early.exitCode, early.stderr]).toEqual([1, 'Aborted!\n']);
    expect(wrong.stdout).toContain('not exposed on');
    expect(early.stdout).toContain('not exposed yet');
  });

  it('names an unknown cluster on the first of two lines when asked for its endpoint', async () => {
    const { exitCode, stdout, stderr } = await new TestWorld().exited(['status', 'ic-none', '--endpoint', '8000']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Cluster(s) not found');
    expect(stderr).toMatch(/^ValueError: 'ic-none' cluster not found\. .*\nUsage: .*\n$/);
  });

  it('keeps the row of a machine that died until a refresh, which says so before the JSON', async () => {
    const test = new TestWorld();
    await test.launch();
    await test.clock.advance(5_000);
    const [machine] = test.world.cloud.running();
    if (machine) await test.world.cloud.end(machine, 'killed');
    expect(await test.rows('ic-one')).toMatchObject([{ status: 'UP' }]);
    const { stdout } = await test.exited(['status', '-o', 'json', '-r', 'ic-one']);
    expect(stdout).toMatch(/^Cluster .*terminated on the cloud\.\n\[\]\n$/);
    expect(await test.rows('ic-one')).toEqual([]);
  });

  it('drops such a row by itself within a round of its own refresh', async () => {
    const test = new TestWorld();
    await test.launch();
    await test.clock.advance(5_000);
    const [machine] = test.world.cloud.running();
    if (machine) await test.world.cloud.end(machine, 'killed');
    await test.clock.advance(60_000);
    expect(await test.rows('ic-one')).toEqual([]);
  });

  it('runs the task again when launched again, which fails on the taken port and rents nothing', async () => {
    const test = new TestWorld();
    await test.launch();
    await test.clock.advance(5_000);
    await test.launch();
    await test.clock.advance(5_000);
    const { stdout } = await test.exited(['queue', '-o', 'json', 'ic-one']);
    expect(stdout).toMatch(/^Fetching job queue for: ic-one\n\{\n/);
    const queue = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Record<string, { status: string }[]>;
    expect(queue['ic-one']?.map(({ status }) => status)).toEqual(['RUNNING', 'FAILED']);
    expect(test.world.ledger.everCreated()).toHaveLength(1);
  });

  it('serialises two launches of one name: the second waits, then finds the cluster', async () => {
    const test = new TestWorld();
    await test.launch();
    await test.launch();
    await test.clock.advance(300);
    expect(test.world.sky.requests.map(({ status }) => status)).toEqual(['RUNNING', 'WAITING']);
    await test.clock.advance(5_000);
    expect(test.world.sky.requests.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(test.world.ledger.everCreated()).toHaveLength(1);
  });

  it('ends a launch under way when its cluster goes down, and leaves no machine', async () => {
    const test = new TestWorld();
    await test.launch();
    await test.clock.advance(400);
    expect(test.world.ledger.running()).toHaveLength(1);
    await test.exited(['down', '-y', 'ic-one']);
    await test.clock.advance(5_000);
    expect(test.world.sky.requests.map(({ name, status }) => [name, status])).toEqual([
      ['sky.launch', 'CANCELLED'],
      ['sky.down', 'SUCCEEDED'],
    ]);
    expect(test.world.ledger.report()).toMatchObject({ running: 0, everCreated: 1 });
    expect(await test.rows('ic-one')).toEqual([]);
  });

  it('leaves the machine of a cancelled launch running, in a row that stays INIT', async () => {
    const test = new TestWorld();
    await test.launch();
    await test.clock.advance(400);
    const [request] = test.world.sky.requests;
    expect(await test.exited(['api', 'cancel', request?.id.slice(0, 8) ?? ''])).toMatchObject({ exitCode: 0 });
    await test.clock.advance(10_000);
    expect(await test.rows('ic-one')).toMatchObject([{ status: 'INIT' }]);
    expect(test.world.ledger.running()).toHaveLength(1);
  });

  it('stores no secret value anywhere, only names and digests', async () => {
    const test = new TestWorld();
    await test.launch('ic-one', '--secret', `EXTRA=${CANARY}-inline`);
    await test.clock.advance(5_000);
    const { calls, sky, cloud, ledger } = test.world;
    const state = [calls.all(), sky.requests, [...sky.clusters.values()], cloud.all(), ledger.report()];
    const text = JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? [...value] : value));
    expect(text).toContain('WORKER_API_KEY');
    expect(text).not.toContain(CANARY);
    expect(calls.all()[0]).toMatchObject({ service: 'sky', secretInArgv: true });
  });
});
