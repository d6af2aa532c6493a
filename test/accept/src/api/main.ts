import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startSystem } from '../../../../scripts/lib/system.mjs';
import { pythonEnvironment, skip } from '../environment.js';

/** Makes requests from an OpenAPI document, right ones and wrong ones: https://schemathesis.readthedocs.io */
const VERSION = '4.32.5';
const EXAMPLES = 40;
/** What it holds every answer to: no fault of the server, and status, type, headers and body as they are published. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
/** An answer that takes longer than this hangs. */
const PATIENCE_S = 20;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const arguments_ = (url: string): string[] => [
  ...['run', `${url}/openapi.json`, '--url', url],
  ...['--checks', CHECKS.join(',')],
  ...[
    '--max-examples',
    String(EXAMPLES),
    '--request-timeout',
    String(PATIENCE_S),
    '--phases',
    'examples,coverage,fuzzing',
  ],
  // A stream does not end, and a webhook that is registered would be sent to, wherever it leads.
  ...['--exclude-path', '/v1/events/stream', '--exclude-tag', 'webhooks'],
  ...['--no-color', '--continue-on-failure'],
];

/** Only servers of this machine are asked, whatever proxy it knows. */
async function fuzz(directory: string): Promise<void> {
  const system = await startSystem({
    ...{ name: 'fuzz-api', fresh: true, world: true, signals: false, tell: say },
    env: { DATABASE_URL: '', NATS_URL: '', DAVIT_RATE_LIMIT: '100000' },
  });
  try {
    const { 'spec-api': url } = system.urls;
    if (url === undefined) throw new Error('spec-api has no address');
    say(`schemathesis ${VERSION} against ${url}/openapi.json, ${EXAMPLES} requests an operation`);
    const command = path.join(directory, 'bin', 'schemathesis');
    const env = { ...process.env, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
    const child = spawn(command, arguments_(url), { stdio: 'inherit', env, cwd: system.dir });
    const [code] = (await once(child, 'exit')) as [number | null]; // what the event hands over
    process.exitCode = code ?? 1;
  } finally {
    await system.stop();
  }
}

const installed = await pythonEnvironment({
  name: `schemathesis-${VERSION}`,
  python: '3.10',
  freeGiB: 1,
  announce: (python, directory) =>
    say(`Installing schemathesis ${VERSION} with ${python} into ${directory} (a minute or two) …`),
  fill: ({ pip }) => pip(`schemathesis==${VERSION}`),
});
if (installed.ok) await fuzz(installed.directory);
else skip(`schemathesis ${VERSION} is not here, and ${installed.why}`, say);
