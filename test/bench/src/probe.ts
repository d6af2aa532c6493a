import { once } from 'node:events';
import { fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { lifecycleProjection } from '@davit/domain';
import { createMemoryLog } from '@davit/event-log';
import { seededRandom, sequentialIds, silentLogger, systemClock, undiciHttpClient } from '@davit/ports';
import { type ProjectionDefinition, createProjectionRunner, inMemoryProjectionStores } from '@davit/projection';
import { createControlLoop } from '@davit/reconcile';
import { DEFAULT_PROBER_SETTINGS, runtimeProberControllers } from '@davit/runtime-prober';
import { type Figure, budgetMet } from './bench.js';
import { percentile } from './measure.js';
import { addressOf, replicaOf, writeFleet } from './probe/fleet.js';
import { heading, lineOf } from './report.js';

const { values } = parseArgs({
  options: {
    targets: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const targets = Number(values.targets);
const seconds = Number(values.seconds);
/** As often as settings let so many be looked at. */
const intervalMs = Math.max(
  DEFAULT_PROBER_SETTINGS.steadyProbeMs,
  (targets * 1_000) / DEFAULT_PROBER_SETTINGS.mostProbesASecond,
);
const isSlow = (index: number): boolean => addressOf(index).endsWith('0');

/** What one stretch of watching came to. */
type Stretch = {
  readonly probes: number;
  readonly cpuMs: number;
  readonly elapsedMs: number;
  readonly lateness: number[];
};

const servers = fork(new URL('./probe/servers.js', import.meta.url));
const [port] = (await once(servers, 'message')) as [number];

const clock = systemClock;
const { log, leases, feed } = createMemoryLog({ clock, ids: sequentialIds() });
await writeFleet(log, targets, port);
// The fold names its documents by shape, the runner by kind; what goes in is what comes out.
const definition = lifecycleProjection as unknown as ProjectionDefinition;
const store = inMemoryProjectionStores().store(definition);
const common = { log, clock, logger: silentLogger };
const http = undiciHttpClient();
const slow = new Set(
  Array.from({ length: targets }, (_, index) => index)
    .filter(isSlow)
    .map(replicaOf),
);

let present: { probes: number; lateness: number[] } = { probes: 0, lateness: [] };
const controllers = runtimeProberControllers({
  ...{ http, clock, random: seededRandom(1), environment: {} },
  onProbe: (latenessMs, replica) => {
    present.probes += 1;
    if (!slow.has(replica)) present.lateness.push(latenessMs);
  },
});
const loop = createControlLoop({
  ...common,
  ...{ service: 'runtime-prober', instanceId: 'bench', leases, random: seededRandom(2), controllers },
  projection: createProjectionRunner({ ...common, feed, store, definition }),
});

async function stretch(): Promise<Stretch> {
  present = { probes: 0, lateness: [] };
  const fromMs = performance.now();
  const before = process.cpuUsage();
  await delay(seconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  return { ...present, cpuMs: (user + system) / 1_000, elapsedMs: performance.now() - fromMs };
}

globalThis.gc?.();
const heapBefore = process.memoryUsage().heapUsed;
await loop.start();
await delay(2 * intervalMs);
const well = await stretch();
globalThis.gc?.();
const heapAfter = process.memoryUsage().heapUsed;
servers.send('hang');
await delay(2 * intervalMs);
const tenth = await stretch();

const late = (of: Stretch, share: number): number => percentile(of.lateness, share);
const figures: readonly Figure[] = [
  { what: 'probes, all well', value: (1_000 * well.probes) / well.elapsedMs, unit: '/s' },
  { what: 'CPU a probe (health and models)', value: well.cpuMs / well.probes, unit: 'ms' },
  { what: 'CPU a second', value: (1_000 * well.cpuMs) / well.elapsedMs, unit: 'ms', budget: { atMost: 1_000 } },
  { what: 'lateness, all well, p50', value: late(well, 0.5), unit: 'ms' },
  { what: 'lateness, all well, p99', value: late(well, 0.99), unit: 'ms', budget: { atMost: intervalMs / 4 } },
  { what: 'probes, one in ten hangs', value: (1_000 * tenth.probes) / tenth.elapsedMs, unit: '/s' },
  { what: 'lateness of the well ones beside them, p50', value: late(tenth, 0.5), unit: 'ms' },
  {
    what: 'lateness of the well ones beside them, p99',
    value: late(tenth, 0.99),
    unit: 'ms',
    budget: { atMost: intervalMs / 4 },
  },
  { what: 'heap a target', value: (heapAfter - heapBefore) / 1_024 / targets, unit: 'KiB', budget: { atMost: 50 } },
];
const title = `${targets} model servers, each every ${intervalMs / 1_000} s`;
process.stdout.write(`${heading(title, '')}\n`);
for (const figure of figures) process.stdout.write(`${lineOf(figure)}\n`);
const missed = figures.filter((figure) => budgetMet(figure) === false).length;
process.stdout.write(`\n${missed === 0 ? 'All budgets met.' : `Budgets missed: ${missed}.`}\n`);
if (values.json) process.stdout.write(`${JSON.stringify({ figures, missed })}\n`);
await loop.stop();
await http.close();
servers.disconnect();
