import { pause } from '../clock.js';
import { type Cloud, type Machine } from '../cloud/cloud.js';
import { type WorldTimings } from '../timings.js';
import { GPU_BILLED, type Endpoint, type Worker, type Workergroup, type WorkerStatus } from './entities.js';
import { type VastStore } from './store.js';
import { templateServer } from './template-server.js';

const FAILURES_TO_DESTROY = 3;

/** The states that one worker goes through. Every step checks that the worker still exists and is where it was. */
export class WorkerLife {
  constructor(
    private readonly store: VastStore,
    private readonly cloud: Cloud,
    private readonly timings: WorldTimings,
    private readonly salt: string,
    private readonly changed: () => void,
  ) {}

  born(endpoint: Endpoint, group: Workergroup, perf: number): Worker {
    const nowMs = this.store.clock.nowMs();
    const worker: Worker = {
      id: this.store.nextId(),
      groupId: group.id,
      endpointId: endpoint.id,
      status: 'pending',
      sinceMs: nowMs,
      template: group.template,
      machine: null,
      failures: 0,
      lastUsedMs: nowMs,
      startedAtMs: nowMs,
      loadedAtMs: null,
      perf,
      jupyterToken: this.store.secret(),
    };
    this.store.workers.set(worker.id, worker);
    return worker;
  }

  /** From a rented machine to a worker that serves. */
  async grow(worker: Worker, machine: Machine): Promise<void> {
    worker.machine = machine;
    if (worker.status === 'destroying' || !this.store.workers.has(worker.id)) {
      await this.cloud.end(machine, 'destroyed by vast');
      return;
    }
    this.enter(worker, 'creating');
    await pause(this.store.clock, this.timings.vast.creatingMs);
    if (!this.still(worker, 'creating')) return;
    this.enter(worker, 'created');
    this.cloud.boot(machine);
    this.enter(worker, 'loading');
    await pause(this.store.clock, this.timings.vast.loadingMs);
    if (this.still(worker, 'loading')) await this.load(worker, 'model_loading');
  }

  async stop(worker: Worker): Promise<void> {
    this.enter(worker, 'stopping');
    if (worker.machine) await this.cloud.stopServer(worker.machine);
    await pause(this.store.clock, this.timings.vast.stoppingMs);
    if (this.still(worker, 'stopping')) this.enter(worker, 'stopped');
  }

  async wake(worker: Worker): Promise<void> {
    this.enter(worker, 'starting');
    await pause(this.store.clock, this.timings.vast.startingMs);
    if (this.still(worker, 'starting')) await this.load(worker, 'starting');
  }

  /** Moves one worker to the present template of its group, without work in between. */
  async update(worker: Worker, group: Workergroup): Promise<void> {
    if (worker.status !== 'idle' && worker.status !== 'stopped') return;
    this.enter(worker, 'update_ready');
    if (worker.machine) await this.cloud.stopServer(worker.machine);
    this.enter(worker, 'update_rebooting');
    await pause(this.store.clock, this.timings.vast.loadingMs);
    if (!this.still(worker, 'update_rebooting')) return;
    worker.template = group.template;
    await this.load(worker, 'update_starting');
  }

  async destroy(worker: Worker, reason: string): Promise<void> {
    if (worker.status === 'destroying') return;
    this.enter(worker, 'destroying');
    await pause(this.store.clock, this.timings.terminateMs);
    if (worker.machine) await this.cloud.end(worker.machine, reason);
    this.store.workers.delete(worker.id);
    this.changed();
  }

  /** A server that ended by itself: reboot, and after three failures another host. */
  serverExited(worker: Worker): void {
    if (worker.status === 'stopping' || worker.status === 'stopped' || worker.status === 'destroying') return;
    void this.fail(worker);
  }

  private async fail(worker: Worker): Promise<void> {
    worker.failures += 1;
    this.enter(worker, 'error');
    await pause(this.store.clock, this.timings.vast.stoppingMs);
    if (!this.still(worker, 'error')) return;
    if (worker.failures >= FAILURES_TO_DESTROY) return this.destroy(worker, 'failed three times');
    this.enter(worker, 'rebooting');
    await pause(this.store.clock, this.timings.vast.startingMs);
    if (this.still(worker, 'rebooting')) await this.load(worker, 'model_loading');
  }

  /** Starts the model server; the worker is idle once its health answers. */
  private async load(worker: Worker, status: WorkerStatus): Promise<void> {
    this.enter(worker, status);
    const { machine } = worker;
    const group = this.store.groups.get(worker.groupId);
    const server = templateServer(worker.template, group?.launchArgs ?? '', this.salt);
    if (!machine || !server) return;
    this.cloud.startServer(machine, { ...server.config, loadMs: this.timings.loadMs });
    while (this.still(worker, status)) {
      await pause(this.store.clock, Math.max(10, this.timings.vast.tickMs));
      if (!(await this.cloud.isHealthy(machine)) || !this.still(worker, status)) continue;
      worker.loadedAtMs = this.store.clock.nowMs();
      worker.lastUsedMs = worker.loadedAtMs;
      this.enter(worker, 'idle');
    }
  }

  private still(worker: Worker, status: WorkerStatus): boolean {
    return worker.status === status && this.store.workers.has(worker.id);
  }

  private enter(worker: Worker, status: WorkerStatus): void {
    worker.status = status;
    worker.sinceMs = this.store.clock.nowMs();
    if (worker.machine) this.cloud.bill(worker.machine, GPU_BILLED.has(status));
    this.changed();
  }
}
