import { type Random, jitter } from '@davit/ports';
import type { DeploymentState, ReplicaState } from '@davit/domain';
import { StuckError, waitFor } from '../main-job.js';
import { pick } from '../outside-faults.js';
import type { Simulation } from '../simulation.js';
import { unleashMarket } from './moods.js';
import { readStory } from './story.js';
import {
  foreignMachines,
  forgotten,
  notDrained,
  oldDrainedFirst,
  overCeilings,
  placedForNothing,
  wronglyMetered,
} from './verdicts.js';
import { DEPLOYMENTS, TENANTS, freeWish, keyOf, randomCeilings, randomWish } from './wishes.js';

const ACTIONS = 10;
/** Services die, sleep for minutes and have their answers lost, one after the other. */
const LATE_MS = 8 * 60_000;
const RISE = 1.6;
const HOUR_MS = 3_600_000;

/**
 * Deployments that are bounded in every way, on a market that moves and lies. Once it holds still, whatever is over a budget
 * that drains has been drained, and nobody waits for stock; without ceilings everybody gets what was asked for.
 */
export async function marketLife(simulation: Simulation, random: Random, quiet: () => void): Promise<void> {
  const market = unleashMarket(simulation, random);
  const wish = async (): Promise<void> => {
    const named = pick(random, DEPLOYMENTS);
    await simulation.apply(randomWish(random, named));
  };
  const act: readonly (() => unknown)[] = [
    wish,
    wish,
    async () => simulation.remove(keyOf(pick(random, DEPLOYMENTS))),
    async () => simulation.setBudget(pick(random, TENANTS), random.next() < 0.6 ? randomCeilings(random) : null),
    () => endMachine(simulation, random),
    () => raisePrice(simulation, random),
  ];
  for (const named of DEPLOYMENTS) await simulation.apply(randomWish(random, named));
  for (let done = 0; done < ACTIONS; done++) {
    await simulation.clock.advance(random.next() < 0.2 ? 50 : jitter(random, 30_000, 1));
    await pick(random, act)();
  }
  quiet();
  market.stop();
  raisePrice(simulation, random);
  await settled(simulation);
  await freed(simulation, random);
}

/** Budgets that drain are kept, and whoever still waits does so for money. */
async function settled(simulation: Simulation): Promise<void> {
  const fromMs = simulation.clock.nowMs();
  let unsettled: readonly string[] = [];
  const look = async (): Promise<boolean> => {
    const waiting = await Promise.all(DEPLOYMENTS.map((named) => stillWaiting(simulation, keyOf(named), fromMs)));
    unsettled = waiting.flat();
    if (unsettled.length > 0) return false;
    // The whole log is read for it, so it comes last.
    unsettled = notDrained(simulation.world.ledger.everCreated(), readStory(await simulation.events()));
    return unsettled.length === 0;
  };
  if (!(await simulation.runUntilState(look, 2 * HOUR_MS)))
    throw new StuckError(`on a quiet market for two hours: ${unsettled.join('; ')}`);
}

/** What of it has not come, unless a budget or a price stands in its way, as was found out after `fromMs`. */
async function stillWaiting(simulation: Simulation, key: string, fromMs: number): Promise<readonly string[]> {
  const deployment = await simulation.deployment(key);
  if (!deployment || deployment.status === 'deleted' || isConverged(deployment)) return [];
  const replicas = (await simulation.replicasOf(key)).filter(
    ({ status }) => status !== 'ready' && status !== 'deleted',
  );
  if (replicas.length === 0 && deployment.conditions['WithinBudget']?.status !== 'false')
    return [`${key} is ${deployment.conditions['Progressing']?.reason ?? 'unknown'}`];
  return replicas
    .filter((replica) => !isPoor(replica, fromMs))
    .map(({ id, status, reason }) => `${id} is ${status} (${reason})`);
}

const MONEY = /price|ceiling|budget/;

const isPoor = ({ status, since, reason }: ReplicaState, fromMs: number): boolean =>
  status === 'deferred' && Date.parse(since) > fromMs && reason.split('; ').some((part) => MONEY.test(part));

const isConverged = ({ conditions, activeRevision, revision }: DeploymentState): boolean =>
  activeRevision === revision && conditions['Progressing']?.reason === 'Converged';

/** Without ceilings all comes true, and then nothing is left. */
async function freed(simulation: Simulation, random: Random): Promise<void> {
  for (const tenant of TENANTS) await simulation.setBudget(tenant, null);
  const wanted = DEPLOYMENTS.map((named) => ({ named, replicas: Math.floor(random.next() * 4) }));
  for (const { named, replicas } of wanted) await simulation.apply(freeWish(named, replicas));
  for (const { named, replicas } of wanted) {
    await waitFor(simulation, `${keyOf(named)} has its ${replicas} replicas`, async () => {
      const state = await simulation.deployment(keyOf(named));
      const route = await simulation.route(keyOf(named));
      return state !== undefined && isConverged(state) && (route?.targets.length ?? 0) === replicas;
    });
  }
  for (const named of DEPLOYMENTS) await simulation.remove(keyOf(named));
  for (const named of DEPLOYMENTS) {
    await waitFor(simulation, `${keyOf(named)} is deleted`, async () => {
      return (await simulation.deployment(keyOf(named)))?.status === 'deleted';
    });
  }
  await waitFor(simulation, 'caught up', () => simulation.caughtUp());
}

/** What the world's ledger says against the choices in the log; counted whatever became of the run. */
export async function marketFaults(simulation: Simulation): Promise<readonly string[]> {
  const { ledger, cloud } = simulation.world;
  const story = readStory(await simulation.events());
  const nowMs = simulation.clock.nowMs();
  return [
    ...foreignMachines(cloud.all(), story),
    ...overCeilings(ledger.everCreated(), story),
    ...placedForNothing(story),
    ...oldDrainedFirst(ledger.everCreated(), story),
    ...wronglyMetered(ledger.everCreated(), await simulation.replicas(), nowMs, { startMs: LATE_MS, endMs: LATE_MS }),
    ...forgotten(story, nowMs, LATE_MS),
  ];
}

function endMachine({ world }: Simulation, random: Random): void {
  const running = world.cloud.running();
  if (running.length > 0) void world.cloud.end(pick(random, running), 'killed at the provider');
}

/** A machine that runs is billed at more than it was rented for. */
function raisePrice({ world }: Simulation, random: Random): void {
  const running = world.cloud.running();
  if (running.length === 0) return;
  const machine = pick(random, running);
  world.cloud.reprice(machine, Number((machine.pricePerHour * RISE).toFixed(4)));
}
