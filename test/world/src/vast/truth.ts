import { type WorkerStatus } from './entities.js';
import { type VastParts } from './parts.js';

/** What is really so of one worker, whatever the service shows. */
export interface TrueWorker {
  readonly id: number;
  readonly endpointId: number;
  readonly workergroupId: number;
  readonly status: WorkerStatus;
  readonly template: { readonly id: number; readonly hash: string };
  readonly loadedAtMs: number | null;
  /** Load units a second, and how many requests it has. */
  readonly perf: number;
  readonly inFlight: number;
  /** USD so far. */
  readonly spend: number;
  /** Neither its endpoint nor its workergroup exists, and nobody is ending it. */
  readonly leaked: boolean;
}

export interface VastTruth {
  readonly workers: readonly TrueWorker[];
  /** USD so far, of workers that are gone as well. */
  readonly spend: number;
  readonly spendByEndpoint: Readonly<Record<string, number>>;
  readonly leaked: number;
  readonly updating: readonly number[];
}

/** The ground truth of templates, money and leaks; no fault and no switch can alter what it says. */
export function vastTruth({ store, engine }: VastParts): VastTruth {
  const workers = [...store.workers.values()].map((worker): TrueWorker => {
    const { id, endpointId, groupId, status, template, loadedAtMs, server } = worker;
    const isOwned = store.endpoints.has(endpointId) && store.groups.has(groupId);
    return {
      ...{ id, endpointId, workergroupId: groupId, status, loadedAtMs },
      template: { id: template.id, hash: template.hash },
      perf: engine.perfOf(worker),
      inFlight: server?.queue.running ?? 0,
      spend: engine.meter.total(({ workerId }) => workerId === id),
      leaked: !isOwned && status !== 'destroying',
    };
  });
  const endpointIds = new Set(engine.meter.charges.map(({ endpointId }) => endpointId));
  return {
    workers,
    spend: engine.meter.total(),
    spendByEndpoint: Object.fromEntries(
      [...endpointIds].map((id) => [String(id), engine.meter.total(({ endpointId }) => endpointId === id)]),
    ),
    leaked: workers.filter(({ leaked }) => leaked).length,
    updating: [...store.groups.keys()].filter((id) => engine.rollouts.isRunning(id)),
  };
}
