import type { ReplicaState } from '../lifecycle/state.js';

export type Victim = { readonly replica: ReplicaState; readonly reason: string };

/**
 * Which of the live replicas of a revision go when fewer are wanted: what serves nothing first, then what is known to run the
 * fewest requests, then the youngest. Unknown load is not idleness: it counts as the busiest.
 */
export function victimsOf(live: readonly ReplicaState[], desired: number): readonly Victim[] {
  // Mostly nobody has to go, and a large fleet is looked at often.
  if (live.length <= desired) return [];
  return [...live]
    .sort(byWorth)
    .slice(0, live.length - desired)
    .map((replica) => ({ replica, reason: `scaled down to ${desired}: ${whyIt(replica)}` }));
}

function whyIt({ status, load }: ReplicaState): string {
  if (status !== 'ready') return 'it serves nothing yet';
  const running = load?.running ?? null;
  return load === null || running === null
    ? 'nobody knows how many requests it runs; it is the youngest of its like'
    : `it ran ${running} requests at ${load.at}, none of those that stay ran fewer`;
}

function byWorth(a: ReplicaState, b: ReplicaState): number {
  return (
    Number(a.status === 'ready') - Number(b.status === 'ready') ||
    compare(runningOf(a), runningOf(b)) ||
    -compare(a.readyAt ?? a.since, b.readyAt ?? b.since) ||
    b.ordinal - a.ordinal
  );
}

const runningOf = ({ load }: ReplicaState): number => load?.running ?? Infinity;

const compare = <Value extends string | number>(a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);
