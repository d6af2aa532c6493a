import { fileURLToPath } from 'node:url';
import { DavitClient } from '@davit/cli';
import { type DemoReport, report } from './report.js';
import { DEMO_PACE } from './pace.js';
import { Scenario } from './scenario.js';
import { WorldClient } from './world-client.js';

/** What the demo needs of the system it runs on. */
export interface RunningSystem {
  readonly urls: Readonly<Record<string, string>>;
  readonly natsUrl: string;
  readonly world: { readonly controlUrl: string } | undefined;
  stop(): Promise<void>;
}

export interface DemoOptions {
  readonly args: readonly string[];
  /** One JSON line at the end on stdout; the steps go to stderr. */
  readonly json: boolean;
  readonly startSystem: (options: { env: Record<string, string> }) => Promise<RunningSystem>;
}

const EXAMPLE = fileURLToPath(new URL('../../../docs/examples/qwen3-8b.yaml', import.meta.url));

/** Runs the main job on a fresh system and prints each step; resolves to the exit code. */
export async function runDemo({ json, startSystem }: DemoOptions): Promise<number> {
  const out = json ? process.stderr : process.stdout;
  const startedMs = Date.now();
  const tell = (step: string): void =>
    void out.write(`${((Date.now() - startedMs) / 1_000).toFixed(1).padStart(6)} s  ${step}\n`);
  tell('starting PostgreSQL, NATS, the simulated outside and seven services');
  const system = await startSystem({ env: { ...DEMO_PACE } });
  try {
    tell(`ready; front door at ${system.urls['spec-api'] ?? '?'}`);
    const result = await demonstrate(system, tell, startedMs);
    if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
    else out.write(summary(result));
    return result.ok ? 0 : 1;
  } finally {
    await system.stop();
  }
}

async function demonstrate(
  system: RunningSystem,
  tell: (step: string) => void,
  startedMs: number,
): Promise<DemoReport> {
  const url = system.urls['spec-api'];
  if (url === undefined || !system.world) throw new Error('the demo needs the simulated outside; unset DAVIT_WORLD');
  const client = new DavitClient(url);
  const world = new WorldClient(system.world.controlUrl);
  const scenario = new Scenario({
    client,
    world,
    natsUrl: system.natsUrl,
    manifestFile: EXAMPLE,
    tell,
    patienceMs: 120_000,
  });
  const outcome = await scenario.run().catch((error: unknown) => {
    tell(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
    return scenario.outcome;
  });
  return report(outcome, { client, world, urls: system.urls, totalMs: Date.now() - startedMs });
}

function summary(result: DemoReport): string {
  const { ok, events, machines, leaked, lawsBroken, auditsFailed, intentToRouteMs, ownMs, totalMs } = result;
  return [
    '',
    ok ? 'The whole life went as declared.' : 'Something did not go as declared.',
    `  ${machines} machines were rented, ${leaked} leaked; ${events} events`,
    `  laws broken: ${lawsBroken.length === 0 ? 'none' : lawsBroken.join('; ')}`,
    `  projections that differ from the log: ${auditsFailed.length === 0 ? 'none' : auditsFailed.join('; ')}`,
    `  intent to route: median ${intentToRouteMs.p50 ?? '–'} ms, longest ${intentToRouteMs.max ?? '–'} ms; of that Davit itself: median ${ownMs.p50 ?? '–'} ms`,
    `  ${(totalMs / 1_000).toFixed(1)} s in all`,
    '',
  ].join('\n');
}
