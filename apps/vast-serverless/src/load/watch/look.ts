import { addAmounts, type Money } from '@davit/domain';
import type { InstanceRow } from '../../vast/api/instances.js';
import { type JoinedWorker } from '../../vast/joined.js';

export type WorkersRevision = 'old' | 'candidate' | null;

/** A worker at one instant. */
export interface SeenWorker {
  readonly id: number;
  readonly status: string;
  readonly revision: WorkersRevision;
  readonly loadedAtMs: number | null;
  readonly gpu: string | null;
  /** Load units a second. */
  readonly perf: number | null;
  readonly hourly: Money | null;
  /** `host:port` of each port that is open; empty where nobody tells. */
  readonly addresses: readonly string[];
}

/** What was seen of the workers of one endpoint at one instant. */
export interface Look {
  readonly atMs: number;
  readonly workers: readonly SeenWorker[];
  /** What all of them cost an hour; null while the bill of one of them cannot be told. */
  readonly hourly: Money | null;
}

export function seen(worker: JoinedWorker, revision: WorkersRevision): SeenWorker {
  const { id, status, loadedAtMs, measuredPerf, instance } = worker;
  const amount = instance?.dph_total ?? null;
  return {
    ...{ id, status, revision, loadedAtMs },
    gpu: instance?.gpu_name ?? null,
    perf: measuredPerf,
    hourly: amount === null ? null : { amount: addAmounts(amount, '0'), currency: 'USD' },
    addresses: instance ? addressesOf(instance) : [],
  };
}

function addressesOf({ public_ipaddr, ports }: InstanceRow): readonly string[] {
  const host = public_ipaddr?.trim();
  if (!host) return [];
  return Object.values(ports ?? {}).flatMap((bindings) =>
    (bindings ?? []).map(({ HostPort }) => `${host}:${HostPort}`),
  );
}

/** How many workers there were of each status. */
export function countsOf({ workers }: Pick<Look, 'workers'>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of workers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
