import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseDeployment } from '@davit/contracts';
import { type NatsBroker, startNats } from '@davit/test-support';
import { type NatsConnection, connect } from 'nats';

const root = path.resolve(import.meta.dirname, '..', '..');

/** The blocks of code of one language in a page. */
function blocks(page: string, language: string): string[] {
  const text = readFileSync(path.join(root, 'docs', 'how-to', page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);
}

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
    const [code = ''] = blocks('subscribe-to-routes.md', 'js');
    const program = run(code, { POSITION: '1' });
    const next = async (): Promise<unknown> => JSON.parse(await program.next());
    expect(await next()).toEqual({ position: 3, alias: 'default/qwen', snapshot: 2, targets: [] });
    await publish('snapshot-published', 3);
    expect(await next()).toMatchObject({ position: 4, snapshot: 3 });
    const lost = run(code, { POSITION: '9' });
    expect(await lost.exited).toBe(1);
    expect(lost.errors()).toContain('LOG holds 1 to 4, not what follows 9');
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
