import { pause } from '../../clock.js';
import { type Cloud } from '../../cloud/cloud.js';
import { type WorldTimings } from '../../timings.js';
import { type Defects } from '../defects.js';
import { ACTIVE, type Endpoint, type Template, type Worker, type Workergroup } from '../entities.js';
import { offersFor } from '../offers.js';
import { type VastOptions } from '../options.js';
import { type VastStore } from '../store.js';
import { WorkerLife } from '../worker/life.js';
import { Meter } from '../worker/meter.js';
import { type RouteSigner } from '../worker/signer.js';
import { byValue, loadOf, needOf, queueSeconds } from './demand.js';
import { EngineLogs } from './logs.js';
import { Rollouts } from './rollout.js';

/** A hardware score that stands in for a benchmark. */
export const DLPERF = 42.5;
/** Without an offer the engine looks again after so many ticks. */
const TICKS_WITHOUT_OFFER = 20;

export interface EngineParts {
  readonly store: VastStore;
  readonly cloud: Cloud;
  readonly timings: WorldTimings;
  readonly options: VastOptions;
  readonly defects: Defects;
  readonly signer: RouteSigner;
}

/**
 * The autoscaler. It looks when something changed or falls due, never on an endless timer, so that virtual time can
 * run dry.
 */
export class VastEngine {
  readonly life: WorkerLife;
  readonly rollouts: Rollouts;
  readonly meter: Meter;
  readonly logs: EngineLogs;
  private looking = false;

  constructor(private readonly parts: EngineParts) {
    const { store, cloud, options, defects } = parts;
    this.meter = new Meter(store, cloud);
    this.logs = new EngineLogs(options, defects);
    const ended = (worker: Worker, requestIndex: number | null): void => this.requestEnded(worker, requestIndex);
    this.life = new WorkerLife(
      { ...parts, meter: this.meter, logs: this.logs, changed: () => this.changed() },
      { ...parts, perfOf: (worker) => this.perfOf(worker), ended },
    );
    this.rollouts = new Rollouts({ ...parts, life: this.life });
    cloud.onEnd((machine) => {
      for (const worker of store.workers.values())
        if (worker.machine === machine && worker.status !== 'destroying') this.life.forget(worker);
    });
    cloud.onServerExit((machine) => {
      for (const worker of store.workers.values()) if (worker.machine === machine) this.life.serverExited(worker);
    });
  }

  /** Has the engine look soon. */
  poke(delayMs = this.parts.timings.vast.tickMs): void {
    const { clock } = this.parts.store;
    if (delayMs > this.parts.timings.vast.tickMs) {
      clock.schedule(delayMs, () => this.poke());
      return;
    }
    if (this.looking) return;
    this.looking = true;
    clock.schedule(delayMs, () => {
      this.looking = false;
      for (const endpoint of this.parts.store.endpoints.values()) this.look(endpoint);
    });
  }

  /** Has the engine look once what was just made has reached it from the console. */
  pokeWhenVisible(): void {
    this.parts.store.clock.schedule(this.parts.timings.vast.visibleMs + 1, () => this.poke());
  }

  /** What really can be done by a worker, load units a second. */
  perfOf(worker: Worker): number {
    return this.parts.options.workerPerf * (this.parts.defects.get('perf', { worker })?.factor ?? 1);
  }

  /** Counts demand; any call with a cost can wake or rent workers. */
  demand(endpoint: Endpoint, cost: number): void {
    if (cost <= 0) return;
    endpoint.demand.push({ atMs: this.parts.store.clock.nowMs(), cost });
    this.poke();
  }

  /** Of the workers that are ready and whose queue is below the limit, the one with the least expected wait. */
  readyWorker(endpoint: Endpoint): Worker | undefined {
    const limit = endpoint.policy.max_queue_time;
    const waitOf = ({ server }: Worker): number => server?.queue.waitSeconds() ?? 0;
    return this.parts.store
      .workersOf({ endpointId: endpoint.id })
      .filter((worker) => worker.status === 'idle' && !worker.draining && worker.server && waitOf(worker) < limit)
      .sort((a, b) => waitOf(a) - waitOf(b) || a.lastUsedMs - b.lastUsedMs || a.id - b.id)[0];
  }

  isVisible(thing: { readonly createdAtMs: number }): boolean {
    return this.parts.store.clock.nowMs() >= thing.createdAtMs + this.parts.timings.vast.visibleMs;
  }

  /** USD that the account has left. */
  credit(): number {
    return this.parts.defects.has('no-credit') ? 0 : this.parts.options.credit - this.meter.total();
  }

  /** Destroys workers, except as many as the service fails to; says which were and were not. */
  destroy(workers: readonly Worker[], failing: number): { readonly deleted: number[]; readonly failed: number[] } {
    const failed = workers.slice(0, failing);
    const deleted = workers.slice(failing);
    for (const worker of deleted) void this.life.destroy(worker, 'destroyed by vast');
    return { deleted: deleted.map(({ id }) => id), failed: failed.map(({ id }) => id) };
  }

  /** The content that a workergroup leads to now: its template as it was last edited. */
  templateOf(group: Workergroup): Template | undefined {
    return this.parts.store.templates.get(group.template.id);
  }

  /** Starts a rolling update to the present template of a workergroup. Says how many workers are to be updated. */
  update(group: Workergroup, everyWorker: boolean): number {
    const template = this.templateOf(group);
    if (!template) return 0;
    const workers = this.parts.store.workersOf({ groupId: group.id });
    return this.rollouts.start(group, template, everyWorker ? workers : []);
  }

  /** A changed template or search has reached the engine, which begins an update by itself unless it must be told to. */
  groupChanged(group: Workergroup, everyWorker: boolean): void {
    this.poke();
    if (this.parts.options.rollTrigger === 'call-only') return;
    this.parts.store.clock.schedule(this.parts.timings.vast.visibleMs, () => {
      const running = this.rollouts.targetOf(group.id);
      if (this.parts.store.groups.has(group.id) && running?.hash !== this.templateOf(group)?.hash)
        this.update(group, everyWorker);
    });
  }

  private changed(): void {
    this.poke();
    this.rollouts.changed();
  }

  private requestEnded(worker: Worker, requestIndex: number | null): void {
    worker.lastUsedMs = this.parts.store.clock.nowMs();
    if (requestIndex !== null) this.parts.store.endpoints.get(worker.endpointId)?.queue.delete(requestIndex);
    this.poke();
  }

  private look(endpoint: Endpoint): void {
    const { store, defects } = this.parts;
    if (endpoint.endpoint_state === 'suspended') return;
    const workers = store.workersOf({ endpointId: endpoint.id }).filter(({ status }) => status !== 'destroying');
    if (endpoint.endpoint_state === 'stopped' || this.credit() <= 0) {
      for (const worker of workers) if (worker.status === 'idle') void this.life.stop(worker);
      return;
    }
    for (const worker of workers) {
      const { machine } = worker;
      if (machine && defects.take('host-vanishes', { worker })) void this.parts.cloud.end(machine, 'the host vanished');
    }
    this.scale(endpoint, workers);
  }

  private scale(endpoint: Endpoint, workers: readonly Worker[]): void {
    const { store, timings, defects } = this.parts;
    const nowMs = store.clock.nowMs();
    const active = workers.filter(({ status }) => ACTIVE.has(status));
    const blind = defects.has('reports-lost', { endpoint });
    const load = blind ? 0 : loadOf(endpoint, nowMs, timings.vast.loadWindowMs);
    if (endpoint.demand.length > 0 || endpoint.queue.size > 0) this.poke(timings.vast.loadWindowMs);
    const queued = queueSeconds(endpoint, nowMs);
    const need = needOf(endpoint, load, this.knownPerf(workers), queued, active.length);
    this.logs.writeTo(
      endpoint.id,
      'debug',
      `load ${load.toFixed(1)} active ${active.length}/${need.active} total ${workers.length}/${need.total}`,
    );
    const toWake = workers
      .filter(({ status }) => status === 'stopped')
      .slice(0, Math.max(0, need.active - active.length));
    for (const worker of toWake) void this.life.wake(worker);
    this.rentUpTo(endpoint, workers.length, need.total);
    this.flap(endpoint, workers);
    if (this.store.groupsOf(endpoint.id).some(({ id }) => this.rollouts.isRunning(id))) return;
    this.shrink(endpoint, active, need.active, blind);
    this.release(endpoint, workers, need.total);
  }

  private get store(): VastStore {
    return this.parts.store;
  }

  private knownPerf(workers: readonly Worker[]): number {
    const measured = workers.map((worker) => worker.measured).filter((perf) => perf !== null);
    if (measured.length > 0) return measured.reduce((sum, perf) => sum + perf, 0) / measured.length;
    return this.parts.options.unbenchmarkedPerf === 'dlperf' ? DLPERF : this.parts.options.workerPerf;
  }

  private rentUpTo(endpoint: Endpoint, present: number, wanted: number): void {
    const groups = this.store.groupsOf(endpoint.id).filter((group) => this.isVisible(group));
    const [group] = groups;
    const template = group && this.templateOf(group);
    if (!group || present >= wanted) return;
    if (!template) {
      this.logs.writeTo(group.id, 'info1', `template ${group.template.id} is not accessible`);
      return;
    }
    this.logs.writeTo(endpoint.id, 'info0', `Creating ${wanted - present} workers`);
    for (let count = present; count < wanted; count += 1) this.rent(endpoint, group, template);
  }

  private rent(endpoint: Endpoint, group: Workergroup, template: Template): void {
    const { store, cloud, timings, defects } = this.parts;
    const worker = this.life.born(endpoint, group, template);
    void (async () => {
      await pause(store.clock, timings.vast.recruitMs);
      const { gpus, numGpus } = offersFor(group.searchText);
      const offers = defects.has('no-offers', { endpoint, group, template }) ? [] : gpus;
      for (const gpu of offers) {
        if (!store.workers.has(worker.id) || worker.status === 'destroying') return;
        const outcome = await cloud.create({
          name: `vast-${worker.id}`,
          cloud: 'vast',
          accelerator: gpu.accelerator,
          gpuCount: numGpus,
          owner: `vast:${group.id}`,
          image: typeof template.fields['image'] === 'string' ? template.fields['image'] : null,
        });
        if (outcome.kind === 'created') return this.life.grow(worker, outcome.machine);
      }
      this.logs.writeTo(group.id, 'info1', 'no offer matches the search');
      store.workers.delete(worker.id);
      this.poke(Math.max(timings.vast.tickMs * TICKS_WITHOUT_OFFER, 1_000));
    })();
  }

  private flap({ id, policy }: Endpoint, workers: readonly Worker[]): void {
    if (policy.cold_workers !== 1 || policy.max_workers !== 1) return;
    const idle = workers.find((worker) => worker.status === 'idle' && this.parts.defects.has('flap', { worker }));
    if (!idle) return;
    this.logs.writeTo(id, 'info0', 'Destroying 1 workers');
    void this.life.destroy(idle, 'released by vast');
  }

  /** Stops idle workers that nothing keeps, worst value first, or looks again when that may be so. */
  private shrink({ policy }: Endpoint, active: readonly Worker[], needActive: number, blind: boolean): void {
    const { store, timings } = this.parts;
    const idle = active.filter(({ status, draining }) => status === 'idle' && !draining).sort(byValue);
    let left = active.length;
    for (const worker of idle) {
      if (left <= needActive) return;
      const timeoutMs = (policy.inactivity_timeout ?? 0) * 1000;
      if (timeoutMs < 0 && left <= 1) return;
      const isBusy = (worker.server?.queue.running ?? 0) > 0;
      if (isBusy && !blind) continue;
      const graceMs = blind ? 0 : Math.max(timings.vast.idleGraceMs, timeoutMs);
      const dueMs = worker.lastUsedMs + graceMs;
      if (store.clock.nowMs() < dueMs) {
        this.poke(dueMs - store.clock.nowMs() + 1);
        return;
      }
      left -= 1;
      void this.life.stop(worker);
    }
  }

  /** Destroys workers above the cap at once, and stopped ones above the need in time. */
  private release({ id, policy }: Endpoint, workers: readonly Worker[], needTotal: number): void {
    const nowMs = this.store.clock.nowMs();
    const { releaseMs } = this.parts.timings.vast;
    const stopped = workers.filter(({ status }) => status === 'stopped').sort(byValue);
    const idle = workers.filter(({ status, server }) => status === 'idle' && server?.queue.running === 0).sort(byValue);
    let surplus = workers.length - needTotal;
    let overCap = workers.length - policy.max_workers;
    for (const worker of [...stopped, ...idle]) {
      if (surplus <= 0) return;
      const dueMs = worker.sinceMs + releaseMs;
      const isDue = overCap > 0 || (worker.status === 'stopped' && nowMs >= dueMs);
      if (isDue) {
        this.logs.writeTo(id, 'info0', 'Destroying 1 workers');
        void this.life.destroy(worker, 'released by vast');
        surplus -= 1;
        overCap -= 1;
      } else if (worker.status === 'stopped') this.poke(dueMs - nowMs + 1);
    }
  }
}
