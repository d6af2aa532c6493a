import { pause } from '../clock.js';
import { type Cloud } from '../cloud/cloud.js';
import { type WorldTimings } from '../timings.js';
import { ACTIVE, type Endpoint, type Worker, type Workergroup } from './entities.js';
import { offersFor } from './offers.js';
import { type VastStore } from './store.js';
import { WorkerLife } from './worker-life.js';

/** Load units a second that one worker can do. */
const WORKER_PERF = 800;
const DEMAND_WINDOW_MS = 10_000;
/** How long a worker without work stays up when nothing else keeps it. */
const IDLE_GRACE_MS = 1_000;

/**
 * The autoscaler. It looks when something changed or falls due, never on an endless timer, so that virtual time can
 * run dry.
 */
export class VastEngine {
  readonly life: WorkerLife;
  private looking = false;
  private readonly updates = new Map<number, symbol>();

  constructor(
    private readonly store: VastStore,
    private readonly cloud: Cloud,
    private readonly timings: WorldTimings,
    salt: string,
  ) {
    this.life = new WorkerLife(store, cloud, timings, salt, () => this.poke());
    cloud.onEnd((machine) => {
      for (const worker of store.workers.values()) {
        if (worker.machine !== machine || worker.status === 'destroying') continue;
        store.workers.delete(worker.id);
        this.poke();
      }
    });
    cloud.onServerExit((machine) => {
      for (const worker of store.workers.values()) if (worker.machine === machine) this.life.serverExited(worker);
    });
  }

  /** Has the engine look soon. */
  poke(delayMs = this.timings.vast.tickMs): void {
    if (delayMs > this.timings.vast.tickMs) {
      this.store.clock.schedule(delayMs, () => this.poke());
      return;
    }
    if (this.looking) return;
    this.looking = true;
    this.store.clock.schedule(delayMs, () => {
      this.looking = false;
      for (const endpoint of this.store.endpoints.values()) this.look(endpoint);
    });
  }

  /** Has the engine look once what was just made has reached it from the console. */
  pokeWhenVisible(): void {
    this.store.clock.schedule(this.timings.vast.visibleMs + 1, () => this.poke());
  }

  /** Updates workers one after another, so that the others keep serving. A later update or a cancel ends an earlier one. */
  update(group: Workergroup, workers: readonly Worker[]): void {
    const round = Symbol(`update of ${group.id}`);
    this.updates.set(group.id, round);
    void (async () => {
      for (const worker of workers) {
        if (this.updates.get(group.id) !== round) return;
        await this.life.update(worker, group);
      }
    })();
  }

  cancelUpdate(group: Workergroup): void {
    this.updates.delete(group.id);
  }

  /** Counts demand; any call with a cost can wake or rent workers. */
  demand(endpoint: Endpoint, cost: number): void {
    if (cost <= 0) return;
    endpoint.demand.push({ atMs: this.store.clock.nowMs(), cost });
    this.poke();
  }

  isVisible(thing: { readonly createdAtMs: number }): boolean {
    return this.store.clock.nowMs() >= thing.createdAtMs + this.timings.vast.visibleMs;
  }

  /** Destroys workers, except as many as the service fails to; says which were and were not. */
  destroy(workers: readonly Worker[], failing: number): { readonly deleted: number[]; readonly failed: number[] } {
    const failed = workers.slice(0, failing);
    const deleted = workers.slice(failing);
    for (const worker of deleted) void this.life.destroy(worker, 'destroyed by vast');
    return { deleted: deleted.map(({ id }) => id), failed: failed.map(({ id }) => id) };
  }

  private look(endpoint: Endpoint): void {
    const groups = this.store.groupsOf(endpoint.id).filter((group) => this.isVisible(group));
    const workers = this.store
      .workersOf({ endpointId: endpoint.id })
      .filter((worker) => worker.status !== 'destroying');
    if (endpoint.endpoint_state === 'suspended') return;
    if (endpoint.endpoint_state === 'stopped') {
      for (const worker of workers) if (worker.status === 'idle') void this.life.stop(worker);
      return;
    }
    const load = Math.max(this.load(endpoint), endpoint.policy.min_load);
    const needActive = this.capped(endpoint, Math.ceil(load / endpoint.policy.target_util / WORKER_PERF));
    const needTotal = this.capped(endpoint, this.wanted(endpoint, load, needActive));
    const active = workers.filter((worker) => ACTIVE.has(worker.status));
    for (const worker of workers
      .filter(({ status }) => status === 'stopped')
      .slice(0, Math.max(0, needActive - active.length)))
      void this.life.wake(worker);
    const [group] = groups;
    if (group) for (let count = workers.length; count < needTotal; count += 1) this.rent(endpoint, group);
    this.shrink(endpoint, active, needActive);
  }

  private wanted({ policy }: Endpoint, load: number, needActive: number): number {
    const cold = Math.ceil(Math.max(load * policy.cold_mult, policy.min_cold_load) / WORKER_PERF);
    return Math.max(needActive, policy.cold_workers, cold);
  }

  private capped({ policy }: Endpoint, count: number): number {
    return Math.min(count, policy.max_workers);
  }

  private load(endpoint: Endpoint): number {
    const fromMs = this.store.clock.nowMs() - DEMAND_WINDOW_MS;
    while (endpoint.demand[0] && endpoint.demand[0].atMs < fromMs) endpoint.demand.shift();
    if (endpoint.demand.length > 0) this.poke(DEMAND_WINDOW_MS);
    return endpoint.demand.reduce((sum, { cost }) => sum + cost, 0) / (DEMAND_WINDOW_MS / 1000);
  }

  private rent(endpoint: Endpoint, group: Workergroup): void {
    const { vast } = this.timings;
    const worker = this.life.born(endpoint, group, WORKER_PERF);
    void (async () => {
      await pause(this.store.clock, vast.recruitMs);
      const { gpus, numGpus } = offersFor(group.searchText);
      for (const gpu of gpus) {
        if (!this.store.workers.has(worker.id) || worker.status === 'destroying') return;
        const outcome = await this.cloud.create({
          name: `vast-${worker.id}`,
          cloud: 'vast',
          accelerator: gpu.accelerator,
          gpuCount: numGpus,
          owner: `vast:${group.id}`,
          image: typeof group.template.fields['image'] === 'string' ? group.template.fields['image'] : null,
        });
        if (outcome.kind === 'created') return this.life.grow(worker, outcome.machine);
      }
      this.store.workers.delete(worker.id);
      this.poke(Math.max(vast.tickMs * 20, 1_000));
    })();
  }

  /** Stops idle workers that nothing keeps, or looks again when that may be so. */
  private shrink({ policy }: Endpoint, active: readonly Worker[], needActive: number): void {
    const idle = active.filter(({ status }) => status === 'idle');
    let left = active.length;
    for (const worker of idle) {
      if (left <= needActive) return;
      const timeoutMs = (policy.inactivity_timeout ?? 0) * 1000;
      if (timeoutMs < 0 && left <= 1) return;
      const dueMs = worker.lastUsedMs + Math.max(IDLE_GRACE_MS, timeoutMs);
      if (this.store.clock.nowMs() < dueMs) {
        this.poke(dueMs - this.store.clock.nowMs() + 1);
        return;
      }
      left -= 1;
      void this.life.stop(worker);
    }
  }
}
