import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DavitClient } from '@davit/cli';
import { DEMO_PACE } from '@davit/e2e';
import { startSystem } from '../../../../scripts/lib/system.mjs';
import { skip } from '../environment.js';
import { Results } from '../results.js';
import { checkDocumented } from './checks.js';
import { NATSCLI_VERSION, installNatsCli } from './install.js';
import { Shell } from './shell.js';

/** Ports that neither a person's system nor a test takes. */
const FIRST_PORT = 8_820;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs what the documentation tells people to type, against the whole system with the simulated outside. */
async function accept(folder: string): Promise<void> {
  say(`The nats command ${NATSCLI_VERSION}, as the documentation has it, against a system that runs.`);
  const results = new Results(say);
  const home = await mkdtemp(path.join(tmpdir(), 'davit-accept-'));
  const system = await startSystem({
    ...{ name: 'accept-nats', fresh: true, removeOnStop: true, world: true, signals: false, firstPort: FIRST_PORT },
    env: { ...DEMO_PACE, DATABASE_URL: '', NATS_URL: '' },
    tell: () => undefined,
  });
  try {
    const shell = new Shell({ folder, natsUrl: system.natsUrl, home });
    const client = new DavitClient(system.urls['spec-api'] ?? '');
    await checkDocumented({ shell, client, tell: results.tell });
  } catch (error) {
    results.broke(error);
  } finally {
    await system.stop();
    await rm(home, { recursive: true, force: true });
  }
  process.exitCode = results.conclude({ natscli: NATSCLI_VERSION });
}

const installed = await installNatsCli(say);
if (installed.ok) await accept(installed.folder);
else skip(`the nats command ${NATSCLI_VERSION} is not here: ${installed.why}`, say);
