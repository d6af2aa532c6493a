import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type WorldProcess, startWorld } from '@davit/test-support';
import { skip } from '../environment.js';
import { CASES_WITHOUT_ACCOUNT, type Case, taskYaml } from './cases.js';
import { type Client, openClient } from './client.js';
import { SKYPILOT_VERSION, installSkyPilot, skyBinary } from './install.js';
import { RENTED, type RentReport, rentAndReturn } from './rent.js';
import { type Output, differences, shapeOf } from './shape.js';
import { CATALOGUE_FILES, accountFiles } from './world.js';

/** Where SkyPilot's local API server always listens. */
const SERVER_PORT = 46_580;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const results = { same: 0, different: 0, held: 0, failed: 0 };
/** Ends the API server that a real client has started, which would outlive this program. */
let stopServer: () => Promise<unknown> = () => Promise.resolve();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopServer().finally(() => process.exit(130)));
}

async function accept(binary: string): Promise<void> {
  say(
    `The real SkyPilot ${SKYPILOT_VERSION} against the fake, case by case, through the commands that the adapter gives.`,
  );
  const directory = await mkdtemp(path.join(tmpdir(), 'davit-accept-'));
  try {
    await withoutAccount(binary, path.join(directory, 'none'));
    await withAccount(binary, path.join(directory, 'account'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  say(JSON.stringify({ skypilot: SKYPILOT_VERSION, ...results }));
  process.exitCode = results.different + results.failed === 0 ? 0 : 1;
}

/** No account: every answer must have the same form. */
async function withoutAccount(binary: string, directory: string): Promise<void> {
  const world = await startWorld({ WORLD_SKY_CLOUDS: 'none' });
  const { real, fake } = await clients(binary, directory, world, CATALOGUE_FILES);
  stopServer = () => real.run('api', 'stop');
  try {
    await real.run('api', 'start');
    for (const each of CASES_WITHOUT_ACCOUNT) await compare(each, real, fake);
    await compare(noCloud(), real, fake);
  } finally {
    await stopServer();
    await world.stop();
  }
}

/** An account at the simulated RunPod: the real client rents there, the adapter sees it, ends it, and nothing is left. */
async function withAccount(binary: string, directory: string): Promise<void> {
  if (!(await hasRsync())) {
    skip('rsync is not installed, without which SkyPilot launches nothing; the launch was not tried', say);
    return;
  }
  const world = await startWorld();
  const other = await startWorld();
  const { real, fake } = await clients(binary, directory, world, accountFiles(world), other);
  stopServer = () => real.run('api', 'stop');
  try {
    await other.control('POST', '/faults', {
      service: 'sky',
      verb: 'launch',
      effect: { kind: 'launch-fails', reason: 'stuck' },
    });
    await real.run('api', 'start');
    await real.run('check', 'runpod');
    const [ofReal, ofFake] = [await rentAndReturn(real, world), await rentAndReturn(fake, other)];
    for (const [name, report] of [
      ['real', ofReal],
      ['fake', ofFake],
    ] as const)
      tell(name, report);
    for (const [name, output] of Object.entries(ofReal.outputs))
      tellDifference(name, output, ofFake.outputs[name], [RENTED]);
  } finally {
    await stopServer();
    await Promise.all([world.stop(), other.stop()]);
  }
}

async function clients(
  binary: string,
  directory: string,
  world: WorldProcess,
  files: Readonly<Record<string, string>>,
  fakeWorld: WorldProcess = world,
): Promise<{ readonly real: Client; readonly fake: Client }> {
  const home = path.join(directory, 'real');
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(home, name)), { recursive: true, mode: 0o700 });
    await writeFile(path.join(home, name), content, { mode: 0o600 });
  }
  const real = await openClient({
    name: 'real',
    binary,
    home,
    path: `${path.dirname(binary)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    environment: { RUNPOD_API_BASE_URL: world.runpodUrl },
    runpod: { baseUrl: world.runpodUrl, apiKey: world.keys.runpod },
  });
  const fake = await openClient({
    name: 'fake',
    binary: fakeWorld.skyBin,
    home: path.join(directory, 'fake'),
    path: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
    runpod: { baseUrl: fakeWorld.runpodUrl, apiKey: fakeWorld.keys.runpod },
  });
  return { real, fake };
}

/** A launch where no cloud is enabled: what the command says, and then what the request ends in. */
function noCloud(): Case {
  const name = 'dv-abcde-nocloudnocloudnoc';
  return {
    name: 'a launch where no cloud is enabled',
    names: [name],
    async run(client) {
      const file = await client.file('no-cloud.yaml', taskYaml(name));
      const launched = await client.run('launch', '-c', name, '-y', '--async', file);
      const id = /request: ([0-9a-f-]{36})/.exec(launched.stdout)?.[1];
      return id === undefined ? launched : client.run('api', 'logs', id);
    },
  };
}

async function compare(each: Case, real: Client, fake: Client): Promise<void> {
  tellDifference(each.name, await each.run(real), await each.run(fake), each.names);
}

function tellDifference(name: string, real: Output, fake: Output | undefined, names: readonly string[]): void {
  const found =
    fake === undefined ? ['the fake was not asked'] : differences(shapeOf(real, names), shapeOf(fake, names));
  results[found.length === 0 ? 'same' : 'different'] += 1;
  say(`${found.length === 0 ? '  same     ' : '  DIFFERENT'} ${name}`);
  for (const difference of found) say(`              ${difference}`);
}

function tell(name: string, { steps, faults }: RentReport): void {
  say(`Renting through the adapter, ${name}:`);
  for (const step of steps) say(`  holds     ${step}`);
  for (const fault of faults) say(`  FAILS     ${fault}`);
  results.held += steps.length;
  results.failed += faults.length;
}

const hasRsync = (): Promise<boolean> =>
  promisify(execFile)('rsync', ['--version']).then(
    () => true,
    () => false,
  );

const isTaken = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const answer = (taken: boolean) => (): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.once('connect', answer(true)).once('error', answer(false));
  });

const installed = await installSkyPilot(say);
if (!installed.ok) skip(`SkyPilot ${SKYPILOT_VERSION} is not here, and ${installed.why}`, say);
else if (await isTaken(SERVER_PORT))
  skip(`port ${SERVER_PORT} is taken, where SkyPilot's own server has to listen`, say);
else await accept(skyBinary(installed.directory));
