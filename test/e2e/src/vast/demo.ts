import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DavitClient } from '@davit/cli';
import { checkLaws } from '@davit/domain';
import { costOf, dollarsOf } from '../books.js';
import type { RunningSystem } from '../demo.js';
import { readLog } from '../log-reader.js';
import { DEMO_PACE } from '../pace.js';
import { failedAudits } from '../report.js';
import { WorldClient } from '../world-client.js';
import { leftAtTheOutside } from './outside.js';
import { type VastOutcome, VastScenario } from './scenario.js';

export interface VastDemoOptions {
  /** One JSON line at the end on stdout; the steps go to stderr. */
  readonly json: boolean;
  readonly startSystem: (options: { env: Record<string, string> }) => Promise<ServerlessSystem>;
}

type ServerlessSystem = RunningSystem & {
  /** Its data. */
  readonly dir: string;
  /** What the services were told. */
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** What `--json` prints. */
export interface VastReport extends Omit<VastOutcome, 'receipts'> {
  readonly ok: boolean;
  readonly receipts: readonly string[];
  readonly receiptsVerified: number;
  /** USD: by Davit's books, and by the provider's own. Null when it could not be told. */
  readonly spend: { readonly confirmed: number; readonly held: number; readonly billed: number } | null;
  readonly events: number;
  readonly lawsBroken: readonly string[];
  /** Services whose projection differs from one rebuilt from the log. */
  readonly auditsFailed: readonly string[];
  readonly totalMs: number;
  readonly failure: string | null;
  /** What the outside still bills, or nobody owns, after everything was deleted. */
  readonly leaked: number;
}

const EXAMPLE = fileURLToPath(new URL('../../../../docs/examples/vast-evidence.yaml', import.meta.url));
const PATIENCE_MS = 300_000;
/** The simulated Vast has no limits of calls by default. */
const VAST_PACE = { VAST_PACE_SCALE: '0.05' };
const ROLLOUTS = 3;

/** Runs three rollouts on evidence on a fresh system and prints each step; resolves to the exit code. */
export async function runVastDemo({ json, startSystem }: VastDemoOptions): Promise<number> {
  const out = json ? process.stderr : process.stdout;
  const startedMs = Date.now();
  const sinceStart = (): string => `${((Date.now() - startedMs) / 1_000).toFixed(1).padStart(6)} s`;
  const tell = (step: string): void => void out.write(`${sinceStart()}  ${step}\n`);
  const show = (text: string): void => void out.write(`${text.trimEnd().replace(/^/gm, '            ')}\n`);
  tell('starting PostgreSQL, NATS, the simulated outside and seven services');
  const system = await startSystem({ env: { ...DEMO_PACE, ...VAST_PACE } });
  try {
    const url = system.urls['spec-api'];
    if (url === undefined || !system.world) throw new Error('the demo needs the simulated outside');
    tell(`ready; front door at ${url}`);
    const client = new DavitClient(url);
    const world = new WorldClient(system.world.controlUrl);
    const receiptsFolder = path.join(system.dir, 'receipts');
    mkdirSync(receiptsFolder, { recursive: true });
    const scenario = new VastScenario({
      ...{ client, world, url, receiptsFolder, tell, show },
      vastKey: system.env['VAST_API_KEY'] ?? '',
      manifestFile: EXAMPLE,
      patienceMs: PATIENCE_MS,
    });
    const failure = await scenario.run().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (failure !== null) tell(`FAILED: ${failure}`);
    const parts = { client, world, url, urls: system.urls };
    const result = await judged(scenario.outcome, failure, parts, startedMs);
    if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
    else out.write(summary(result));
    return result.ok ? 0 : 1;
  } finally {
    await system.stop();
  }
}

interface Judges {
  readonly client: DavitClient;
  readonly world: WorldClient;
  readonly url: string;
  readonly urls: Readonly<Record<string, string>>;
}

/** What log, audits and the outside themselves say of it. */
async function judged(
  outcome: VastOutcome,
  failure: string | null,
  { client, world, url, urls }: Judges,
  startedMs: number,
): Promise<VastReport> {
  const { receipts, ...rest } = outcome;
  const events = await readLog(client);
  const broken = checkLaws(events, { ended: outcome.deleted });
  const auditsFailed = await failedAudits(urls);
  const leaked = await leftAtTheOutside(world);
  const spend = await spendOf(url, world);
  const receiptsVerified = receipts.filter(({ verified }) => verified).length;
  const isSound = broken.length === 0 && auditsFailed.length === 0 && leaked === 0;
  return {
    ok: failure === null && wentAsMeant(outcome) && receiptsVerified === ROLLOUTS && isSound,
    ...rest,
    receipts: receipts.map(({ directory }) => directory),
    receiptsVerified,
    spend,
    events: events.length,
    lawsBroken: broken.map(({ law, position, about, message }) => `${law} at ${position} (${about}): ${message}`),
    auditsFailed,
    totalMs: Date.now() - startedMs,
    failure,
    leaked,
  };
}

const wentAsMeant = ({ served, outcomes, productionUntouched, workersFollowed, deleted }: VastOutcome): boolean =>
  served &&
  outcomes.good === 'accepted' &&
  outcomes.bad === 'rejected' &&
  outcomes.regressing === 'rolled-back' &&
  productionUntouched &&
  workersFollowed.good &&
  workersFollowed.back &&
  deleted;

async function spendOf(url: string, world: WorldClient): Promise<VastReport['spend']> {
  const [told, truth] = await Promise.all([costOf(url).catch(() => undefined), world.vastTruth()]);
  return told ? { ...dollarsOf(told), billed: truth.spend } : null;
}

function summary(result: VastReport): string {
  const { ok, outcomes, receipts, receiptsVerified, spend, lawsBroken, auditsFailed, events, totalMs, leaked } = result;
  const usd = (amount: number): string => `${amount.toFixed(4)} USD`;
  return [
    '',
    ok ? 'All three candidates went the way they should.' : 'Something did not go as it should.',
    `  good: ${outcomes.good ?? 'no end'}; bad: ${outcomes.bad ?? 'no end'}; regressing: ${outcomes.regressing ?? 'no end'}`,
    `  receipts: ${receiptsVerified} of ${receipts.length} verified offline`,
    ...receipts.map((directory) => `    ${directory}`),
    spend
      ? `  spend: ${usd(spend.confirmed)} confirmed, at most ${usd(spend.held)} held; the provider's own books say ${usd(spend.billed)}`
      : '  spend: not told',
    `  laws broken: ${lawsBroken.length === 0 ? 'none' : lawsBroken.join('; ')}`,
    `  projections that differ from the log: ${auditsFailed.length === 0 ? 'none' : auditsFailed.join('; ')}`,
    `  ${events} events; ${leaked} leaked; ${(totalMs / 1_000).toFixed(1)} s in all`,
    '',
  ].join('\n');
}
