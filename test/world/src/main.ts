import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realClock, seeded } from './clock.js';
import { controlHandler } from './control.js';
import { ProcessHost } from './hosts/process-host.js';
import { serve } from './http/node-server.js';
import { ledgerFile } from './ledger-file.js';
import { settingsFrom } from './settings.js';
import { writeCatalogueFiles } from './sky/catalogue-files.js';
import { writeSkyExecutable } from './sky/executable.js';
import { createWorld } from './world.js';

// The world is the cloud: killed with -9 it forgets its machines (their processes end with it). The ledger file stays.
const settings = settingsFrom(process.env);
const onLedgerChange = ledgerFile(settings.directory, realClock.nowMs());
const random = seeded(realClock.nowMs() ^ process.pid);
const host = new ProcessHost(random);
const world = createWorld({
  clock: realClock,
  random,
  host,
  timings: settings.timings,
  ...(settings.skyVersion === undefined ? {} : { skyVersion: settings.skyVersion }),
  runpod: { perMinute: settings.runPodPerMinute },
  vast: { minIntervalScale: settings.vastMinIntervalScale },
  onLedgerChange,
});
world.sky.cloudsEnabled = settings.skyCloudsEnabled;
const skyHome = join(settings.directory, 'home');
const writeCatalogue = (): void => writeCatalogueFiles(skyHome, world.catalogue);
writeCatalogue();
world.catalogue.onRefresh(writeCatalogue);

const control = await serve(controlHandler(world), settings.port);
const runpod = await serve(world.runpod, 0);
const vastConsole = await serve(world.vastConsole, 0);
const vastRun = await serve(world.vastRun, 0);
const vastOpenai = await serve(world.vastOpenai, 0);
const elsewhere = await serve(world.elsewhere, 0);

/** What others need to find the world. */
const description = {
  pid: process.pid,
  controlUrl: control.url,
  skyBin: writeSkyExecutable(settings.directory, control.url, world.salt),
  /** Where SkyPilot keeps `.sky`. */
  skyHome,
  runpodUrl: runpod.url,
  vastConsoleUrl: vastConsole.url,
  vastRunUrl: vastRun.url,
  vastOpenaiUrl: vastOpenai.url,
  elsewhereUrl: elsewhere.url,
  vastTemplateHash: world.vast.standardTemplateHash,
  keys: world.keys,
};
const path = join(settings.directory, 'world.json');
writeFileSync(`${path}.new`, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 });
renameSync(`${path}.new`, path);

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const machine of world.cloud.running()) await world.cloud.end(machine, 'the world ended');
  await Promise.all([host, control, runpod, vastConsole, vastRun, vastOpenai, elsewhere].map((part) => part.close()));
  process.exit(0);
}
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());

process.stdout.write('world ready\n');
