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
import { collect } from './collect.js';
import { percentile } from './measure.js';
import { addressOf, replicaOf, writeFleet } from './probe/fleet.js';
import { type Stretch, watchPlainly } from './probe/plain.js';
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

const urls = Array.from({ length: targets }, (_, index) => `http://${addressOf(index)}:${port}`);
const plain = await watchPlainly(http, urls, intervalMs, seconds * 1_000);

async function stretch(): Promise<Stretch> {
  present = { probes: 0, lateness: [] };
  const fromMs = performance.now();
  const before = process.cpuUsage();
  await delay(seconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  return { ...present, cpuMs: (user + system) / 1_000, elapsedMs: performance.now() - fromMs };
}

collect();
const heapBefore = process.memoryUsage().heapUsed;
await loop.start();
await delay(2 * intervalMs);
const well = await stretch();
collect();
const heapAfter = process.memoryUsage().heapUsed;
servers.send('hang');
await delay(2 * intervalMs);
const tenth = await stretch();

const late = (of: Stretch, share: number): number => percentile(of.lateness, share);
const cpuMs = (of: Stretch): number => of.cpuMs / of.probes;
const rate = (of: Stretch): number => (1_000 * of.probes) / of.elapsedMs;
const lateness = (what: string, of: Stretch, share: number, budget?: Figure['budget']): Figure => ({
  what: `lateness, ${what}, p${share * 100}`,
  value: late(of, share),
  unit: 'ms',
  ...(of === plain ? {} : { ratio: late(of, share) / late(plain, share) }),
  ...(budget ? { budget } : {}),
});
const IN_TIME = { atMost: intervalMs / 4 } as const;
const figures: readonly Figure[] = [
  { what: 'probes, plain timers', value: rate(plain), unit: '/s' },
  { what: 'CPU a probe, plain timers', value: cpuMs(plain), unit: 'ms' },
  lateness('plain timers', plain, 0.5),
  lateness('plain timers', plain, 0.99),
  { what: 'probes, all well', value: rate(well), unit: '/s', ratio: rate(well) / rate(plain) },
  { what: 'CPU a probe (health and models)', value: cpuMs(well), unit: 'ms', ratio: cpuMs(well) / cpuMs(plain) },
  { what: 'CPU a second', value: (1_000 * well.cpuMs) / well.elapsedMs, unit: 'ms', budget: { atMost: 1_000 } },
  lateness('all well', well, 0.5),
  lateness('all well', well, 0.99, IN_TIME),
  { what: 'probes, one in ten hangs', value: rate(tenth), unit: '/s', ratio: rate(tenth) / rate(plain) },
  lateness('the well ones beside hung ones', tenth, 0.5),
  lateness('the well ones beside hung ones', tenth, 0.99, IN_TIME),
  { what: 'heap a target', value: (heapAfter - heapBefore) / 1_024 / targets, unit: 'KiB', budget: { atMost: 50 } },
];
const title = `${targets} model servers, each every ${intervalMs / 1_000} s`;
process.stdout.write(`${heading(title, '× plain')}\n`);
for (const figure of figures) process.stdout.write(`${lineOf(figure)}\n`);
const missed = figures.filter((figure) => budgetMet(figure) === false).length;
process.stdout.write(`\n${missed === 0 ? 'All budgets met.' : `Budgets missed: ${missed}.`}\n`);
if (values.json) process.stdout.write(`${JSON.stringify({ figures, missed })}\n`);
await loop.stop();
await http.close();
servers.disconnect();
