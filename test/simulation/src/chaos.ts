import { type Random, jitter } from '@davit/ports';
import type { FaultRule } from '@davit/world';
import type { Simulation } from './simulation.js';

/** Faults of the outside that a provider may show at any time; each spends itself on the next call it fits. */
const FAULTS: readonly FaultRule[] = [
  { service: 'sky', verb: 'launch', effect: { kind: 'lost-reply' } },
  { service: 'sky', verb: 'launch', effect: { kind: 'lost-request' } },
  { service: 'sky', verb: 'launch', effect: { kind: 'late-visibility', ms: 4_000 } },
  { service: 'sky', verb: 'launch', effect: { kind: 'launch-fails', reason: 'no-capacity' } },
  { service: 'sky', verb: 'launch', effect: { kind: 'hang' } },
  { service: 'sky', verb: 'status*', effect: { kind: 'malformed', how: 'truncate' } },
  { service: 'sky', verb: 'status*', effect: { kind: 'malformed', how: 'noise' } },
  { service: 'sky', verb: 'status*', effect: { kind: 'refusal', reason: 'unreachable' } },
  { service: 'sky', verb: 'api status', effect: { kind: 'latency', ms: 5_000 } },
  { service: 'sky', verb: 'down', effect: { kind: 'lost-reply' } },
  { service: 'sky', verb: 'down', effect: { kind: 'lost-request' } },
  { service: 'sky', verb: 'down', effect: { kind: 'down-lies' } },
  { service: 'runpod', effect: { kind: 'status', status: 503 } },
  { service: 'runpod', effect: { kind: 'malformed', how: 'garbage' } },
  { service: 'runpod', effect: { kind: 'latency', ms: 8_000 } },
];

export interface ChaosOptions {
  /** Mean pause between two crashes of some service; each comes back within a few seconds. */
  readonly crashEveryMs: number;
  /** Mean pause between two faults of the outside. */
  readonly faultEveryMs: number;
}

/** Crashes services and disturbs the outside at random instants until stopped. The seed decides when and what. */
export function unleashChaos(simulation: Simulation, random: Random, options: ChaosOptions): { stop(): void } {
  const { clock } = simulation;
  let over = false;
  const nowAndThen = (everyMs: number, act: () => void): void => {
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
    simulation.world.faults.clear();
    simulation.world.faults.add(pick(random, FAULTS));
  });
  return {
    stop() {
      over = true;
      simulation.world.faults.clear();
    },
  };
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random.next() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
