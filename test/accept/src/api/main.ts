import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEMO_PACE } from '@davit/e2e';
import { startSystem } from '../../../../scripts/lib/system.mjs';
import { pythonEnvironment, skip } from '../environment.js';
import { type Extent, readArguments } from './extent.js';
import { bringUpFleet } from './fleet.js';
import { SECRET, knownNames } from './names.js';
import { type Receiver, startReceiver } from './receiver.js';
import { type Answers, neverAsked, tallied } from './tally.js';

/** Makes requests from an OpenAPI document, right ones and wrong ones: https://schemathesis.readthedocs.io */
const VERSION = '4.32.5';
/** What it holds every answer to: no fault of the server, and status, type, headers and body as they are published. */
const CHECKS = [
  'no_fault_of_the_server',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
/** An answer that takes longer than this hangs. */
const PATIENCE_S = 20;
const { extent, more } = readArguments(process.argv.slice(2));
const HOOKS = fileURLToPath(new URL('../../python/', import.meta.url));
/** Ports that neither a person's system nor a test takes. */
const FIRST_PORT = 8_800;
const SETTINGS = {
  ...{ DATABASE_URL: '', NATS_URL: '', DAVIT_RATE_LIMIT: '100000', VAST_PACE_SCALE: '0.05' },
  // Nothing is turned away because this machine is busy: what is behind the door is asked.
  DAVIT_MAX_LOOP_DELAY: '60s',
  // What has no owner is found soon, and stays until its quarantine is over.
  ...{ DAVIT_INVENTORY_EVERY: '2s', DAVIT_ORPHAN_POLICY: 'approve', DAVIT_ORPHAN_QUARANTINE: '1h' },
  [SECRET]: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const arguments_ = (url: string, { random }: Extent): string[] => [
  ...['run', `${url}/openapi.json`, '--url', url],
  ...['--checks', CHECKS.join(',')],
  ...['--max-examples', String(random), '--request-timeout', String(PATIENCE_S)],
  ...['--phases', 'examples,coverage,fuzzing', '--no-color', '--continue-on-failure', ...more],
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
    const inSystem = (name: string): string => path.join(system.dir, name);
    const [names, answers] = [inSystem('names.json'), inSystem('answers.json')];
    writeFileSync(names, JSON.stringify(await knownNames(fleet, receiver)));
    const bounds = extent.bounds === null ? 'all' : `about ${extent.bounds}`;
    say(`schemathesis ${VERSION} asks each operation of ${fleet.url}/openapi.json`);
    say(`${extent.random} random requests, and ${bounds} of those at the bounds of its schema`);
    const child = spawn(path.join(directory, 'bin', 'schemathesis'), arguments_(fleet.url, extent), {
      ...{ stdio: 'inherit', cwd: system.dir },
      env: {
        ...{ ...process.env, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
        ...{ PYTHONPATH: HOOKS, PYTHONDONTWRITEBYTECODE: '1', SCHEMATHESIS_HOOKS: 'known_names' },
        ...{ DAVIT_FUZZ_NAMES: names, DAVIT_FUZZ_ANSWERS: answers, DAVIT_FUZZ_BOUNDS: String(extent.bounds ?? '') },
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

/** Prints what was answered; whether every published operation was asked, unless somebody said what is to be asked. */
function reported(file: string, receiver: Receiver): boolean {
  if (!existsSync(file)) return false;
  const answers = JSON.parse(readFileSync(file, 'utf8')) as Answers; // as the hooks write it
  say(`\n${tallied(answers)}\nwebhooks were sent ${receiver.received()} requests`);
  if (more.includes('--include-path') || more.includes('--include-path-regex')) return true;
  const missed = neverAsked(answers);
  for (const operation of missed) say(`never asked: ${operation}`);
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
