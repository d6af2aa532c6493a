import { type Random, jitter } from '@davit/ports';
import { RowHider, TROUBLES, type Trouble, pick, unsettleRow } from './outside-faults.js';
import type { Simulation } from './simulation.js';

export { pick };

export interface ChaosOptions {
  /** Mean pause between two crashes of some service; each comes back within a few seconds. */
  readonly crashEveryMs: number;
  /** Mean pause between two faults of the outside. */
  readonly faultEveryMs: number;
  /** Mean pause between two instances that are stopped, and go on when their leases have long run out. Default: never. */
  readonly pauseEveryMs?: number;
  /** Mean pause between two clocks of instances that are set wrong, by minutes and either way. Default: never. */
  readonly clockEveryMs?: number;
  /** What may go wrong outside. Default: {@link TROUBLES}. */
  readonly troubles?: readonly Trouble[];
}

const LONGEST_PAUSE_MS = 60_000;
/** Clocks of instances are wrong by so much at most. */
export const WORST_CLOCK_MS = 180_000;

/** Crashes, stops and confuses services and disturbs the outside at random instants until stopped. The seed decides when and what. */
export function unleashChaos(simulation: Simulation, random: Random, options: ChaosOptions): { stop(): void } {
  const { clock, world } = simulation;
  const rows = new RowHider();
  let over = false;
  const nowAndThen = (everyMs: number | undefined, act: () => void): void => {
    if (everyMs === undefined) return;
    clock.schedule(jitter(random, everyMs, 0.9), () => {
      if (over) return;
      act();
      nowAndThen(everyMs, act);
    });
  };
  nowAndThen(options.crashEveryMs, () => {
    const service = pick(random, simulation.services);
    if (!service.running) return;
    service.crash();
    clock.schedule(jitter(random, 2_000, 0.9), () => service.start());
  });
  nowAndThen(options.faultEveryMs, () => {
    // One at a time: faults that nothing met yet would otherwise pile up until no launch can succeed.
    world.faults.clear();
    for (const rule of pick(random, options.troubles ?? TROUBLES)(random)) world.faults.add(rule);
    if (random.next() < 0.3) rows.hide(world, random);
    if (random.next() < 0.1) unsettleRow(world, random);
  });
  nowAndThen(options.pauseEveryMs, () => {
    const service = pick(random, simulation.services);
    service.pause();
    clock.schedule(5_000 + random.next() * (LONGEST_PAUSE_MS - 5_000), () => service.resume());
  });
  nowAndThen(options.clockEveryMs, () => {
    const service = pick(random, simulation.services);
    service.setClockWrong(random.next() < 0.3 ? 0 : (2 * random.next() - 1) * WORST_CLOCK_MS);
  });
  return {
    stop() {
      over = true;
      world.faults.clear();
      for (const service of simulation.services) service.setClockWrong(0);
    },
  };
}
