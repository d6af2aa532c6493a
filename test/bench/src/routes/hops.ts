import type { NatsConnection } from 'nats';
import type { Figure } from '../bench.js';
import { percentile } from '../measure.js';

/** An event and when the log took it, in milliseconds since the epoch. */
export type Logged = { readonly position: number; readonly atMs: number };

/** Where the time between a change of evidence and the last subscriber goes. All clocks are those of this machine. */
export type Hops = {
  /** The prober's word of each change, in the order of the changes. */
  readonly evidence: readonly Logged[];
  /** The snapshots that they led to, in the same order, by alias and number. */
  readonly snapshots: ReadonlyMap<string, Logged>;
  /** When the last subscriber had each snapshot. */
  readonly lastMs: ReadonlyMap<string, number>;
};

export async function hopFigures(connection: NatsConnection, hops: Hops): Promise<readonly Figure[]> {
  const took: Record<'relayed' | 'decided' | 'published' | 'told', number[]> = {
    ...{ relayed: [], decided: [], published: [], told: [] },
  };
  for (const [index, [what, snapshot]] of [...hops.snapshots].entries()) {
    const evidence = hops.evidence[index];
    const lastMs = hops.lastMs.get(what);
    if (!evidence || lastMs === undefined) continue;
    const evidenceHeldMs = await storedAtMs(connection, evidence.position);
    const snapshotHeldMs = await storedAtMs(connection, snapshot.position);
    took.relayed.push(evidenceHeldMs - evidence.atMs);
    took.decided.push(snapshot.atMs - evidenceHeldMs);
    took.published.push(snapshotHeldMs - snapshot.atMs);
    took.told.push(lastMs - snapshotHeldMs);
  }
  const figures = (what: string, values: readonly number[]): readonly Figure[] => [
    { what: `${what}, p50`, value: percentile(values, 0.5), unit: 'ms' },
    { what: `${what}, p99`, value: percentile(values, 0.99), unit: 'ms' },
  ];
  return [
    ...figures('hop: evidence in the log → broker', took.relayed),
    ...figures('hop: broker → snapshot in the log', took.decided),
    ...figures('hop: snapshot in the log → broker', took.published),
    ...figures('hop: broker → the last subscriber', took.told),
  ];
}

/** When the broker stored the event of a position. */
async function storedAtMs(connection: NatsConnection, position: number): Promise<number> {
  const manager = await connection.jetstreamManager({ checkAPI: false });
  const { timestamp } = await manager.streams.getMessage('LOG', { seq: position });
  const [seconds = '', fraction = ''] = timestamp.replace('Z', '').split('.');
  return Date.parse(`${seconds}Z`) + Number(`0.${fraction === '' ? '0' : fraction}`) * 1_000;
}
