import type { NewEvent } from '@davit/contracts';
import type { ReplicaState } from '@davit/domain';
import type { LoadReading } from '../metrics/load.js';

export type SummaryIntervals = { readonly loadSummaryMs: number; readonly drainSummaryMs: number };

/**
 * The load summary that the log lacks, if any. The fold forgets the load when the route is withdrawn, so the first reading
 * after that is always told: a drain ends on it.
 */
export function loadSummary(
  replica: ReplicaState,
  reading: LoadReading,
  nowMs: number,
  { loadSummaryMs, drainSummaryMs }: SummaryIntervals,
): NewEvent | undefined {
  const { id: replicaId, load, status } = replica;
  const { running, waiting, kvCacheUsage } = reading;
  const draining = status === 'draining';
  const ageMs = load ? nowMs - Date.parse(load.at) : Number.POSITIVE_INFINITY;
  const changed = (load?.running ?? null) !== running || (load?.waiting ?? null) !== waiting;
  if (!changed || ageMs < (draining ? drainSummaryMs : loadSummaryMs)) return undefined;
  return { type: 'davit.runtime.load-summarised', data: { replicaId, running, waiting, kvCacheUsage } };
}
