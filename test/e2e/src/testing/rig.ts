import { fileURLToPath } from 'node:url';
import { DavitClient } from '@davit/cli';
import { mustHoldPublishedEvents } from '@davit/test-support';
import { type System, startSystem } from '../../../../scripts/lib/system.mjs';
import { DEMO_PACE } from '../pace.js';
import { type LifeReport, report } from '../report.js';
import { Scenario } from '../scenario.js';
import { WorldClient } from '../world-client.js';

export const SERVICES = [
  'spec-api',
  'orchestrator',
  'skypilot-agent',
  'capacity-advisor',
  'runtime-prober',
  'router-registry',
  'vast-serverless',
] as const;
export type Service = (typeof SERVICES)[number];

export const EXAMPLE = fileURLToPath(new URL('../../../../docs/examples/qwen3-8b.yaml', import.meta.url));

/** For whole lives on a machine that does other things too. */
export const LIFE_TIMEOUT_MS = 480_000;
const PATIENCE_MS = 180_000;

/** One system of real processes for one test file, and what was told while it ran. Its log is looked through at the end. */
export interface Rig {
  readonly system: System;
  readonly client: DavitClient;
  readonly world: WorldClient;
  readonly story: string[];
  readonly tell: (step: string) => void;
  scenario(name?: string): Scenario;
  /** Runs to the end; what goes wrong is told with all that happened before it. */
  life(run: () => Promise<void>): Promise<void>;
  /** What log, ledger and audits say of the deployments so far. */
  judge(scenario: Pick<Scenario, 'outcome'>): Promise<LifeReport>;
}

/** Ports that nobody else takes while a child is down, neither another system nor a connection that leaves. */
const FIRST_PORT = {
  'services-killed': 8_600,
  'main-job': 8_620,
  doors: 8_640,
  'kinds-of-harm': 8_660,
  capacity: 8_680,
  page: 8_740,
  tutorial: 8_760,
  'two-instances': 8_780,
} as const;

/** A fresh system of its own, whatever servers the environment names. `durable`: as a person would run it. */
export async function startRig(
  name: keyof typeof FIRST_PORT,
  options: { readonly durable?: boolean; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Rig> {
  const startedMs = Date.now();
  const story: string[] = [];
  const tell = (step: string): void =>
    void story.push(`${((Date.now() - startedMs) / 1_000).toFixed(1).padStart(6)} s  ${step}`);
  const system = await startSystem({
    name: `e2e-${name}`,
    fresh: true,
    world: true,
    signals: false,
    firstPort: FIRST_PORT[name],
    durable: options.durable ?? false,
    env: { ...DEMO_PACE, ...options.env, DATABASE_URL: '', NATS_URL: '' },
    tell,
  });
  if (!system.world) throw new Error('the simulated outside did not start');
  const client = new DavitClient(urlOf(system, 'spec-api'));
  const world = new WorldClient(system.world.controlUrl);
  return {
    system: { ...system, stop: () => mustHoldPublishedEvents(system.databaseUrl).finally(() => system.stop()) },
    client,
    world,
    story,
    tell,
    scenario: (deployment) =>
      new Scenario({
        client,
        world,
        natsUrl: system.natsUrl,
        manifestFile: EXAMPLE,
        tell,
        patienceMs: PATIENCE_MS,
        ...(deployment === undefined ? {} : { name: deployment }),
      }),
    life: async (run) => {
      try {
        await run();
      } catch (error) {
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
        throw new Error(`${reason}\n\nlogs: ${system.dir}/log\n${story.join('\n')}`, { cause: error });
      }
    },
    judge: (scenario) =>
      report(scenario.outcome, { client, world, urls: system.urls, totalMs: Date.now() - startedMs }),
  };
}

export function urlOf(system: System, service: Service): string {
  const url = system.urls[service];
  if (url === undefined) throw new Error(`${service} has no address`);
  return url;
}

/** What a whole life must leave, wherever it was disturbed. */
export const DONE_WELL = {
  ok: true,
  replicasReady: 2,
  requestAnswered: true,
  healed: true,
  updated: true,
  scaled: true,
  deleted: true,
  leaked: 0,
  lawsBroken: [],
  auditsFailed: [],
} as const;

/** `DAVIT_SEED`, or the day, so that every day tries other moments and a failure can be run again. */
export function seedOfToday(): number {
  const given = process.env['DAVIT_SEED'];
  if (given === undefined) return Math.floor(Date.now() / 86_400_000);
  const seed = Number(given);
  if (!Number.isSafeInteger(seed)) throw new Error(`DAVIT_SEED is "${given}"; write a whole number`);
  return seed;
}
