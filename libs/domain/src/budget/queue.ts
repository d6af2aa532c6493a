import type { ReplicaState } from '../lifecycle/state.js';

/**
 * Replicas that are placed before this one, where a budget is kept: those that may be placed too, and whose look at the
 * provider was answered at an earlier position of the log. While there is one, nothing is placed: two that were placed at
 * once, by two instances perhaps, would each find room that is there only once.
 *
 * Whoever is first sees everybody who was before it: its own answer is in what it reads, and so is all that is earlier.
 * @param others replicas that spend from the same budgets
 */
export function aheadInBudget(replica: ReplicaState, others: readonly ReplicaState[]): readonly string[] {
  const own = replica.discovery.position;
  if (!mayBePlaced(replica) || own === undefined) return [];
  return others
    .filter((other) => other.id !== replica.id && mayBePlaced(other) && (other.discovery.position ?? Infinity) < own)
    .map(({ id }) => id);
}

const mayBePlaced = ({ status, mode, discovery }: ReplicaState): boolean =>
  status === 'requested' && mode === 'elastic' && discovery.outcome === 'absent';
