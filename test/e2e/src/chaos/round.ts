import { setTimeout as delay } from 'node:timers/promises';
import { checkLaws } from '@davit/domain';
import { readLog } from '../log-reader.js';
import { failedAudits } from '../report.js';
import { doubledMachines, unannounced } from '../testing/machines.js';
import { waitFor } from '../wait-for.js';
import { GPUS, NAMES, type Move, type Wish, lastWishes } from './plan.js';
import { type ChaosStage, carryOut, wishOverHttp } from './stage.js';

const PATIENCE_MS = 240_000;
const LOOK_MS = 250;
const ENOUGH = 12;

export interface RoundReport {
  readonly round: number;
  readonly acts: number;
  readonly events: number;
  readonly machines: number;
  readonly leaked: number;
  readonly doubled: number;
  /** Waits that never ended, in words. */
  readonly stuck: readonly string[];
  readonly faults: readonly string[];
}

/** Chaos for as long as the plan lasts, then quiet: what was asked for last comes true, and then nothing is left. */
export async function playRound(
  stage: ChaosStage,
  seed: number,
  round: number,
  plan: readonly Move[],
): Promise<RoundReport> {
  await unleash(stage, plan);
  await calm(stage);
  const stuck: string[] = [];
  try {
    const wishes = lastWishes(seed, round);
    for (const wish of wishes) await insist(stage, wish);
    for (const wish of wishes) await converged(stage, wish);
    for (const name of NAMES) await insist(stage, { verb: 'delete', name });
    await gone(stage);
  } catch (error) {
    stuck.push(error instanceof Error ? error.message : String(error));
  }
  return { round, acts: plan.length, stuck, ...(await judge(stage, stuck.length === 0)) };
}

async function unleash(stage: ChaosStage, plan: readonly Move[]): Promise<void> {
  const startedMs = Date.now();
  const running: Promise<void>[] = [];
  for (const { atMs, act } of plan) {
    await delay(Math.max(0, startedMs + atMs - Date.now()));
    stage.tell(`  ${JSON.stringify(act)}`);
    // Whatever an act meets may be down at that moment, by an earlier act.
    running.push(
      carryOut(stage, act).catch((error: unknown) => stage.tell(`    not done: ${String(error).slice(0, 120)}`)),
    );
  }
  await Promise.all(running);
}

async function calm({ system, world, tell }: ChaosStage): Promise<void> {
  await world.clearFaults();
  for (const gpu of GPUS) await world.setStock(gpu, ENOUGH);
  for (const [service, url] of Object.entries(system.urls))
    await waitFor(
      `${service} is ready`,
      async () => {
        const answer = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(5_000) }).catch(
          () => undefined,
        );
        return answer?.ok === true ? true : undefined;
      },
      { timeoutMs: PATIENCE_MS, everyMs: LOOK_MS },
    );
  tell('  quiet: every service is ready');
}

const insist = (stage: ChaosStage, wish: Wish): Promise<true> =>
  waitFor(
    `the wish ${JSON.stringify(wish)} is answered`,
    () =>
      wishOverHttp(stage, wish).then(
        () => true as const,
        () => undefined,
      ),
    { timeoutMs: PATIENCE_MS, everyMs: LOOK_MS },
  );

async function converged({ client }: ChaosStage, { name, replicas }: Extract<Wish, { verb: 'apply' }>): Promise<void> {
  let seen = '';
  await waitFor(
    `${name} has ${replicas} replicas that serve`,
    async () => {
      const view = await client.deployment('default', name).catch(() => undefined);
      seen = JSON.stringify(view?.conditions ?? view);
      const route = (await client.routes().catch(() => [])).find(({ alias }) => alias === `default/${name}`);
      const present = (await client.replicas(`default/${name}`).catch(() => undefined))?.filter(
        ({ state }) => state !== 'deleted',
      );
      const settled = view?.activeRevision === view?.revision && route?.targets.length === replicas;
      return settled && present?.length === replicas ? true : undefined;
    },
    { timeoutMs: PATIENCE_MS, everyMs: LOOK_MS },
  ).catch((error: unknown) => {
    throw new Error(`${error instanceof Error ? error.message : String(error)}; last seen ${seen}`, { cause: error });
  });
}

async function gone({ client, world }: ChaosStage): Promise<void> {
  for (const name of NAMES)
    await waitFor(
      `${name} is deleted`,
      async () => {
        const view = await client.deployment('default', name).catch(() => undefined);
        return view?.status === 'deleted' ? true : undefined;
      },
      { timeoutMs: PATIENCE_MS, everyMs: LOOK_MS },
    );
  // What lost its owner in the chaos is found, kept apart for a while, and ended.
  await waitFor('nothing is rented', async () => ((await world.running()).length === 0 ? true : undefined), {
    timeoutMs: PATIENCE_MS,
    everyMs: LOOK_MS,
  });
}

async function judge(
  { client, world, system }: ChaosStage,
  ended: boolean,
): Promise<Omit<RoundReport, 'round' | 'acts' | 'stuck'>> {
  const [running, machines, events] = await Promise.all([world.running(), world.machines(), readLog(client)]);
  const broken = checkLaws(events, { ended });
  const doubled = doubledMachines(machines);
  return {
    events: events.length,
    machines: machines.length,
    leaked: running.length,
    doubled: doubled.length,
    faults: [
      ...doubled,
      ...unannounced(machines, events).map((machine) => `rented without an event that announces it: ${machine}`),
      ...broken.map(({ law, position, about, message }) => `${law} at ${position} (${about}): ${message}`),
      ...(await failedAudits(system.urls)),
    ],
  };
}
