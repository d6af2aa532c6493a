import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, startWorld } from '@davit/test-support';
import { z } from 'zod';
import { skip } from '../environment.js';
import { Results } from '../results.js';
import { liveOnce } from './checks.js';
import { openFront } from './front.js';
import { installVastai, VASTAI_VERSION } from './install.js';
import { Vendor } from './vendor.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const results = new Results(say);

const ledger = z.object({ running: z.int(), everCreated: z.int() });

async function accept(installation: string): Promise<void> {
  say(`vastai ${VASTAI_VERSION}, the vendor's command line and serverless client, against the simulated Vast.`);
  const home = await mkdtemp(path.join(tmpdir(), 'davit-accept-'));
  const world = await startWorld();
  const front = await openFront(world);
  try {
    // The vendor's clients put the key into query and body, too.
    await world.control('PUT', '/vast', { keyInUrl: 'accept' });
    await liveOnce(new Vendor(installation, home, front, world), world.vastTemplateHash, results.tell);
    const running = async (): Promise<number> => ledger.parse(await world.control('GET', '/ledger')).running;
    await eventually(async () => (await running()) === 0, { timeoutMs: 20_000 });
    results.tell('no machine is left', true, 0);
  } catch (error) {
    results.broke(error);
  } finally {
    await front.close();
    await world.stop();
    await rm(home, { recursive: true, force: true });
  }
  process.exitCode = results.conclude({ vastai: VASTAI_VERSION });
}

const installed = await installVastai(say);
if (installed.ok) await accept(installed.directory);
else skip(`vastai ${VASTAI_VERSION} is not here, and ${installed.why}`, say);
