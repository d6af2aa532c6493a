import type { RecordedEvent } from '@davit/contracts';

/** Load of all replicas of a deployment at a moment; null where no replica says. */
export interface LoadPoint {
  readonly atMs: number;
  readonly running: number | null;
  readonly waiting: number | null;
  /** Of the fullest cache, in per cent. */
  readonly cache: number | null;
}

/** Load over time: each replica counts with the last that it said, until it says something else or stops serving. */
export function loadsOf(events: readonly RecordedEvent[], most = 500): readonly LoadPoint[] {
  const last = new Map<string, { running: number | null; waiting: number | null; kvCacheUsage: number | null }>();
  const points: LoadPoint[] = [];
  for (const event of events) {
    if (event.type === 'davit.runtime.load-summarised') last.set(event.data.replicaId, event.data);
    else if (event.type === 'davit.runtime.became-unready') last.delete(event.data.replicaId);
    else if (event.type === 'davit.replica.delete-requested') last.delete(event.data.replicaId);
    else continue;
    const said = [...last.values()];
    points.push({
      atMs: Date.parse(event.time),
      running: sumOf(said.map(({ running }) => running)),
      waiting: sumOf(said.map(({ waiting }) => waiting)),
      cache: mostOf(said.map(({ kvCacheUsage }) => kvCacheUsage)),
    });
  }
  return points.slice(-most);
}

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

function sumOf(values: readonly (number | null)[]): number | null {
  const told = known(values);
  return told.length === 0 ? null : told.reduce((sum, value) => sum + value, 0);
}

function mostOf(values: readonly (number | null)[]): number | null {
  const told = known(values);
  return told.length === 0 ? null : Math.round(Math.max(...told) * 1_000) / 10;
}
