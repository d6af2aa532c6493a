import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { skip } from '../environment.js';
import { Results } from '../results.js';
import { NODE_VERSIONS, type NodeVersion, installNode } from './install.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** The libraries, one service with its servers, and the doors of the whole system, each process of which is of that Node. */
const SUITES = [
  ['unit', 'libs/'],
  ['int', 'apps/spec-api/src/spec-api.int'],
  ['e2e', 'doors.e2e'],
] as const;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const results = new Results(say);

/** `npm test` of a part of one project under another Node; the last line of its output, which counts. */
async function test(folder: string, [project, place]: (typeof SUITES)[number]) {
  const args = ['scripts/test.mjs', '--selectProjects', project, '--maxWorkers', '1', '--', place];
  const child = spawn('node', args, {
    ...{ cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
    env: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => (text += more));
  const [code] = (await once(child, 'close')) as [number | null]; // what the event hands over
  return { ok: code === 0, counted: text.trim().split('\n').at(-1) ?? '' };
}

async function accept(version: NodeVersion): Promise<void> {
  const installed = await installNode(version, say);
  if (!installed.ok) {
    skip(`Node ${version} is not here: ${installed.why}`, say);
    return;
  }
  for (const suite of SUITES) {
    const { ok, counted } = await test(installed.folder, suite);
    results.tell(`Node ${version}, ${suite.join(' ')}: ${counted}`, ok, counted);
  }
}

for (const version of NODE_VERSIONS) await accept(version).catch((error: unknown) => results.broke(error));
process.exitCode = results.conclude({ node: NODE_VERSIONS.join(', ') });
