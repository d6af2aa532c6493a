import type { Placement, SpendLimits } from '@davit/contracts';
import { type ReplicaState, confirmedOn, heldOn } from '@davit/domain';
import { GPU_TYPES, type LedgerEntry, type Machine } from '@davit/world';
import type { Rented, Story } from './story.js';

/** What is left of rounding in sums of floating numbers, USD. */
const ROUNDING = 0.000_01;

const SKY = 'sky:';
/** The product's name of whoever asked for a machine; undefined for what nobody asked for. */
const externalKeyOf = ({ owner }: Pick<LedgerEntry, 'owner'>): string | undefined =>
  owner.startsWith(SKY) ? owner.slice(SKY.length) : undefined;

const cardOf = (name: string): string =>
  GPU_TYPES.find(({ accelerator, id, vastName }) => [accelerator, id, vastName].includes(name))?.id ?? name;

/** Machines that no placement of their revision allows: another cloud, card, count, market or place. */
export function foreignMachines(machines: readonly Machine[], { rented }: Story): readonly string[] {
  return machines.flatMap((machine) => {
    const key = externalKeyOf(machine);
    if (key === undefined) return [];
    const replica = rented.get(key);
    if (!replica) return [`machine ${machine.id} belongs to ${key}, which the log does not know`];
    if (replica.allowed.some((placement) => allows(placement, machine))) return [];
    const { cloud, accelerator, gpuCount, region, spot } = machine;
    const what = `${cloud} ${accelerator}:${gpuCount} in ${region}${spot ? ' spot' : ''}`;
    return [`machine ${machine.id} of ${replica.id} is ${what}, which its specification does not allow`];
  });
}

function allows({ cloud, accelerator, region, spot }: Placement, machine: Machine): boolean {
  return (
    cloud === machine.cloud &&
    accelerator !== null &&
    accelerator.count === machine.gpuCount &&
    cardOf(accelerator.name) === cardOf(machine.accelerator) &&
    spot === (machine.spot ?? false) &&
    (region === null || machine.region === region || machine.region.startsWith(region))
  );
}

/** USD an hour at an instant; null where it is not there. */
function rateAt({ createdAtMs, endedAtMs, segments }: LedgerEntry, atMs: number): number | null {
  if (createdAtMs > atMs || (endedAtMs !== null && endedAtMs <= atMs)) return null;
  return segments.findLast(({ fromMs }) => fromMs <= atMs)?.pricePerHour ?? null;
}

/** What the log said at a position that a machine costs an hour: its bill, else what it was placed for; null: nothing. */
const toldAt = ({ bills, placed }: Rented, position: number): number | null =>
  bills.findLast((bill) => bill.position <= position)?.amount ?? placed?.amount ?? null;

/** No more than was known of it then: a bill that grew meanwhile is told by the next look at it, and not before. */
const reckoned = (rate: number, replica: Rented, position: number): number =>
  Math.min(rate, toldAt(replica, position) ?? rate);

/**
 * Machines that were rented although a ceiling on the hourly rate did not leave room for them, at the moment at which the
 * ledger shows each of them begin.
 */
export function overCeilings(entries: readonly LedgerEntry[], { rented }: Story): readonly string[] {
  const known = entries.flatMap((entry) => {
    const replica = rented.get(externalKeyOf(entry) ?? '');
    return replica?.placed ? [{ entry, replica, placed: replica.placed }] : [];
  });
  return known.flatMap(({ entry, replica, placed }) =>
    (['deployment', 'tenant'] as const).flatMap((of) => {
      const limits = placed.limits[of];
      if (limits?.maxHourly === undefined) return [];
      const account = replica[of];
      let sum = 0;
      for (const other of known) {
        if (other.replica[of] !== account || other.placed.position > placed.position) continue;
        const rate = rateAt(other.entry, entry.createdAtMs);
        if (rate !== null) sum += reckoned(rate, other.replica, placed.read);
      }
      if (sum <= Number(limits.maxHourly) + ROUNDING) return [];
      const what = `${sum.toFixed(4)} of ${limits.maxHourly} USD an hour of ${of} ${account}`;
      return [`${replica.id} was rented over a ceiling (placed at ${placed.position}): ${what}`];
    }),
  );
}

/** Replicas that were placed under a budget although nobody could say what they cost: missing is never zero. */
export function placedForNothing({ rented }: Story): readonly string[] {
  return [...rented.values()].flatMap(({ id, placed }) =>
    placed?.amount === null && (placed.limits.deployment ?? placed.limits.tenant) !== null
      ? [`${id} was placed under a budget at ${placed.position}, and no price of it was known`]
      : [],
  );
}

/** A decision is written as one, and by several writers within so long. */
const ONE_DECISION_MS = 5_000;

/** Replicas that an hourly ceiling ended while a younger one of the same revision, which costs no less, was left alone. */
export function oldDrainedFirst(entries: readonly LedgerEntry[], { rented }: Story): readonly string[] {
  const isThere = ({ externalKey }: Rented, atMs: number): boolean => {
    const entry = entries.find((one) => externalKeyOf(one) === externalKey);
    return entry !== undefined && rateAt(entry, atMs) !== null;
  };
  const all = [...rented.values()];
  return all.flatMap((victim) => {
    const { drainedAt, leaves, placed, startedAt } = victim;
    if (drainedAt === null || !leaves || !placed || startedAt === null || !isThere(victim, leaves.timeMs)) return [];
    const rate = toldAt(victim, drainedAt) ?? Infinity;
    const spared = all.find(
      (other) =>
        other.deployment === victim.deployment &&
        other.revision === victim.revision &&
        other.startedAt !== null &&
        other.startedAt > startedAt &&
        Date.parse(other.startedAt) < leaves.timeMs - ONE_DECISION_MS &&
        (other.leaves?.timeMs ?? Infinity) > leaves.timeMs + ONE_DECISION_MS &&
        isThere(other, leaves.timeMs) &&
        (toldAt(other, drainedAt) ?? 0) >= rate,
    );
    return spared ? [`${victim.id} was drained at ${drainedAt}, and ${spared.id}, which came later, was not`] : [];
  });
}

/** What the machines of an account cost an hour now, as far as the product can know it: only RunPod says what it bills. */
export function knownRate(
  entries: readonly LedgerEntry[],
  { rented }: Story,
  isOf: (replica: Rented) => boolean,
): number {
  let sum = 0;
  for (const entry of entries) {
    const replica = rented.get(externalKeyOf(entry) ?? '');
    const rate = entry.endedAtMs === null ? entry.segments.at(-1)?.pricePerHour : undefined;
    if (!replica?.placed || rate === undefined || !isOf(replica)) continue;
    if (entry.cloud === 'runpod') sum += rate;
    else if (replica.placed.amount !== null) sum += reckoned(rate, replica, Infinity);
  }
  return sum;
}

/** Budgets that drain and are over their hourly ceiling by the ledger's own account. */
export function notDrained(entries: readonly LedgerEntry[], story: Story): readonly string[] {
  const over = (name: string, limits: SpendLimits | null, isOf: (replica: Rented) => boolean): readonly string[] => {
    if (limits?.onExceed !== 'drain' || limits.maxHourly === undefined) return [];
    const rate = knownRate(entries, story, isOf);
    return rate > Number(limits.maxHourly) + ROUNDING
      ? [`${name} costs ${rate.toFixed(4)} of ${limits.maxHourly} USD an hour, and is to be drained`]
      : [];
  };
  return [
    ...[...story.budgets.deployment].flatMap(([key, limits]) =>
      over(key, limits, ({ deployment }) => deployment === key),
    ),
    ...[...story.budgets.tenant].flatMap(([name, limits]) => over(name, limits, ({ tenant }) => tenant === name)),
  ];
}

/** How much later than the truth an observer may be who dies, sleeps and has its answers lost. */
export interface Lateness {
  /** A launch is told of so much after its machine began. */
  readonly startMs: number;
  /** A machine's end is told of so much after it. */
  readonly endMs: number;
}

/** Confirmed time is at most the ledger's, and that at most the held one, for each replica, but for how late news come. */
export function wronglyMetered(
  entries: readonly LedgerEntry[],
  replicas: readonly ReplicaState[],
  nowMs: number,
  { startMs, endMs }: Lateness,
): readonly string[] {
  return replicas.flatMap(({ id, externalKey, meter }) => {
    const own = entries.filter((entry) => externalKeyOf(entry) === externalKey);
    const truth = own.reduce((sum, entry) => sum + ((entry.endedAtMs ?? nowMs) - entry.createdAtMs), 0);
    const confirmed = meter ? billedMs(confirmedOn, meter, nowMs) : 0;
    const held = meter ? billedMs(heldOn, meter, nowMs) : 0;
    return [
      ...(confirmed > truth + (truth === 0 ? 0 : endMs)
        ? [`${id}: ${confirmed} ms are confirmed, and its machine ran for ${truth} ms`]
        : []),
      ...(truth > held + startMs ? [`${id}: ${held} ms are held at most, and its machine ran for ${truth} ms`] : []),
    ];
  });
}

type Meter = NonNullable<ReplicaState['meter']>;

/** Of the meter as if its price were one unit an hour: the time alone. */
function billedMs(sum: typeof heldOn, meter: Meter, nowMs: number): number {
  const [first] = meter.rates;
  return sum([{ ...meter, rates: [{ ...first, price: null }] }], 0, nowMs).unpricedMs;
}

/** Replicas that waited without evidence, or were forgotten after the instant at which they were to be looked at again. */
export function forgotten({ deferrals }: Story, endMs: number, latenessMs: number): readonly string[] {
  return deferrals.flatMap(({ event, replicaId, retryAt, evidence, nextMs }) => {
    const dueMs = Date.parse(retryAt);
    return [
      ...(evidence === 0 ? [`${replicaId} waits since ${event.position} without evidence`] : []),
      ...((nextMs ?? endMs) > dueMs + latenessMs
        ? [`${replicaId} waits since ${event.position}, and was to be looked at again at ${retryAt}`]
        : []),
    ];
  });
}
