import type { InstanceRow } from './api/instances.js';
import { statusOf, type WorkerRow } from './api/workers.js';

/** A worker with the record of its instance, where there is one: neither of the two tells it all. */
export interface JoinedWorker {
  readonly id: number;
  /** In lower case; `unknown` where the engine does not say. */
  readonly status: string;
  readonly loadedAtMs: number | null;
  /** Load units a second; null before it was measured. */
  readonly measuredPerf: number | null;
  readonly requestsWorking: number | null;
  /** Null: not in a list that was read in full; undefined: that list could not be read. */
  readonly instance: InstanceRow | null | undefined;
}

export function join(
  workers: readonly WorkerRow[],
  instances: readonly InstanceRow[] | undefined,
): readonly JoinedWorker[] {
  const byId = new Map(instances?.map((instance) => [instance.id, instance]));
  return workers.map((worker) => ({
    id: worker.id,
    status: statusOf(worker),
    loadedAtMs: isNumber(worker.loaded_at) ? worker.loaded_at * 1_000 : null,
    measuredPerf: worker.measured_perf ?? null,
    requestsWorking: worker.reqs_working ?? null,
    instance: instances === undefined ? undefined : (byId.get(worker.id) ?? null),
  }));
}

/**
 * Why a worker that the engine calls ready is not proven to be so; null when nothing speaks against it. A request that it
 * answers is the only real proof, and is not looked for here.
 */
export function doubtOf({ status, loadedAtMs, instance }: JoinedWorker): string | null {
  if (status !== 'idle') return `it is ${status}`;
  if (loadedAtMs === null || loadedAtMs <= 0) return 'it never loaded';
  if (instance === null) return 'it has no instance';
  if (instance === undefined) return null;
  const state = instance.actual_status?.toLowerCase();
  if (state !== undefined && state !== 'running') return `its instance is ${state}`;
  return hasAddress(instance) ? null : 'its instance has no address';
}

/** True as well where the record does not tell addresses at all. */
function hasAddress({ public_ipaddr, ports }: InstanceRow): boolean {
  if (public_ipaddr === undefined && ports === undefined) return true;
  return Boolean(public_ipaddr) && Object.values(ports ?? {}).some((bindings) => (bindings ?? []).length > 0);
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
