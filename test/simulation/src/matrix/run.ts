import { Strike, type Target } from '@davit/stage';
import { doubledMachines } from '../random-user.js';
import { leftAtVast } from '../rollout/watch.js';
import { Simulation } from '../simulation.js';
import { FrontDoor } from './front-door.js';
import { pointOf } from './points.js';
import type { Scenario } from './scenario.js';
import { Stage } from './stage.js';

export interface Setting {
  readonly scenario: Scenario;
  /** Instances of each service. */
  readonly instances: number;
  readonly seed: number;
}

export interface CellOutcome {
  readonly strike: Strike;
  readonly events: number;
  /** Empty for a run in which everything held. */
  readonly faults: readonly string[];
}

/** Plays a scenario, with at most one stroke in it, and judges what is left. */
export async function runCell({ scenario, instances, seed }: Setting, target?: Target): Promise<CellOutcome> {
  const strike: Strike = new Strike(() => simulation.clock, target, pointOf);
  const simulation: Simulation = new Simulation({ ...scenario.settings, seed, instances, tap: strike });
  const stage = new Stage(simulation, new FrontDoor(simulation, strike));
  simulation.start();
  const faults: string[] = [];
  try {
    await scenario.play(stage, target !== undefined);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  faults.push(...(await judge(simulation, faults.length === 0)));
  if (target && !strike.struck) faults.push('the point was never reached');
  const events = await simulation.log.head();
  for (const service of simulation.services) service.crash();
  return { strike, events, faults };
}

async function judge(simulation: Simulation, ended: boolean): Promise<readonly string[]> {
  const rented = simulation.world.ledger.running().filter(({ owner }) => owner.startsWith('sky:'));
  const broken = await simulation.violations(ended);
  const differing = ended ? await simulation.differingProjections() : [];
  return [
    ...leftAtVast(simulation),
    ...rented.map(({ id, owner }) => `machine ${id} of ${owner} leaked`),
    ...doubledMachines(simulation),
    ...broken.map(({ law, position, about, message }) => `${law} at ${position} (${about}): ${message}`),
    ...differing.map((service) => `${service} differs from a fresh fold`),
  ];
}
