import { fileURLToPath } from 'node:url';
import { DavitClient } from '@davit/cli';
import { type Books, books } from './books.js';
import { davit } from './cli.js';
import { Hang, type HangOutcome } from './hang.js';
import { DEMO_PACE } from './pace.js';
import { type LifeReport, report } from './report.js';
import { Scarcity, type ScarcityOutcome } from './scarcity.js';
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

/** What `--json` prints. */
export interface DemoReport extends LifeReport {
  readonly scarcity: ScarcityOutcome;
  readonly hang: HangOutcome;
  /** Null when the cost could not be told. */
  readonly cost: Books | null;
}

/** The limit of a hang and the time an inference gets in `DEMO_PACE`, and the two readings of metrics, 5 s apart, before them. */
const HANG_BOUND_MS = 20_000;
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
    const result = await demonstrate(system, { tell, show: (text) => void out.write(indented(text)) }, startedMs);
    if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
    else out.write(summary(result));
    return result.ok ? 0 : 1;
  } finally {
    await system.stop();
  }
}

interface Teller {
  readonly tell: (step: string) => void;
  readonly show: (text: string) => void;
}

async function demonstrate(system: RunningSystem, teller: Teller, startedMs: number): Promise<DemoReport> {
  const { tell, show } = teller;
  const url = system.urls['spec-api'];
  if (url === undefined || !system.world) throw new Error('the demo needs the simulated outside; unset DAVIT_WORLD');
  const client = new DavitClient(url);
  const world = new WorldClient(system.world.controlUrl);
  const common = { client, world, manifestFile: EXAMPLE, tell, patienceMs: 120_000 };
  const hang = new Hang({ ...common, url, show, alias: 'default/qwen3-8b', boundMs: HANG_BOUND_MS });
  const scenario = new Scenario({ ...common, natsUrl: system.natsUrl, interlude: () => hang.run() });
  const scarcity = new Scarcity({ ...common, url, show });
  let cost: Books | null = null;
  try {
    await scenario.run();
    await scarcity.run();
    const told = await davit(url, ['cost']);
    tell('$ davit cost');
    show(told.stdout + told.stderr);
    cost = await books(url, world);
  } catch (error) {
    tell(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
  }
  const life = await report(scenario.outcome, { client, world, urls: system.urls, totalMs: Date.now() - startedMs });
  return {
    ...life,
    ok: life.ok && wentWell(scarcity.outcome) && wasCaught(hang.outcome) && cost?.agree === true,
    scarcity: scarcity.outcome,
    hang: hang.outcome,
    cost,
  };
}

const wentWell = ({ waited, rungTaken, explained, gone }: ScarcityOutcome): boolean =>
  waited?.retryAt != null && rungTaken === 1 && explained && gone;

const wasCaught = ({ withdrawnAfterMs, bothCited, replaced }: HangOutcome): boolean =>
  withdrawnAfterMs !== null && withdrawnAfterMs <= HANG_BOUND_MS && bothCited && replaced;

const indented = (text: string): string => `${text.trimEnd().replace(/^/gm, '            ')}\n`;

function summary(result: DemoReport): string {
  const { ok, events, machines, leaked, lawsBroken, auditsFailed, intentToRouteMs, ownMs, totalMs, cost } = result;
  return [
    '',
    ok ? 'The whole life went as declared.' : 'Something did not go as declared.',
    `  ${machines} machines were rented, ${leaked} leaked; ${events} events`,
    `  laws broken: ${lawsBroken.length === 0 ? 'none' : lawsBroken.join('; ')}`,
    `  projections that differ from the log: ${auditsFailed.length === 0 ? 'none' : auditsFailed.join('; ')}`,
    `  intent to route: median ${intentToRouteMs.p50 ?? '–'} ms, longest ${intentToRouteMs.max ?? '–'} ms; of that Davit itself: median ${ownMs.p50 ?? '–'} ms`,
    cost
      ? `  cost: ${usd(cost.confirmed)} confirmed, at most ${usd(cost.held)} held; the provider's own ledger says ${usd(cost.billed)}`
      : '  cost: not told',
    `  ${(totalMs / 1_000).toFixed(1)} s in all`,
    '',
  ].join('\n');
}

const usd = (amount: number): string => `${amount.toFixed(4)} USD`;
