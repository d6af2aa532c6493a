import { type Random, jitter, seededRandom } from '@davit/ports';

/** What happens at one moment of a round; everything about it is settled beforehand, so that a seed repeats it. */
export interface Move {
  readonly atMs: number;
  readonly act: Act;
}

export type Act =
  | { readonly kind: 'wish'; readonly wish: Wish; readonly door: 'http' | 'nats' }
  | { readonly kind: 'kill'; readonly child: string }
  | { readonly kind: 'stand-still'; readonly child: string; readonly ms: number }
  | { readonly kind: 'wipe-nats' }
  | { readonly kind: 'cut-connections' }
  | { readonly kind: 'world-fault'; readonly rule: object }
  | { readonly kind: 'stock'; readonly gpu: string; readonly free: number }
  /** The machine at this place among those that run. */
  | { readonly kind: 'kill-machine'; readonly nth: number }
  | { readonly kind: 'hurt-server'; readonly nth: number; readonly fault: object };

export type Wish =
  | {
      readonly verb: 'apply';
      readonly name: string;
      readonly replicas: number;
      readonly args: string;
      readonly strategy: string;
    }
  | { readonly verb: 'delete' | 'cancel' | 'retry'; readonly name: string };

export const NAMES = ['qwen', 'llama'] as const;
/** More rungs than a round has refusals: one that refused is not asked again for longer than a round lasts. */
export const GPUS = ['L40S', 'A100-80GB', 'H100', 'A40', 'L40', 'A100-80GB-SXM', 'H100-SXM', 'H200-SXM'] as const;
const LENGTHS = ['8192', '16384', '32768'] as const;

/** Services of which a second instance runs beside the first. */
export const DOUBLED = ['orchestrator', 'skypilot-agent'] as const;
const SERVICES = [
  'spec-api',
  'orchestrator',
  'skypilot-agent',
  'capacity-advisor',
  'runtime-prober',
  'router-registry',
  ...DOUBLED.map((service) => `${service}-2`),
] as const;

const sky = (verb: string, effect: object): object => ({ service: 'sky', verb, effect });
/** Each spends itself on the next call it fits. */
const FAULTS: readonly object[] = [
  sky('launch', { kind: 'lost-reply' }),
  sky('launch', { kind: 'lost-request' }),
  sky('launch', { kind: 'hang' }),
  sky('launch', { kind: 'late-visibility', ms: 2_000 }),
  sky('launch', { kind: 'launch-fails', reason: 'no-capacity' }),
  sky('launch', { kind: 'row-lost' }),
  sky('launch', { kind: 'duplicate-request' }),
  sky('status*', { kind: 'malformed', how: 'truncate' }),
  sky('status*', { kind: 'malformed', how: 'noise' }),
  sky('status*', { kind: 'refusal', reason: 'unreachable' }),
  sky('api status', { kind: 'latency', ms: 3_000 }),
  sky('down', { kind: 'lost-reply' }),
  sky('down', { kind: 'lost-request' }),
  sky('down', { kind: 'down-lies' }),
  sky('down', { kind: 'row-removed-machine-stays' }),
  { service: 'runpod', effect: { kind: 'status', status: 503 } },
  { service: 'runpod', effect: { kind: 'malformed', how: 'garbage' } },
  { service: 'runpod', effect: { kind: 'lost-reply' } },
];
const SERVER_FAULTS: readonly object[] = [
  { kind: 'dead-engine', ms: 500 },
  { kind: 'wrong-model', model: 'somebody/else' },
  { kind: 'crash' },
  { kind: 'scaling' },
  { kind: 'completions-fail' },
];

const WISH_EVERY_MS = 2_500;
const TROUBLE_EVERY_MS = 1_500;

/** The plan of one round: a user who changes their mind, and trouble of every kind. */
export function planRound(seed: number, round: number, chaosMs: number): readonly Move[] {
  const random = seededRandom(seed * 1_000 + round);
  const moves = [
    ...NAMES.map((name): Move => ({ atMs: 0, act: { kind: 'wish', wish: someApply(random, name), door: 'http' } })),
    ...moments(random, WISH_EVERY_MS, chaosMs).map((atMs): Move => ({
      atMs,
      act: { kind: 'wish', wish: someWish(random), door: random.next() < 0.5 ? 'http' : 'nats' },
    })),
    ...moments(random, TROUBLE_EVERY_MS, chaosMs).map((atMs): Move => ({ atMs, act: someTrouble(random) })),
  ];
  return moves.toSorted((a, b) => a.atMs - b.atMs);
}

/** What everybody wants in the end. */
export function lastWishes(seed: number, round: number): readonly Extract<Wish, { verb: 'apply' }>[] {
  const random = seededRandom(seed * 1_000 + round + 500);
  return NAMES.map((name) => ({ ...someApply(random, name), replicas: 1 + below(random, 2) }));
}

function moments(random: Random, everyMs: number, endMs: number): readonly number[] {
  const found: number[] = [];
  for (let atMs = jitter(random, everyMs, 0.9); atMs < endMs; atMs += jitter(random, everyMs, 0.9)) found.push(atMs);
  return found;
}

function someWish(random: Random): Wish {
  const name = pick(random, NAMES);
  const fate = random.next();
  if (fate < 0.65) return someApply(random, name);
  return { verb: fate < 0.85 ? 'delete' : fate < 0.95 ? 'cancel' : 'retry', name };
}

const someApply = (random: Random, name: string): Extract<Wish, { verb: 'apply' }> => ({
  verb: 'apply',
  name,
  replicas: below(random, 4),
  args: pick(random, LENGTHS),
  strategy: pick(random, ['surge', 'in-place']),
});

function someTrouble(random: Random): Act {
  const fate = random.next();
  if (fate < 0.25) return { kind: 'kill', child: pick(random, SERVICES) };
  if (fate < 0.4) return { kind: 'stand-still', child: pick(random, SERVICES), ms: 2_000 + below(random, 10_000) };
  if (fate < 0.45) return { kind: 'wipe-nats' };
  if (fate < 0.48) return { kind: 'kill', child: 'nats' };
  if (fate < 0.51) return { kind: 'kill', child: 'postgres' };
  if (fate < 0.57) return { kind: 'cut-connections' };
  if (fate < 0.65) return { kind: 'kill-machine', nth: below(random, 8) };
  if (fate < 0.72) return { kind: 'hurt-server', nth: below(random, 8), fault: pick(random, SERVER_FAULTS) };
  if (fate < 0.78) return { kind: 'stock', gpu: pick(random, GPUS), free: below(random, 3) };
  return { kind: 'world-fault', rule: pick(random, FAULTS) };
}

const below = (random: Random, bound: number): number => Math.floor(random.next() * bound);

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
