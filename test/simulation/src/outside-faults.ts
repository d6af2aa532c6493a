import type { Random } from '@davit/ports';
import type { FaultRule, LaunchFailure, World } from '@davit/world';

/** The adapter waits this long before it takes a launch that nothing shows for one that never was; anything less must be borne. */
const JUST_VISIBLE_MS = 29_000;
/** Less than the 20 s between two looks that prove absence. */
const HIDDEN_LATER_MS = 15_000;
const HIDDEN_AGAIN_MS = 60_000;

const LAUNCH_FAILURES: readonly LaunchFailure[] = [
  'no-capacity',
  'infeasible',
  'quota',
  'credentials',
  'image-missing',
  'image-pull-interrupted',
  'disk-full',
  'ssh-timeout',
  'owner-mismatch',
  'stuck',
];

const launch = (effect: FaultRule['effect']): FaultRule => ({ service: 'sky', verb: 'launch', effect });
const sky = (verb: string, effect: FaultRule['effect']): FaultRule => ({ service: 'sky', verb, effect });
const runpod = (effect: FaultRule['effect']): FaultRule => ({ service: 'runpod', effect });

/** One trouble: rules that spend themselves on the next calls they fit, several of them on one call. */
export type Trouble = (random: Random) => readonly FaultRule[];

const between = (random: Random, fromMs: number, toMs: number): number => fromMs + (toMs - fromMs) * random.next();
const late = (random: Random): FaultRule =>
  launch({ kind: 'late-visibility', ms: between(random, 1_000, JUST_VISIBLE_MS) });

/** What a provider may show at any time, of machines that SkyPilot's rows tell of sooner or later. */
export const ROW_TROUBLES: readonly Trouble[] = [
  () => [launch({ kind: 'lost-reply' })],
  () => [launch({ kind: 'lost-request' })],
  (random) => [late(random)],
  (random) => [late(random), launch({ kind: 'lost-reply' })],
  (random) => [late(random), launch({ kind: 'hang' })],
  (random) => [launch({ kind: 'launch-fails', reason: pick(random, LAUNCH_FAILURES) })],
  (random) => [launch({ kind: 'launch-fails', reason: pick(random, LAUNCH_FAILURES) }), launch({ kind: 'lost-reply' })],
  () => [launch({ kind: 'hang' })],
  () => [launch({ kind: 'duplicate-request' })],
  () => [launch({ kind: 'duplicate-request' }), launch({ kind: 'lost-reply' })],
  () => [launch({ kind: 'endpoint-never' })],
  (random) => [sky('status*', { kind: 'malformed', how: pick(random, ['truncate', 'noise', 'garbage']) })],
  (random) => [sky('status*', { kind: 'refusal', reason: pick(random, ['unreachable', 'auth', 'permission']) })],
  () => [sky('status*', { kind: 'hang' })],
  () => [sky('status*', { kind: 'lost-reply' })],
  (random) => [sky('api status', { kind: 'malformed', how: pick(random, ['truncate', 'noise', 'garbage']) })],
  () => [sky('api status', { kind: 'refusal', reason: 'unreachable' })],
  (random) => [sky('api status', { kind: 'latency', ms: between(random, 1_000, 15_000) })],
  () => [sky('api status', { kind: 'hang' })],
  () => [sky('down', { kind: 'lost-reply' })],
  () => [sky('down', { kind: 'lost-request' })],
  () => [sky('down', { kind: 'down-lies' })],
  () => [{ ...sky('down', { kind: 'down-lies' }), count: 3 }],
  () => [sky('down', { kind: 'hang' })],
  (random) => [sky('down', { kind: 'latency', ms: between(random, 1_000, 15_000) })],
  (random) => [runpod({ kind: 'status', status: pick(random, [401, 429, 500, 503]) })],
  (random) => [runpod({ kind: 'malformed', how: pick(random, ['truncate', 'garbage']) })],
  (random) => [runpod({ kind: 'latency', ms: between(random, 1_000, 15_000) })],
  () => [runpod({ kind: 'lost-reply' })],
  () => [runpod({ kind: 'hang' })],
];

/** Machines that no row tells of: where the cloud itself is not asked what it bills, nobody can find them. */
const BEHIND_THE_ROWS: readonly Trouble[] = [
  () => [launch({ kind: 'row-lost' })],
  () => [launch({ kind: 'machine-doubled' })],
  () => [sky('down', { kind: 'row-removed-machine-stays' })],
];

/** What a provider may show at any time, on a cloud that is asked itself. */
export const TROUBLES: readonly Trouble[] = [...ROW_TROUBLES, ...BEHIND_THE_ROWS];

/**
 * Leaves a row out of every list for a while: soon after its launch for as long as a provider may take to show it, later for less
 * than the time between the two looks that would prove it gone. One row is not hidden again and again.
 */
export class RowHider {
  private readonly lastMs = new Map<string, number>();

  hide({ sky: backend, clock }: World, random: Random): void {
    const nowMs = clock.nowMs();
    const rows = [...backend.clusters.values()].filter(
      ({ name, machine }) =>
        machine !== null &&
        machine.phase !== 'ended' &&
        // A request that has yet to begin would miss the row as well, and rent anew: that is another fault.
        backend.activeLaunches(name).length <= 1 &&
        nowMs - (this.lastMs.get(name) ?? 0) > HIDDEN_AGAIN_MS,
    );
    if (rows.length === 0) return;
    const row = pick(random, rows);
    const launched = backend.requests.findLast(({ name, cluster }) => name === 'sky.launch' && cluster === row.name);
    const showsByMs = (launched?.createdAtMs ?? nowMs) + JUST_VISIBLE_MS;
    this.lastMs.set(row.name, nowMs);
    backend.clusters.delete(row.name);
    clock.schedule(between(random, 50, Math.max(HIDDEN_LATER_MS, showsByMs - nowMs)), () => {
      if (!backend.clusters.has(row.name)) backend.clusters.set(row.name, row);
    });
  }
}

/** A row of a running machine falls back to INIT for a while, as SkyPilot's own look at the provider makes it do. */
export function unsettleRow(world: World, random: Random): void {
  const up = [...world.sky.clusters.values()].filter(({ status }) => status === 'UP');
  if (up.length === 0) return;
  const cluster = pick(random, up);
  cluster.status = 'INIT';
  world.clock.schedule(between(random, 500, 20_000), () => void (cluster.status = 'UP'));
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random.next() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
