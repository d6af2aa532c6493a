import { pause } from '../../clock.js';
import { type Cloud, type Machine } from '../../cloud/cloud.js';
import { type Listener } from '../../cloud/host.js';
import { type WireHandler } from '../../http/wire.js';
import { type WorldTimings } from '../../timings.js';
import { type EngineLogs } from '../engine/logs.js';
import { type Defects } from '../defects.js';
import { type Endpoint, type Template, type Worker, type Workergroup, type WorkerStatus } from '../entities.js';
import { type VastOptions } from '../options.js';
import { type VastStore } from '../store.js';
import { type Meter } from './meter.js';
import { PyWorker, type PyWorkerParts } from './pyworker.js';
import { templateServer } from './template-server.js';

/** The benchmark's scatter, either way. */
const BENCHMARK_SCATTER = 0.02;

export interface LifeParts {
  readonly store: VastStore;
  readonly cloud: Cloud;
  readonly timings: WorldTimings;
  readonly options: VastOptions;
  readonly defects: Defects;
  readonly meter: Meter;
  readonly logs: EngineLogs;
  /** Something about workers is different now. */
  changed(): void;
}

/** The states that one worker goes through. Every step checks that the worker still exists and is where it was. */
export class WorkerLife {
  /** Stands before the port of every worker to come. */
  gate: (handler: WireHandler) => WireHandler = (handler) => handler;
  private readonly listeners = new Map<number, Listener>();
  /** Contents that were loaded before: their loads time out sooner. */
  private readonly loadedBefore = new Set<string>();

  constructor(
    private readonly parts: LifeParts,
    private readonly pyWorkerParts: PyWorkerParts,
  ) {}

  born(endpoint: Endpoint, group: Workergroup, template: Template): Worker {
    const { store } = this.parts;
    const nowMs = store.clock.nowMs();
    const worker: Worker = {
      id: store.nextId(),
      groupId: group.id,
      endpointId: endpoint.id,
      status: 'pending',
      sinceMs: nowMs,
      template,
      shownTemplate: template,
      updateTarget: null,
      draining: false,
      machine: null,
      server: null,
      failures: 0,
      lastUsedMs: nowMs,
      startedAtMs: nowMs,
      loadedAtMs: null,
      measured: null,
      billedAs: 'none',
      jupyterToken: store.canary('jupyter token'),
      masterToken: store.canary('master token of a worker'),
    };
    store.workers.set(worker.id, worker);
    return worker;
  }

  /** From a rented machine to a worker that serves. */
  async grow(worker: Worker, machine: Machine): Promise<void> {
    const { cloud, store, timings } = this.parts;
    worker.machine = machine;
    if (worker.status === 'destroying' || !store.workers.has(worker.id)) {
      await cloud.end(machine, 'destroyed by vast');
      return;
    }
    this.enter(worker, 'creating');
    await this.open(worker);
    await pause(store.clock, timings.vast.creatingMs);
    if (!this.still(worker, 'creating')) return;
    this.enter(worker, 'created');
    cloud.boot(machine);
    this.enter(worker, 'loading');
    await pause(store.clock, timings.vast.loadingMs * this.slowness(worker));
    if (this.still(worker, 'loading')) await this.load(worker, 'model_loading');
  }

  async stop(worker: Worker): Promise<void> {
    this.enter(worker, 'stopping');
    await this.stopServer(worker);
    await pause(this.parts.store.clock, this.parts.timings.vast.stoppingMs);
    if (this.still(worker, 'stopping')) this.enter(worker, 'stopped');
  }

  async wake(worker: Worker): Promise<void> {
    this.enter(worker, 'starting');
    await pause(this.parts.store.clock, this.parts.timings.vast.startingMs);
    if (this.still(worker, 'starting')) await this.load(worker, 'starting');
  }

  /** Takes no new requests and ends those it has; false when that never comes to its end or was taken back. */
  async drain(worker: Worker): Promise<boolean> {
    const { defects, timings } = this.parts;
    worker.draining = true;
    if (worker.server && !defects.has('no-drain', { worker }))
      await worker.server.queue.drained(timings.vast.assignmentMs);
    worker.draining = false;
    if (!this.still(worker, 'idle') || !worker.updateTarget) return false;
    this.enter(worker, 'update_ready');
    return true;
  }

  /** Reboots one worker into its target; resolves once it is idle, gone, or will never come. */
  async update(worker: Worker): Promise<void> {
    const { store, timings, defects, options } = this.parts;
    const { updateTarget: target } = worker;
    if (!target) return;
    this.enter(worker, 'update_rebooting');
    await this.stopServer(worker);
    await pause(store.clock, timings.vast.updateRebootingMs);
    if (!this.still(worker, 'update_rebooting')) return;
    const skips = defects.has('update-skips', { worker, template: target });
    worker.updateTarget = null;
    if (!skips) {
      worker.template = target;
      if (options.instanceTemplateFields === 'move') worker.shownTemplate = target;
      if (options.instanceTemplateFields === 'null') worker.shownTemplate = null;
    }
    await this.load(worker, 'update_starting');
  }

  async destroy(worker: Worker, reason: string): Promise<void> {
    const { store, timings } = this.parts;
    if (worker.status === 'destroying') return;
    this.enter(worker, 'destroying');
    await pause(store.clock, timings.terminateMs);
    if (worker.machine) await this.parts.cloud.end(worker.machine, reason);
    this.forget(worker);
  }

  /** The worker is no more: its port closes, nothing is charged. */
  forget(worker: Worker): void {
    const { store, meter } = this.parts;
    meter.end(worker);
    worker.server?.queue.reset();
    void this.listeners.get(worker.id)?.close();
    this.listeners.delete(worker.id);
    if (store.workers.delete(worker.id)) this.parts.changed();
  }

  /** A server that ended by itself: reboot, and after some failures another host. */
  serverExited(worker: Worker): void {
    if (worker.status === 'stopping' || worker.status === 'stopped' || worker.status === 'destroying') return;
    void this.fail(worker, 'the model server ended');
  }

  /** Has it serve again on the old template after an update was taken back. */
  backToIdle(worker: Worker): void {
    worker.updateTarget = null;
    if (worker.status === 'update_ready') this.enter(worker, 'idle');
  }

  private async fail(worker: Worker, why: string): Promise<void> {
    const { store, timings, options } = this.parts;
    worker.failures += 1;
    worker.server?.queue.reset();
    this.parts.logs.write(worker, 'info1', `worker ${worker.id} ${why}`);
    this.enter(worker, 'error');
    await pause(store.clock, timings.vast.errorMs);
    if (!this.still(worker, 'error')) return;
    if (worker.failures >= options.failuresToDestroy) return this.destroy(worker, 'failed too often');
    this.enter(worker, 'rebooting');
    await this.stopServer(worker);
    await pause(store.clock, timings.vast.rebootingMs);
    if (this.still(worker, 'rebooting')) await this.load(worker, 'model_loading');
  }

  /** Starts the model server; the worker is idle once its health answers, and fails when that takes too long. */
  private async load(worker: Worker, status: WorkerStatus): Promise<void> {
    const { store, cloud, timings, options, defects } = this.parts;
    this.enter(worker, status);
    const { machine } = worker;
    const group = store.groups.get(worker.groupId);
    const server = templateServer(worker.template, group?.launchArgs ?? '', options.salt);
    const isStuck =
      defects.has('never-loads', { worker }) || (status === 'starting' && defects.has('stranded', { worker }));
    const loadMs = timings.loadMs * this.slowness(worker);
    if (machine && server && !isStuck) cloud.startServer(machine, { ...server.config, loadMs });
    const timeoutMs = this.timeoutMs(worker, status);
    const dueMs = store.clock.nowMs() + timeoutMs;
    while (this.still(worker, status)) {
      const leftMs = dueMs - store.clock.nowMs();
      if (leftMs <= 0) {
        const doing = status === 'starting' ? 'starting' : 'loading';
        return this.fail(worker, `timed out ${doing} after ${Math.round(timeoutMs / 1_000)}s`);
      }
      // Without a server there is nothing to ask until the time is over.
      await pause(store.clock, server && !isStuck ? Math.max(10, timings.vast.tickMs) : leftMs);
      if (isStuck || !server || !machine || !(await cloud.isHealthy(machine)) || !this.still(worker, status)) continue;
      this.ready(worker, machine);
    }
  }

  private ready(worker: Worker, machine: Machine): void {
    const { store, logs } = this.parts;
    const nowMs = store.clock.nowMs();
    worker.loadedAtMs = nowMs;
    worker.lastUsedMs = nowMs;
    worker.updateTarget = null;
    this.loadedBefore.add(worker.template.hash);
    // A host whose image was swapped keeps the figure of its first benchmark.
    if (worker.measured === null) {
      const scatter = 1 + (store.random.next() * 2 - 1) * BENCHMARK_SCATTER;
      worker.measured = this.pyWorkerParts.perfOf(worker) * scatter;
      store.benchmarks.push({
        ...{ id: store.nextId(), template: worker.template, value: worker.measured, atMs: nowMs },
        ...{ gpuName: machine.accelerator, gpuCount: machine.gpuCount },
      });
    }
    logs.write(worker, 'info1', `worker ${worker.id} ${worker.status} -> idle (received loadtime)`);
    this.enter(worker, 'idle');
  }

  private timeoutMs(worker: Worker, status: WorkerStatus): number {
    const { startingTimeoutMs, loadingTimeoutMs, loadingTimeoutNewTemplateMs } = this.parts.timings.vast;
    if (status === 'starting') return startingTimeoutMs;
    return this.loadedBefore.has(worker.template.hash) ? loadingTimeoutMs : loadingTimeoutNewTemplateMs;
  }

  private slowness(worker: Worker): number {
    return this.parts.defects.get('slow-load', { worker })?.factor ?? 1;
  }

  private async open(worker: Worker): Promise<void> {
    // The port is known only once it is open; until then nobody can know it to ask.
    const answer: WireHandler = (request) =>
      worker.server ? worker.server.handle(request) : Promise.resolve({ kind: 'refused' });
    const listener = await this.parts.cloud.listen(this.gate(answer));
    this.listeners.set(worker.id, listener);
    worker.server = new PyWorker(this.pyWorkerParts, worker, listener.address);
    if (!this.parts.store.workers.has(worker.id)) this.forget(worker);
  }

  private async stopServer({ machine, server }: Worker): Promise<void> {
    server?.queue.reset();
    if (machine) await this.parts.cloud.stopServer(machine);
  }

  private still(worker: Worker, status: WorkerStatus): boolean {
    return worker.status === status && this.parts.store.workers.has(worker.id);
  }

  private enter(worker: Worker, status: WorkerStatus): void {
    const { store, meter, logs } = this.parts;
    logs.write(worker, 'trace', `worker ${worker.id}: ${worker.status} -> ${status}`);
    worker.status = status;
    worker.sinceMs = store.clock.nowMs();
    meter.enter(worker);
    this.parts.changed();
  }
}
