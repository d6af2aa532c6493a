import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ROUTES_BUCKET, parseDeployment, routeCacheKey } from '@davit/contracts';
import { type NatsBroker, startNats } from '@davit/test-support';
import { type NatsConnection, connect } from 'nats';

const root = path.resolve(import.meta.dirname, '..', '..');

/** The blocks of code of one language in a page. */
function blocks(page: string, language: string): string[] {
  const text = readFileSync(path.join(root, 'docs', 'how-to', page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);
}

const ALIAS = 'default/Qwen/Qwen3-8B';
const TARGET = {
  ...{ replica: 'default/qwen-1-0-1', deployment: 'default/qwen', revision: 1, url: 'http://10.0.0.1:8000' },
  ...{ model: 'Qwen/Qwen3-8B', weight: 100 },
};

/** As the relay mirrors it: an alias that lost its last target. */
const published = (position: number, snapshot: number): string =>
  JSON.stringify({
    ...{ specversion: '1.0', id: '00000000-0000-7000-8000-000000000001', source: '/davit/test', subject: ALIAS },
    ...{ type: 'davit.route.snapshot-published', dataschema: 'davit:route.snapshot-published:v1', tenant: 'default' },
    ...{ time: '2026-01-01T00:00:00.000Z', datacontenttype: 'application/json', stream: `route/${ALIAS}`, version: 9 },
    ...{ position, data: { alias: ALIAS, snapshot, targets: [], digest: '0'.repeat(64) } },
  });

interface Program {
  /** The next line of its output. */
  next(): Promise<string>;
  readonly exited: Promise<number | null>;
  errors(): string;
}

describe('the programs of the how-to pages, run as they stand', () => {
  let broker: NatsBroker;
  let connection: NatsConnection;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    broker = await startNats();
    connection = await connect({ servers: broker.url });
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await connection.close();
    await broker.dispose();
  });

  function run(code: string, env: Readonly<Record<string, string>>): Program {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: root,
      env: { PATH: process.env['PATH'], NATS_URL: broker.url, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const errors: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return {
      errors: () => errors.join(''),
      exited: new Promise((resolve) => child.once('close', resolve)),
      next: async () => {
        const line: IteratorResult<string, undefined> = await lines.next();
        if (line.done === true) throw new Error(`the program ended: ${errors.join('')}`);
        return line.value;
      },
    };
  }

  test('subscribe-to-routes: goes on after the position it is given, and follows', async () => {
    const manager = await connection.jetstreamManager();
    await manager.streams.add({ name: 'LOG', subjects: ['davit.log.>'] });
    const publish = (type: string, snapshot: number) =>
      connection
        .jetstream()
        .publish(`davit.log.route.${type}`, JSON.stringify({ data: { alias: 'default/qwen', snapshot, targets: [] } }));
    await publish('snapshot-published', 1);
    await publish('registered', 2);
    await publish('snapshot-published', 2);
    const [, code = ''] = blocks('subscribe-to-routes.md', 'js');
    const program = run(code, { POSITION: '1' });
    const next = async (): Promise<unknown> => JSON.parse(await program.next());
    expect(await next()).toEqual({ position: 3, alias: 'default/qwen', snapshot: 2, targets: [] });
    await publish('snapshot-published', 3);
    expect(await next()).toMatchObject({ position: 4, snapshot: 3 });
    const lost = run(code, { POSITION: '9' });
    expect(await lost.exited).toBe(1);
    expect(lost.errors()).toContain('LOG holds 1 to 4, not what follows 9');
  });

  test('subscribe-to-routes: the library begins with what the bucket holds, and follows', async () => {
    const manager = await connection.jetstreamManager();
    await manager.streams.purge('LOG');
    const { last_seq: last } = (await manager.streams.info('LOG')).state;
    const bucket = await connection.jetstream().views.kv(ROUTES_BUCKET, { history: 1 });
    const view = { alias: ALIAS, tenant: 'default', model: 'Qwen/Qwen3-8B', draining: [], digest: '0'.repeat(64) };
    const held = { ...view, snapshot: 3, targets: [TARGET], position: last };
    await bucket.put(routeCacheKey(ALIAS), JSON.stringify(held));
    const [code = ''] = blocks('subscribe-to-routes.md', 'js');
    const program = run(code, {});
    const next = async (): Promise<unknown> => JSON.parse(await program.next());
    const targets = [{ url: TARGET.url, weight: TARGET.weight }];
    expect(await next()).toEqual({ alias: ALIAS, snapshot: 3, position: last, targets });
    await connection.jetstream().publish('davit.log.route.snapshot-published', published(last + 1, 4));
    expect(await next()).toEqual({ alias: ALIAS, snapshot: 4, position: last + 1, targets: [] });
  });

  test('publish-intents: the program asks, and prints the answer', async () => {
    const asked = connection.subscribe('davit.intent.deployment.delete', {
      max: 1,
      callback: (_, message) => void message.respond('{"outcome":"accepted"}'),
    });
    await connection.flush();
    const [code = ''] = blocks('publish-intents.md', 'js');
    expect(await run(code, {}).next()).toBe('answered {"outcome":"accepted"}');
    expect(asked.getProcessed()).toBe(1);
  });

  test('publish-intents: the command makes an intent of the example specification', () => {
    const [commands = ''] = blocks('publish-intents.md', 'sh');
    const script = `${commands.slice(0, commands.indexOf('nats request'))}printf %s "$body"`;
    const { stdout } = spawnSync('bash', ['-c', script], { cwd: root, encoding: 'utf8' });
    const { deployment } = JSON.parse(stdout) as { deployment: unknown };
    expect(parseDeployment(deployment)).toMatchObject({ ok: true });
  });
});
