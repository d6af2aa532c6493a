import { DavitClient } from '@davit/cli';
import { DEMO_PACE, ORPHANS_GO } from '../pace.js';
import { WorldClient } from '../world-client.js';
import { DOUBLED, planRound } from './plan.js';
import { type RoundReport, playRound } from './round.js';
import type { ChaosStage, ChaosSystem } from './stage.js';

export interface ChaosOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly startSystem: (options: { env: Record<string, string> }) => Promise<ChaosSystem>;
}

const CHAOS_MS = 25_000;

/** Waits and windows as much shorter as everything else is. */
const CHAOS_PACE: Readonly<Record<string, string>> = {
  DAVIT_DEFER: '2s',
  DAVIT_LOSS_SETTLE: '500ms',
  DAVIT_LOSS_INTERVAL: '5s',
};

/** Rounds of chaos on real processes until the time is over; prints each, and a JSON line. Resolves to the exit code. */
export async function runChaos({ minutes, seed, startSystem }: ChaosOptions): Promise<number> {
  const startedMs = Date.now();
  const tell = (step: string): void =>
    void process.stdout.write(`${((Date.now() - startedMs) / 1_000).toFixed(1).padStart(7)} s  ${step}\n`);
  tell(`seed ${seed} (repeat: npm run chaos:real -- --minutes ${minutes} --seed ${seed})`);
  const system = await startSystem({ env: { ...DEMO_PACE, ...ORPHANS_GO, ...CHAOS_PACE } });
  const reports: RoundReport[] = [];
  try {
    const stage = await stageOf(system, tell);
    while (reports.length === 0 || Date.now() - startedMs < minutes * 60_000) {
      const round = reports.length + 1;
      tell(`round ${round}`);
      const report = await playRound(stage, seed, round, planRound(seed, round, CHAOS_MS));
      reports.push(report);
      tell(`round ${round}: ${JSON.stringify(report)}`);
      // What is stuck would disturb every later round.
      if (report.stuck.length > 0) break;
    }
  } finally {
    await system.stop();
  }
  const summary = summarise(reports, seed, Date.now() - startedMs);
  process.stdout.write(`${JSON.stringify(summary)}\n`);
  return summary.ok ? 0 : 1;
}

async function stageOf(system: ChaosSystem, tell: (step: string) => void): Promise<ChaosStage> {
  const url = system.urls['spec-api'];
  if (url === undefined || !system.world) throw new Error('chaos needs the simulated outside; unset DAVIT_WORLD');
  const urls = { ...system.urls };
  for (const service of DOUBLED) urls[`${service}-2`] = await system.addInstance(service);
  tell(`ready; second instances of ${DOUBLED.join(' and ')}; logs in ${system.dir}/log`);
  return {
    system: { ...system, urls },
    client: new DavitClient(url, 10_000),
    world: new WorldClient(system.world.controlUrl),
    tell,
  };
}

function summarise(reports: readonly RoundReport[], seed: number, durationMs: number) {
  const last = reports.at(-1);
  const sum = (of: (report: RoundReport) => number): number => reports.reduce((total, report) => total + of(report), 0);
  const leaked = last?.leaked ?? 0;
  const doubled = last?.doubled ?? 0;
  const stuck = sum((report) => report.stuck.length);
  const faults = [...new Set(reports.flatMap((report) => report.faults))];
  return {
    ok: leaked === 0 && doubled === 0 && stuck === 0 && faults.length === 0,
    seed,
    rounds: reports.length,
    acts: sum(({ acts }) => acts),
    events: last?.events ?? 0,
    machines: last?.machines ?? 0,
    leaked,
    doubled,
    stuck,
    faults,
    seconds: Math.round(durationMs / 1_000),
  };
}
