import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { busStreams, subjects } from '@davit/contracts';
import { type NatsConnection, connect } from 'nats';
import { parse } from 'yaml';
import { readLog } from './log-reader.js';
import { askBus, deadLetters, utf8 } from './testing/bus.js';
import { type CliResult, davit, startCli } from './cli.js';
import { answers, dropProjections } from './testing/projections.js';
import { EXAMPLE, LIFE_TIMEOUT_MS, type Rig, SERVICES, startRig, urlOf } from './testing/rig.js';
import { waitFor } from './wait-for.js';

interface Manifest {
  readonly apiVersion: string;
  readonly metadata: object;
  readonly spec: object;
}
const manifest = parse(readFileSync(EXAMPLE, 'utf8')) as Manifest;
const yaml = readFileSync(EXAMPLE, 'utf8');
const APPLY = subjects.intent('deployment', 'apply');

// Every command is a process of its own, on a machine that does other things too.
jest.setTimeout(60_000);

let rig: Rig;
let bus: NatsConnection;
let front: string;
beforeAll(async () => {
  rig = await startRig('doors', { durable: true });
  front = urlOf(rig.system, 'spec-api');
  bus = await connect({ servers: rig.system.natsUrl });
}, LIFE_TIMEOUT_MS);
afterAll(async () => {
  await bus.close();
  await rig.system.stop();
}, LIFE_TIMEOUT_MS);

const withSpec = (change: object): object => ({ ...manifest, spec: { ...manifest.spec, ...change } });
const withName = (name: string): object => ({ ...manifest, metadata: { ...manifest.metadata, name } });

async function post(body: string, type = 'application/json', headers: Record<string, string> = {}) {
  const response = await fetch(new URL('/v1/intents/deployment/apply', front), {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body,
  });
  return { status: response.status, body: await response.json() };
}

const problem = (status: number, code: string, path?: string): object => ({
  status,
  body: expect.objectContaining({
    status,
    code,
    ...(path === undefined ? {} : { errors: expect.arrayContaining([expect.objectContaining({ path })]) }),
  }),
});

describe('bad input over HTTP gets a problem document that names the place', () => {
  test.each([
    ['JSON that ends too early', '{"apiVersion": ', 400, 'malformed-json', undefined],
    ['no body', '', 400, 'empty-body', undefined],
    ['a misspelt key', JSON.stringify(withSpec({ scalign: { replicas: 2 } })), 422, 'invalid-spec', 'spec.scalign'],
    [
      '10 000 replicas',
      JSON.stringify(withSpec({ scaling: { replicas: 10_000 } })),
      422,
      'invalid-spec',
      'spec.scaling.replicas',
    ],
    [
      'a schema of the future',
      JSON.stringify({ ...manifest, apiVersion: 'davit.dev/v2' }),
      422,
      'invalid-spec',
      'apiVersion',
    ],
    [
      'a key of the language',
      `{"__proto__":{"admin":true},${JSON.stringify(manifest).slice(1)}`,
      422,
      'invalid-spec',
      '__proto__',
    ],
    ['an inherited key', JSON.stringify({ ...manifest, toString: 'x' }), 422, 'invalid-spec', 'toString'],
    ['no object at all', '[]', 422, 'invalid-spec', undefined],
  ])('%s', async (_what, body, status, code, path) => {
    expect(await post(body)).toEqual(problem(status, code, path));
  });

  test.each([
    '../../etc/passwd',
    `x'; DROP TABLE event; --`,
    'Модель',
    'a\u202Eb',
    'nul\u0000',
    '',
    '-x',
    'a'.repeat(51),
    'a/b',
    '${jndi:x}',
  ])('the name %j', async (name) => {
    expect(await post(JSON.stringify(withName(name)))).toEqual(problem(422, 'invalid-spec', 'metadata.name'));
  });

  test('5 MB, and text of another kind', async () => {
    const big = JSON.stringify(withSpec({ padding: 'x'.repeat(5 * 1024 * 1024) }));
    expect(await post(big)).toEqual(problem(413, 'payload-too-large'));
    expect(await post(yaml, 'application/yaml')).toEqual(problem(415, 'unsupported-media-type'));
  });

  test.each([
    ['/v1/deployments/..%2f..%2fetc/passwd', 404],
    ['/v1/deployments/default/__proto__', 404],
    [`/v1/replicas?deployment=${encodeURIComponent("x' OR 1=1 --")}`, 400],
    ['/v1/replicas?deploymnet=x', 400],
    ['/v1/events?after=-1', 400],
    ['/v1/events?limit=1e9', 400],
    ['/v1/events/stream?after=999999999', 400],
  ])('GET %s', async (path, status) => {
    const response = await fetch(front + path);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status });
  });
});

describe('bad input on the bus', () => {
  test('bytes that are no JSON are answered, and set aside with the payload', async () => {
    const poison = Uint8Array.from([0xff, 0xfe, 0x00, 0x7b, 0x80]);
    expect(await askBus(bus, APPLY, poison)).toMatchObject({ isProblem: true, body: { code: 'poison', status: 400 } });
    const letter = await waitFor(
      'the payload is among the dead letters',
      async () => (await deadLetters(bus)).find(({ payload }) => Buffer.from(payload).equals(Buffer.from(poison))),
      { timeoutMs: 20_000, everyMs: 100 },
    );
    expect(letter).toMatchObject({ kind: 'poison', subject: APPLY, stream: busStreams.intents });
  });

  test('an intent nobody handles is set aside with the payload', async () => {
    bus.publish('davit.intent.deployment.frobnicate', utf8({ a: 1 }));
    const letter = await waitFor(
      'the intent is among the dead letters',
      async () => (await deadLetters(bus)).find(({ subject }) => subject === 'davit.intent.deployment.frobnicate'),
      { timeoutMs: 20_000, everyMs: 100 },
    );
    expect(letter).toMatchObject({ kind: 'no-handler' });
    expect(Buffer.from(letter.payload).toString()).toBe('{"a":1}');
  });

  test('one of 5 MB is refused', async () => {
    const big = utf8({ deployment: manifest, padding: 'x'.repeat(5 * 1024 * 1024) });
    expect(await askBus(bus, APPLY, big)).toMatchObject({ isProblem: true, body: { status: 413 } });
  });

  test('mistakes of content are answered as rejections with the place', async () => {
    expect(await askBus(bus, APPLY, utf8({ ...manifest, apiVersion: 'davit.dev/v2' }))).toMatchObject({
      body: { outcome: 'rejected', code: 'invalid-spec', problems: [{ path: 'apiVersion' }] },
    });
    expect(await askBus(bus, APPLY, utf8({ deployment: manifest, idempotencyKye: 'x' }))).toMatchObject({
      body: { outcome: 'rejected', code: 'invalid-intent', problems: [{ path: 'idempotencyKye' }] },
    });
  });
});

describe('after all of it', () => {
  test('every service is ready, and nothing was declared', async () => {
    for (const service of SERVICES)
      expect((await fetch(new URL('/readyz', urlOf(rig.system, service)))).status).toBe(200);
    const types = (await readLog(rig.client)).map(({ type }) => type);
    expect(types).toContain('davit.intent.rejected');
    expect(types.filter((type) => !type.startsWith('davit.intent.'))).toEqual([]);
  });

  test('a plan changes nothing', async () => {
    const before = await readLog(rig.client);
    const planned = await cli(['plan', '-f', EXAMPLE]);
    expect(planned).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('No side effects') });
    expect(json(await cli(['--json', 'plan', '-f', EXAMPLE]))).toMatchObject({
      change: 'new',
      replicas: { from: 0, to: 2 },
    });
    expect(json(await cli(['get', 'deployments', '--json']))).toEqual([]);
    expect(await readLog(rig.client)).toEqual(before);
  });

  test('a normal intent is accepted; its key again gives the same answer, with other content a conflict', async () => {
    const intent = { deployment: manifest, idempotencyKey: 'once' };
    const first = await askBus(bus, APPLY, utf8(intent));
    expect(first).toMatchObject({ isProblem: false, body: { outcome: 'accepted', changed: true, revision: 1 } });
    expect(await askBus(bus, APPLY, utf8(intent))).toEqual(first);
    expect(await post(JSON.stringify(intent))).toEqual({ status: 202, body: first.body });
    const other = { ...intent, deployment: withSpec({ scaling: { replicas: 1 } }) };
    expect(await askBus(bus, APPLY, utf8(other))).toMatchObject({
      body: { outcome: 'rejected', code: 'idempotency-conflict' },
    });
    expect(await post(JSON.stringify(other))).toEqual(problem(409, 'idempotency-conflict', 'idempotencyKey'));
    expect(
      await cli(['apply', '-f', '-', '--idempotency-key', 'once'], JSON.stringify(other.deployment)),
    ).toMatchObject({ exitCode: 3 });
  });
});

describe('the command line, against the running system', () => {
  test(
    'waits for what was declared, follows events until Ctrl-C, and shows what there is',
    async () => {
      const follower = startCli(front, ['events', '--follow', '--json']);
      const applied = await cli(['apply', '-f', EXAMPLE, '--wait']);
      expect(applied).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('qwen3-8b is as declared: 2 replicas serve'),
      });
      await waitFor(
        'the follower has seen the route',
        async () => (follower.stdout().includes('davit.route.registered') ? true : undefined),
        { timeoutMs: 20_000, everyMs: 100 },
      );
      follower.signal('SIGINT');
      const followed = await follower.ended;
      expect(followed.exitCode).toBe(0);
      const positions = lines(followed).map((event) => (event as { position: number }).position);
      expect(positions).toEqual(positions.map((_, index) => index + 1));

      expect(json(await cli(['--json', 'get', 'deployments']))).toEqual([
        expect.objectContaining({ name: 'qwen3-8b', readyReplicas: 2, activeRevision: 1 }),
      ]);
      expect(json(await cli(['--json', 'get', 'replicas']))).toHaveLength(2);
      expect(json(await cli(['--json', 'get', 'routes']))).toEqual([
        expect.objectContaining({ alias: 'default/qwen3-8b' }),
      ]);
      for (const kind of ['deployments', 'replicas', 'routes'])
        expect(await cli(['get', kind])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('qwen3-8b') });
      const page = lines(await cli(['events', '--json', '--after', '2', '--limit', '3']));
      expect(page.map((event) => (event as { position: number }).position)).toEqual([3, 4, 5]);
    },
    LIFE_TIMEOUT_MS,
  );

  test('finds nothing to mend, and says what to do when nobody answers', async () => {
    const healthy = await cli(['doctor', '--json']);
    expect({ exitCode: healthy.exitCode, found: json(healthy) }).toMatchObject({ exitCode: 0, found: { ok: true } });
    const lost = await davit('http://127.0.0.1:9', ['doctor']);
    expect(lost).toMatchObject({ exitCode: 5, stdout: expect.stringContaining('npm run up') });
    expect(await davit('http://127.0.0.1:9', ['get', 'routes'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('npm run up'),
    });
  });

  test.each([
    ['a file that is not there', ['apply', '-f', '/no/such/file'], undefined, 2],
    ['YAML that is none', ['apply', '-f', '-'], 'a: [1,\nb: }', 2],
    ['a key twice', ['apply', '-f', '-'], 'kind: a\nkind: b\n', 2],
    ['aliases without end', ['apply', '-f', '-'], bomb(), 2],
    ['5 MB', ['plan', '-f', '-'], `a: ${'x'.repeat(5 * 1024 * 1024)}`, 2],
    ['a schema of the future', ['apply', '-f', '-'], yaml.replace('davit.dev/v1', 'davit.dev/v2'), 2],
    ['a hostile name', ['plan', '-f', '-'], yaml.replace('name: qwen3-8b', 'name: ../../etc/passwd'), 2],
    ['an option nobody knows', ['get', 'routes', '--frobnicate'], undefined, 2],
    ['a kind nobody knows', ['get', 'secrets'], undefined, 2],
    ['a command nobody knows', ['frobnicate'], undefined, 2],
    ['a deployment that is not there', ['delete', 'nobody'], undefined, 3],
  ])('%s: exit code, a message, and no stack', async (_what, args, input, exitCode) => {
    const result = await cli(args, input);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stdout).toBe('');
    expect(result.stderr).not.toMatch(/^\s+at /m);
    expect(result.stderr.length).toBeGreaterThan(20);
    const asJson = await cli([...args, '--json'], input);
    expect(asJson.exitCode).toBe(exitCode);
    expect(json(asJson)).toMatchObject({ error: { exitCode } });
  });
});

describe('orders and the audit, against the running system', () => {
  test('what does not fit the state is refused on both doors with the remedy, and nothing is ordered', async () => {
    for (const [args, remedy] of [
      [['cancel', 'qwen3-8b'], /no rollout is under way/],
      [['retry', 'default/qwen3-8b'], /no replica of .* waits after a failed start/],
      [['fleet', 'thaw', '--reason', 'x'], /davit fleet/],
      [['orphans', 'reap', 'skypilot:dv-x@y', '--reason', 'x'], /davit orphans/],
    ] as const)
      expect(await cli(args)).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(remedy) });
    expect(await askBus(bus, subjects.intent('fleet', 'thaw'), utf8({ reason: 'x' }))).toMatchObject({
      body: { outcome: 'rejected', code: 'not-frozen' },
    });
    expect(await askBus(bus, subjects.intent('orphan', 'reap'), utf8({ orphan: 'x' }))).toMatchObject({
      body: { outcome: 'rejected', code: 'invalid-intent', problems: [{ path: 'reason' }] },
    });
    expect((await readLog(rig.client)).map(({ type }) => type)).not.toContain('davit.fleet.thaw-ordered');
  });

  test('the fleet serves without orphans and alarms, and its log keeps the laws', async () => {
    expect(json(await cli(['--json', 'fleet']))).toMatchObject({ serving: 2, frozen: null });
    expect(await cli(['orphans'])).toMatchObject({ exitCode: 0, stdout: 'no orphans\n' });
    expect(await cli(['alarms'])).toMatchObject({ exitCode: 0, stdout: 'no alarms\n' });
    expect(await cli(['audit'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('nothing found') });
  });
});

describe('the tables that services read from', () => {
  const readers: readonly string[] = ['spec-api', 'router-registry'];
  const writers = SERVICES.filter((service) => !readers.includes(service));
  const stop = (services: readonly string[]) => Promise.all(services.map((service) => rig.system.stopService(service)));
  const start = (services: readonly string[]) =>
    Promise.all(services.map((service) => rig.system.restartService(service)));

  test(
    'dropped from under every service, come back from the log with the same answers',
    async () => {
      // With the writers at rest the log stands still, so the answers can be compared word for word.
      await stop(writers);
      const before = await answers(rig);
      expect(before).toMatchObject({ routes: { items: [{ alias: 'default/qwen3-8b', targets: [{}, {}] }] } });
      await stop(readers);
      expect(await dropProjections(rig)).toHaveLength(SERVICES.length);
      await start(readers);
      expect(await answers(rig)).toEqual(before);
      await start(writers);
    },
    LIFE_TIMEOUT_MS,
  );
});

describe('the end', () => {
  test(
    'deletes, and says so once nothing is left at any provider',
    async () => {
      const deleted = await cli(['delete', 'qwen3-8b', '--wait']);
      expect(deleted).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('qwen3-8b is deleted'),
      });
      expect(await rig.world.running()).toEqual([]);
      expect(json(await cli(['--json', 'get', 'deployments']))).toEqual([]);
      expect(json(await cli(['--json', 'get', 'replicas']))).toEqual([]);
    },
    LIFE_TIMEOUT_MS,
  );

  test('leaves laws kept, and tables that equal the log', async () => {
    const { outcome } = rig.scenario();
    const { leaked, lawsBroken, auditsFailed } = await rig.judge({ outcome: { ...outcome, deleted: true } });
    expect({ leaked, lawsBroken, auditsFailed }).toEqual({ leaked: 0, lawsBroken: [], auditsFailed: [] });
  });
});

const cli = (args: readonly string[], input?: string): Promise<CliResult> => davit(front, args, input);
const lines = ({ stdout }: CliResult): unknown[] =>
  stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
const json = (result: CliResult): unknown => lines(result).at(-1);

function bomb(): string {
  const levels = 'bcdefghi'.split('').map(
    (name, index) =>
      `${name}: &${name} [${Array(9)
        .fill(`*${'abcdefgh'[index] ?? ''}`)
        .join(', ')}]`,
  );
  return `a: &a [x, x, x, x, x, x, x, x, x]\n${levels.join('\n')}\n`;
}
