import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { OPERATIONS } from '@davit/contracts';
import { DEMO_PACE } from '@davit/e2e';
import { startSystem } from '../../../../scripts/lib/system.mjs';
import { pythonEnvironment, skip } from '../environment.js';
import { bringUpFleet } from './fleet.js';
import { SECRET, knownNames } from './names.js';
import { type Receiver, startReceiver } from './receiver.js';
import { type Answers, tallied } from './tally.js';

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
/** Further arguments of schemathesis, for example `--include-path /v1/diff`. */
const MORE = process.argv.slice(2);
const HOOKS = fileURLToPath(new URL('../../python/', import.meta.url));
/** Ports that neither a person's system nor a test takes. */
const FIRST_PORT = 8_800;
const SETTINGS = {
  ...{
    DATABASE_URL: '',
    NATS_URL: '',
    DAVIT_RATE_LIMIT: '100000',
    VAST_PACE_SCALE: '0.05',
    DAVIT_MAX_LOOP_DELAY: '60s',
  },
  [SECRET]: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const arguments_ = (url: string): string[] => [
  ...['run', `${url}/openapi.json`, '--url', url],
  ...['--checks', CHECKS.join(',')],
  ...['--max-examples', String(EXAMPLES), '--request-timeout', String(PATIENCE_S)],
  ...['--phases', 'examples,coverage,fuzzing', '--no-color', '--continue-on-failure', ...MORE],
];

/** A fleet is brought up first, and requests speak of what is in it. Only servers of this machine are asked, whatever proxy it knows. */
async function fuzz(directory: string): Promise<void> {
  const receiver = await startReceiver();
  const system = await startSystem({
    ...{ name: 'fuzz-api', fresh: true, world: true, signals: false, firstPort: FIRST_PORT, tell: say },
    env: { ...DEMO_PACE, ...SETTINGS },
  });
  try {
    const fleet = await bringUpFleet(system, say);
    const [names, answers] = ['names.json', 'answers.json'].map((file) => path.join(system.dir, file));
    if (names === undefined || answers === undefined) throw new Error('two files were named');
    writeFileSync(names, JSON.stringify(await knownNames(fleet, receiver)));
    say(`schemathesis ${VERSION} against ${fleet.url}/openapi.json, ${EXAMPLES} requests an operation and phase`);
    const child = spawn(path.join(directory, 'bin', 'schemathesis'), arguments_(fleet.url), {
      ...{ stdio: 'inherit', cwd: system.dir },
      env: {
        ...{ ...process.env, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
        ...{ PYTHONPATH: HOOKS, PYTHONDONTWRITEBYTECODE: '1', SCHEMATHESIS_HOOKS: 'known_names' },
        ...{ DAVIT_FUZZ_NAMES: names, DAVIT_FUZZ_ANSWERS: answers },
      },
    });
    const [code] = (await once(child, 'exit')) as [number | null]; // what the event hands over
    const wereAllAsked = reported(answers, receiver);
    process.exitCode = code === 0 && wereAllAsked ? 0 : 1;
  } finally {
    await system.stop();
    await receiver.close();
  }
}

/** Prints what was answered; whether every published operation was asked. */
function reported(file: string, receiver: Receiver): boolean {
  if (!existsSync(file)) return false;
  const answers = JSON.parse(readFileSync(file, 'utf8')) as Answers; // as the hooks write it
  say(`\n${tallied(answers)}\nwebhooks were sent ${receiver.received()} requests`);
  // Whoever gives arguments has said what is to be asked.
  const asks = MORE.length > 0 ? [] : OPERATIONS;
  const missed = asks.filter(({ method, path: asked }) => answers[`${method} ${asked}`] === undefined);
  for (const { method, path: asked } of missed) say(`never asked: ${method} ${asked}`);
  return missed.length === 0;
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
