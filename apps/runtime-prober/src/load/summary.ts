import type { NewEvent } from '@davit/contracts';
import type { ReplicaState } from '@davit/domain';
import type { LoadReading } from '../metrics/load.js';

export type SummaryIntervals = { readonly loadSummaryMs: number; readonly drainSummaryMs: number };

/**
 * The load summary that the log lacks, if any. A drain ends on a reading taken after the route went, so the first such
 * reading is told even when its numbers are those of before.
 */
export function loadSummary(
  replica: ReplicaState,
  reading: LoadReading,
  nowMs: number,
  { loadSummaryMs, drainSummaryMs }: SummaryIntervals,
): NewEvent | undefined {
  const { id: replicaId, load, route, status } = replica;
  const { running, waiting, kvCacheUsage } = reading;
  const draining = status === 'draining';
  const ageMs = load ? nowMs - Date.parse(load.at) : Number.POSITIVE_INFINITY;
  const changed = (load?.running ?? null) !== running || (load?.waiting ?? null) !== waiting;
  const awaited =
    draining &&
    !route.registered &&
    route.changedAt !== null &&
    running !== null &&
    (!load || load.at <= route.changedAt);
  if (!awaited && !(changed && ageMs >= (draining ? drainSummaryMs : loadSummaryMs))) return undefined;
  return { type: 'davit.runtime.load-summarised', data: { replicaId, running, waiting, kvCacheUsage } };
}
