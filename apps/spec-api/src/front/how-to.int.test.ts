import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import ts from 'typescript';
import { type NatsBroker, type TestDatabase, createDatabase, eventually, startNats } from '@davit/test-support';
import { manifest } from '../testing/manifest.js';
import { type Served, serve } from '../testing/served.js';

const PAGE = path.resolve(import.meta.dirname, '../../../../docs/how-to/use-the-http-api.md');
const [, program = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readFileSync(PAGE, 'utf8')) ?? [];

let database: TestDatabase;
let broker: NatsBroker;
let served: Served;
beforeAll(async () => {
  [database, broker] = await Promise.all([createDatabase(), startNats()]);
  served = await serve({ DATABASE_URL: database.url, NATS_URL: broker.url });
}, 60_000);
afterAll(async () => {
  await served.service.stop();
  await broker.dispose();
  await database.drop();
}, 60_000);

const run = async (): Promise<string> => {
  const env = { PATH: process.env['PATH'], DAVIT_URL: served.service.url, NAME: 'told' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { env });
  return stdout.trim();
};

test('the program of the page on the HTTP API changes what it read, as it stands', async () => {
  await served.ask('POST', '/v1/intents/deployment/apply', { body: manifest({}, { name: 'told' }) });
  const desired = async (): Promise<unknown> => {
    const { body } = await served.ask('GET', '/v1/deployments/default/told');
    return typeof body === 'object' && body !== null && 'desiredReplicas' in body ? body.desiredReplicas : undefined;
  };
  await eventually(async () => (await desired()) === 2);
  expect(await run()).toBe('202 accepted generation 2');
  await eventually(async () => (await desired()) === 3);
  expect(await run()).toBe('202 accepted generation 3');
});

describe('the examples of clients, run as they stand', () => {
  const FOLDER = path.resolve('docs/examples/clients');
  const file = (name: string): string => path.join(FOLDER, `intent-and-events.${name}`);
  const compiled = (): string =>
    ts.transpileModule(readFileSync(file('ts'), 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    }).outputText;

  /** Lines of the output of a client, which follows until it is ended. */
  async function outputOf(command: string, args: readonly string[], name: string, lines: number): Promise<string[]> {
    const { hostname, port } = new URL(broker.url);
    const client = spawn(command, args, {
      env: {
        ...{ PATH: process.env['PATH'], NAME: name, DAVIT_URL: served.service.url },
        ...{ NATS_URL: broker.url, NATS_HOST: hostname, NATS_PORT: port, NO_PROXY: '127.0.0.1' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    client.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const output: string[] = [];
    try {
      for await (const line of createInterface(client.stdout)) if (output.push(line) === lines) return output;
      throw new Error(`the client ended after ${JSON.stringify(output)}: ${errors}`);
    } finally {
      client.kill('SIGKILL');
    }
  }

  const position = (line = ''): number => Number(/ at (\d+)$/.exec(line)?.[1]);

  test('TypeScript: an intent over NATS, what became of it over HTTP, and events from its position on', async () => {
    const args = ['--input-type=module', '--eval', compiled()];
    const output = await outputOf(process.execPath, args, 'by-typescript', 4);
    const at = position(output[0]);
    expect(output).toEqual([
      `accepted revision 1 at ${at}`,
      'deployment is active',
      expect.stringMatching(new RegExp(`^${at} davit\\.intent\\.accepted `)),
      `${at + 1} davit.deployment.declared default/by-typescript`,
    ]);
  });

  test('bash, in the plain protocol of NATS: the same', async () => {
    const output = await outputOf('bash', [file('sh')], 'by-bash', 3);
    const at = position(output[0]);
    expect(output).toEqual([
      `accepted revision 1 at ${at}`,
      expect.stringMatching(new RegExp(`^${at} davit\\.intent\\.accepted `)),
      `${at + 1} davit.deployment.declared default/by-bash`,
    ]);
  });

  const hasPython = spawnSync('python3', ['--version']).status === 0;
  if (!hasPython) process.stderr.write('SKIPPED: no python3 on the PATH, so the client in Python was not run\n');
  (hasPython ? test : test.skip)('Python, its standard library alone: the same over HTTP', async () => {
    const output = await outputOf('python3', [file('py')], 'by-python', 3);
    const at = position(output[0]);
    expect(output).toEqual([
      `accepted revision 1 at ${at}`,
      expect.stringMatching(new RegExp(`^${at} davit\\.intent\\.accepted `)),
      `${at + 1} davit.deployment.declared default/by-python`,
    ]);
  });
});
