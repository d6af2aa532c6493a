import type { RecordedEvent } from '@davit/contracts';
import { seededRandom } from '@davit/ports';
import { unleashChaos } from './chaos.js';
import { mainJob } from './main-job.js';
import { comesToRest, doubledMachines, randomUser } from './random-user.js';
import { Simulation } from './simulation.js';

export interface RunOutcome {
  readonly seed: number;
  readonly events: number;
  readonly machines: number;
  /** Empty for a run in which everything held. */
  readonly faults: readonly string[];
}

/** One whole life of a deployment under crashes, delays and faults that the seed decides, judged by the laws and the ledger. */
export const randomRun = (seed: number, trace?: Trace): Promise<RunOutcome> =>
  judged(new Simulation({ seed, maxDelayMs: 40 }), seed, mainJob, trace);

/**
 * Several deployments of a user who changes their mind at random, on two instances of each service that lose and repeat
 * wake-ups, over providers and model servers that fail.
 */
export const randomUserRun = (seed: number, trace?: Trace): Promise<RunOutcome> =>
  judged(
    new Simulation({ seed, maxDelayMs: seed % 2 === 0 ? 40 : 600, instances: 2, feedTrouble: 0.1 }),
    seed,
    async (simulation, quiet) => {
      const random = seededRandom(seed + 2);
      await randomUser(simulation, random, ACTIONS);
      quiet();
      await comesToRest(simulation, random);
    },
    trace,
  );

export type Trace = (event: RecordedEvent) => void;
const ACTIONS = 12;

async function judged(
  simulation: Simulation,
  seed: number,
  live: (simulation: Simulation, quiet: () => void) => Promise<void>,
  trace: Trace | undefined,
): Promise<RunOutcome> {
  const chaos = unleashChaos(simulation, seededRandom(seed + 1), { crashEveryMs: 6_000, faultEveryMs: 2_500 });
  simulation.start();
  const faults: string[] = [];
  try {
    await live(simulation, () => chaos.stop());
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  chaos.stop();
  if (trace) for (const event of await simulation.events()) trace(event);
  const { running, everCreated } = simulation.world.ledger.report();
  if (running > 0) faults.push(`${running} machines leaked`);
  faults.push(...doubledMachines(simulation));
  for (const { law, position, about, message } of await simulation.violations(faults.length === 0)) {
    faults.push(`${law} at ${position} (${about}): ${message}`);
  }
  if (faults.length === 0) {
    for (const service of await simulation.differingProjections()) faults.push(`${service} differs from a fresh fold`);
  }
  return { seed, events: (await simulation.events()).length, machines: everCreated, faults };
}
