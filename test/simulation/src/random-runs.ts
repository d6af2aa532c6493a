import type { RecordedEvent } from '@davit/contracts';
import { type Random, seededRandom } from '@davit/ports';
import { type ChaosOptions, WORST_CLOCK_MS, unleashChaos } from './chaos.js';
import { wrongDiffs } from './comparer.js';
import { fleetLife } from './fleet.js';
import { StuckError, mainJob } from './main-job.js';
import { marketFaults, marketLife } from './market/life.js';
import { MARKET_TROUBLES } from './market/moods.js';
import { comesToRest, doubledMachines, randomUser } from './random-user.js';
import { leftAtVast } from './rollout/watch.js';
import { rolloutLife } from './rollout/life.js';
import { SERVERLESS_TIMINGS, SERVERLESS_TROUBLES } from './rollout/outside.js';
import { replayedOtherwise } from './replayer.js';
import { Simulation, type SimulationOptions } from './simulation.js';
import { StandstillBeforeCalls } from './standstill.js';
import { Witness } from './witness.js';

export const RUN_KINDS = ['job', 'user', 'fleet', 'market', 'rollout'] as const;
/**
 * `job`: one deployment up, healed, rolled out, scaled and deleted. `user`: several deployments of somebody who changes their mind
 * at random, on failing model servers and scarce stock. `fleet`: three deployments through scaling, healing, rollbacks and deletion at once.
 * `market`: deployments bounded by prices and budgets, on stock and prices that move and lie. `rollout`: candidates of all kinds for a
 * serverless endpoint, each on evidence.
 */
export type RunKind = (typeof RUN_KINDS)[number];

export interface RunOutcome {
  readonly kind: RunKind;
  readonly seed: number;
  readonly events: number;
  readonly machines: number;
  readonly virtualMs: number;
  /** Machines that the world's ledger still bills at the end. */
  readonly leaked: number;
  /** Pairs of machines that were up at once under one name. */
  readonly doubled: number;
  /** 1 when the run never came to the rest it was to come to. */
  readonly stuck: number;
  readonly lawsBroken: number;
  /** Services whose documents differ from a fresh fold of the log. */
  readonly differ: number;
  /** Moments at which live documents were looked at, and held against the fold up to there afterwards. */
  readonly moments: number;
  /** All of the above in words, and whatever else went wrong; empty for a run in which everything held. */
  readonly faults: readonly string[];
}

export type Trace = (event: RecordedEvent) => void;

interface Scenario {
  readonly options: (seed: number) => Omit<SimulationOptions, 'seed'>;
  readonly chaos: ChaosOptions;
  /** Ends when nothing should be left; `quiet` ends the chaos before that. */
  live(simulation: Simulation, random: Random, quiet: () => void): Promise<void>;
  /** What this kind is judged by beside the laws. */
  readonly faultsOf?: (simulation: Simulation) => Promise<readonly string[]>;
}

const ACTIONS = 12;
const ROUGH: ChaosOptions = {
  crashEveryMs: 6_000,
  faultEveryMs: 2_500,
  pauseEveryMs: 25_000,
  clockEveryMs: 20_000,
};
/** Calls that take longer than a pause between looks give other races than quick ones. */
const twoInstances = (seed: number): Omit<SimulationOptions, 'seed'> => ({
  maxDelayMs: seed % 2 === 0 ? 40 : 600,
  instances: 2,
  feedTrouble: 0.1,
});

const SCENARIOS: Readonly<Record<RunKind, Scenario>> = {
  job: {
    options: () => ({ maxDelayMs: 40 }),
    chaos: ROUGH,
    live: (simulation) => mainJob(simulation),
  },
  user: {
    options: twoInstances,
    chaos: ROUGH,
    async live(simulation, random, quiet) {
      await randomUser(simulation, random, ACTIONS);
      quiet();
      await comesToRest(simulation, random);
    },
  },
  fleet: {
    options: twoInstances,
    chaos: ROUGH,
    async live(simulation, random, quiet) {
      await fleetLife(simulation, random);
      quiet();
      await comesToRest(simulation, random);
    },
  },
  market: {
    options: (seed) => ({ ...twoInstances(seed), stockApi: seed % 16 < 8 ? 'v2' : 'graphql' }),
    chaos: { ...ROUGH, troubles: MARKET_TROUBLES },
    live: marketLife,
    faultsOf: marketFaults,
  },
  rollout: {
    options: (seed) => ({ ...twoInstances(seed), serverless: true, timings: SERVERLESS_TIMINGS }),
    chaos: { ...ROUGH, troubles: SERVERLESS_TROUBLES },
    live: rolloutLife,
    faultsOf: (simulation) => Promise.resolve(leftAtVast(simulation)),
  },
};

/** In a mix of all each run at the market stands beside this many others: it costs twice what they do. */
const MARKET_EVERY = 8;
/** And one at rollouts for so many others: it has two services more, and load to send. */
const ROLLOUT_EVERY = 32;
const OTHERS = RUN_KINDS.filter((kind) => kind !== 'market' && kind !== 'rollout');

/** The kind that a seed stands for in a mix of all. */
export const kindOf = (seed: number): RunKind =>
  seed % ROLLOUT_EVERY === 5
    ? 'rollout'
    : seed % MARKET_EVERY === 0
      ? 'market'
      : (OTHERS[seed % OTHERS.length] ?? 'job');

/** One run under crashes, pauses, delays and faults, all decided by the seed, judged by the laws and by the world's ledger. */
export async function randomRun(seed: number, kind: RunKind = kindOf(seed), trace?: Trace): Promise<RunOutcome> {
  const scenario = SCENARIOS[kind];
  const tap = new StandstillBeforeCalls(seededRandom(seed + 4));
  const simulation = new Simulation({ seed, tap, ...scenario.options(seed) });
  const startedMs = simulation.clock.nowMs();
  const chaos = unleashChaos(simulation, seededRandom(seed + 1), scenario.chaos);
  const witness = new Witness(simulation, seededRandom(seed + 5));
  tap.begin(simulation.clock);
  simulation.start();
  const faults: string[] = [];
  let stuck = 0;
  const quiet = (): void => {
    chaos.stop();
    tap.end();
  };
  try {
    await scenario.live(simulation, seededRandom(seed + 2), quiet);
  } catch (error) {
    if (error instanceof StuckError) stuck = 1;
    faults.push(error instanceof Error ? error.message : String(error));
  }
  quiet();
  const events = await simulation.events();
  if (trace) for (const event of events) trace(event);
  const ended = faults.length === 0;
  faults.push(...((await scenario.faultsOf?.(simulation)) ?? []));
  faults.push(...(await witness.contradictions(simulation.log)));
  faults.push(...(await wrongDiffs(simulation, seededRandom(seed + 6))));
  faults.push(...(await replayedOtherwise(simulation)));
  const judged = await judge(simulation, ended, scenario.chaos);
  return {
    kind,
    seed,
    events: events.length,
    virtualMs: simulation.clock.nowMs() - startedMs,
    stuck,
    moments: witness.moments,
    ...judged,
    faults: [...faults, ...judged.faults],
  };
}

type Judgement = Pick<RunOutcome, 'machines' | 'leaked' | 'doubled' | 'lawsBroken' | 'differ' | 'faults'>;

/** What the ledger, the laws and a fresh fold say. A run that did not end cannot have everything folded in. */
async function judge(simulation: Simulation, ended: boolean, { clockEveryMs }: ChaosOptions): Promise<Judgement> {
  const { running, everCreated } = simulation.world.ledger.report();
  const doubled = doubledMachines(simulation);
  const skewMs = clockEveryMs === undefined ? undefined : WORST_CLOCK_MS;
  const violations = await simulation.violations(ended && running === 0 && doubled.length === 0, skewMs);
  const differing = ended ? await simulation.differingProjections() : [];
  return {
    machines: everCreated,
    leaked: running,
    doubled: doubled.length,
    lawsBroken: violations.length,
    differ: differing.length,
    faults: [
      ...(running > 0 ? [`${running} machines leaked`] : []),
      ...doubled,
      ...violations.map(({ law, position, about, message }) => `${law} at ${position} (${about}): ${message}`),
      ...differing.map((service) => `${service} differs from a fresh fold`),
    ],
  };
}
