import { seededRandom } from '@davit/ports';
import { unleashChaos } from './chaos.js';
import { mainJob } from './main-job.js';
import { Simulation } from './simulation.js';

export interface RunOutcome {
  readonly seed: number;
  readonly events: number;
  readonly machines: number;
  /** Empty for a run in which everything held. */
  readonly faults: readonly string[];
}

/** One whole life of a deployment under crashes, delays and faults that the seed decides, judged by the laws and the ledger. */
export async function randomRun(seed: number): Promise<RunOutcome> {
  const simulation = new Simulation({ seed, maxDelayMs: 40 });
  const chaos = unleashChaos(simulation, seededRandom(seed + 1), { crashEveryMs: 15_000, faultEveryMs: 8_000 });
  simulation.start();
  const faults: string[] = [];
  try {
    await mainJob(simulation);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  chaos.stop();
  const { running, everCreated } = simulation.world.ledger.report();
  if (running > 0) faults.push(`${running} machines leaked`);
  for (const { law, position, about, message } of await simulation.violations(faults.length === 0)) {
    faults.push(`${law} at ${position} (${about}): ${message}`);
  }
  if (faults.length === 0) {
    for (const service of await simulation.differingProjections()) faults.push(`${service} differs from a fresh fold`);
  }
  return { seed, events: (await simulation.events()).length, machines: everCreated, faults };
}
