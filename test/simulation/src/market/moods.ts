import { type Random, jitter } from '@davit/ports';
import type { FaultRule } from '@davit/world';
import { ROW_TROUBLES, type Trouble, pick } from '../outside-faults.js';
import type { Simulation } from '../simulation.js';
import { CARDS } from './wishes.js';

const MOVES_EVERY_MS = 6_000;
const PLENTY = 50;
/** Words that no provider documents. */
const STRANGE = ['PLENTIFUL', 'low', '', 'SOLD OUT'] as const;

const vast = (effect: FaultRule['effect']): readonly FaultRule[] => [
  { service: 'vast-console', verb: 'POST /api/v0/bundles*', effect },
];
const catalogue = (effect: FaultRule['effect'], count = 1): readonly FaultRule[] => [
  { service: 'runpod', verb: 'GET /v2/catalog*', effect, count },
  { service: 'runpod', verb: 'POST /graphql*', effect, count },
];

/**
 * All that goes wrong elsewhere, but for machines behind SkyPilot's rows, since Vast is not asked what it bills; and advisors
 * that are out of order, limited, late or not to be understood.
 */
export const MARKET_TROUBLES: readonly Trouble[] = [
  ...ROW_TROUBLES,
  (random) => vast({ kind: 'status', status: pick(random, [401, 403, 429, 500, 503]) }),
  (random) => vast({ kind: 'malformed', how: pick(random, ['truncate', 'garbage']) }),
  () => vast({ kind: 'hang' }),
  (random) => vast({ kind: 'latency', ms: 1_000 + 14_000 * random.next() }),
  (random) => catalogue({ kind: 'status', status: pick(random, [401, 403, 500, 503]) }, 6),
  (random) => catalogue({ kind: 'status', status: 429, retryAfterSeconds: pick(random, [1, 20, 90]) }, 2),
  (random) => catalogue({ kind: 'malformed', how: pick(random, ['truncate', 'garbage']) }, 3),
  () => catalogue({ kind: 'hang' }, 3),
  // Longer than a signal is waited for, so that it is stale or given up when it comes.
  (random) => catalogue({ kind: 'latency', ms: 4_000 + 20_000 * random.next() }, 3),
  () => [{ service: 'runpod', verb: 'POST /graphql*', effect: { kind: 'graphql-errors', message: 'too busy' } }],
];

/** One thing that happens to the market. */
type Move = (simulation: Simulation, random: Random) => void;

const card = (random: Random): (typeof CARDS)[number] => pick(random, CARDS);

const MOVES: readonly Move[] = [
  ({ world }, random) => void world.stock.set({ ...card(random), free: pick(random, [0, 0, 1, 2, 4, PLENTY]) }),
  ({ world }, random) => void world.stock.set({ ...card(random), free: pick(random, [0, 1, PLENTY]) }),
  // The signal says one thing, and a launch finds another.
  ({ world }, random) => {
    world.stock.set({ ...card(random), free: 0, shownLevel: pick(random, ['LOW', 'MEDIUM', 'HIGH']) });
  },
  ({ world }, random) => void world.stock.set({ ...card(random), free: PLENTY, shownLevel: 'NONE' }),
  ({ world }, random) => void world.stock.set({ ...card(random), shownLevel: null }),
  ({ world }, random) =>
    void world.stock.set({ ...card(random), shownLevels: ['HIGH', 'NONE', pick(random, STRANGE)] }),
  ({ world }, random) => void world.stock.set({ ...card(random), shownLevel: pick(random, STRANGE) }),
  ({ world }, random) => void world.stock.set({ ...card(random), failNext: 1 + Math.floor(2 * random.next()) }),
  (simulation, random) => reprice(simulation, random, 0.5 + 1.5 * random.next()),
  (simulation, random) => reprice(simulation, random, 0.9 + 0.2 * random.next()),
  ({ world }, random) => void world.prices.set({ ...card(random), secure: null }),
  ({ world }, random) => void world.prices.set({ ...card(random), billedFactor: 0.6 + 0.9 * random.next() }),
  ({ world }, random) => void (world.runpodOptions.perMinute = pick(random, [0, 0, 4, 20])),
  ({ world }, random) => {
    world.runpodOptions.lowestPriceOfNone = pick(random, ['fields', 'null']);
    world.runpodOptions.noStockStatus = pick(random, ['null', 'None', '']);
  },
];

const LIST: Readonly<Record<string, number>> = { L40S: 0.86, A40: 0.4, 'A100-80GB': 1.64, RTX4090: 0.59 };

/** Another list price, of on-demand and of spot. */
function reprice({ world }: Simulation, random: Random, factor: number): void {
  const { cloud, gpu } = card(random);
  const secure = Number(((LIST[gpu] ?? 1) * factor).toFixed(3));
  world.prices.set({ cloud, gpu, secure, secureSpot: Number((secure / 2).toFixed(3)) });
}

/** Stock and prices move, and what is shown of them lies, until stopped; then everything is to be had at its list price. */
export function unleashMarket(simulation: Simulation, random: Random): { stop(): void } {
  let over = false;
  const move = (): void => {
    simulation.clock.schedule(jitter(random, MOVES_EVERY_MS, 0.9), () => {
      if (over) return;
      pick(random, MOVES)(simulation, random);
      move();
    });
  };
  move();
  return {
    stop() {
      over = true;
      const { stock, prices, runpodOptions } = simulation.world;
      for (const { cloud, gpu } of CARDS) {
        stock.set({ cloud, gpu, free: PLENTY, shownLevel: null, failNext: 0 });
        const secure = LIST[gpu] ?? 1;
        prices.set({ cloud, gpu, secure, secureSpot: secure / 2 });
      }
      runpodOptions.perMinute = 0;
    },
  };
}
