import { pause, randomHex, randomUuid, type WorldClock, type WorldRandom } from '../clock.js';
import { type Cloud, type Machine } from '../cloud/cloud.js';
import { effectOf, type FaultEffect } from '../faults.js';
import { type ServerChange } from '../model-server/config.js';
import { type WorldTimings } from '../timings.js';
import { failsBeforeMachine, launchError } from './failures.js';
import { findServer } from './run-script.js';
import { isActive, type Cluster, type SkyRequest } from './state.js';
import { CLOUD_NAMES, consideredResources, type Task } from './task.js';
import { SkyError } from './text.js';

export interface LaunchPlan {
  readonly cluster: string;
  readonly task: Task;
  /** Digests of the secrets that the task gets, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly userHash: string;
  readonly userName: string;
}

const CLUSTER_NAME = /^[a-zA-Z]([-_.a-zA-Z0-9]*[a-zA-Z0-9])?$/;

/** SkyPilot's API server: its request table, its cluster table, and what its workers do. */
export class SkyBackend {
  readonly requests: SkyRequest[] = [];
  readonly clusters = new Map<string, Cluster>();
  /** False where nobody has given SkyPilot an account at any cloud. */
  cloudsEnabled = true;
  private readonly locks = new Map<string, SkyRequest>();

  constructor(
    private readonly cloud: Cloud,
    readonly clock: WorldClock,
    private readonly random: WorldRandom,
    private readonly timings: WorldTimings,
    private readonly salt: string,
  ) {}

  submitLaunch(plan: LaunchPlan, effects: readonly FaultEffect[]): SkyRequest {
    const request = this.newRequest('sky.launch', plan.cluster, { hash: plan.userHash, name: plan.userName });
    void this.work(request, effectOf(effects, 'late-visibility')?.ms ?? this.timings.scheduleMs, () =>
      this.launch(request, plan, effects),
    );
    return request;
  }

  submitDown(cluster: Cluster, userHash: string, effects: readonly FaultEffect[]): SkyRequest {
    for (const launch of this.activeLaunches(cluster.name)) this.cancel(launch);
    const request = this.newRequest('sky.down', cluster.name, { hash: userHash, name: cluster.userName });
    void this.work(request, 0, () => this.terminate(cluster, effects));
    return request;
  }

  cancel(request: SkyRequest): boolean {
    if (!isActive(request)) return false;
    request.status = 'CANCELLED';
    request.log.push(`Request ${request.id} cancelled by user`, `'${request.name}' request ${request.id} cancelled`);
    request.finish();
    return true;
  }

  activeLaunches(cluster: string): readonly SkyRequest[] {
    return this.requests.filter(
      (request) => request.name === 'sky.launch' && request.cluster === cluster && isActive(request),
    );
  }

  /** Drops the row of a cluster whose machine is gone; true when it did. */
  refresh(cluster: Cluster): boolean {
    if (cluster.machine?.phase !== 'ended' || this.activeLaunches(cluster.name).length > 0) return false;
    this.clusters.delete(cluster.name);
    return true;
  }

  /** Catches up with what the background refresh would have done by now. */
  runDaemon(): void {
    const round = (ms: number): number => Math.floor(ms / this.timings.refreshDaemonMs);
    for (const cluster of this.clusters.values()) {
      const endedAtMs = cluster.machine?.endedAtMs ?? null;
      if (endedAtMs !== null && round(this.clock.nowMs()) > round(endedAtMs)) this.refresh(cluster);
    }
  }

  newId(length: number): string {
    return randomHex(this.random, length);
  }

  private newRequest(name: SkyRequest['name'], cluster: string, user: SkyRequest['user']): SkyRequest {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const createdAtMs = this.clock.nowMs();
    const id = randomUuid(this.random);
    const request: SkyRequest = {
      id,
      name,
      cluster,
      user,
      createdAtMs,
      status: 'PENDING',
      error: null,
      log: [],
      finished,
      finish,
    };
    this.requests.push(request);
    return request;
  }

  /** Runs one request under the lock of its cluster. */
  private async work(request: SkyRequest, delayMs: number, body: () => Promise<void>): Promise<void> {
    await pause(this.clock, delayMs);
    let holder = this.locks.get(request.cluster);
    while (holder && isActive(request)) {
      request.status = 'WAITING';
      await holder.finished;
      holder = this.locks.get(request.cluster);
      if (holder && !isActive(holder)) {
        this.locks.delete(request.cluster);
        holder = undefined;
      }
    }
    if (!isActive(request)) return;
    this.locks.set(request.cluster, request);
    request.status = 'RUNNING';
    try {
      await body();
      if (isActive(request)) request.status = 'SUCCEEDED';
    } catch (error) {
      if (!(error instanceof SkyError)) throw error;
      request.error = error;
      if (isActive(request)) request.status = 'FAILED';
    } finally {
      if (this.locks.get(request.cluster) === request) this.locks.delete(request.cluster);
      request.finish();
    }
  }

  private async launch(request: SkyRequest, plan: LaunchPlan, effects: readonly FaultEffect[]): Promise<void> {
    this.checkPlan(plan);
    const existing = this.clusters.get(plan.cluster);
    if (existing && (existing.status === 'UP' || existing.machine?.phase === 'running')) {
      this.checkSameResources(existing, plan);
      existing.status = 'UP';
      this.runTask(existing, plan);
      return;
    }
    const cluster = existing ?? this.newCluster(plan);
    const fails = effectOf(effects, 'launch-fails');
    cluster.provisionLog = request.log;
    cluster.jobLog = effectOf(effects, 'job-log')?.text ?? null;
    request.log.push(...consideredResources(plan.task));
    await pause(this.clock, this.timings.createMs);
    if (!isActive(request)) return;
    if (fails && failsBeforeMachine(fails.reason)) this.giveUp(cluster, request, launchError(fails));
    if (cluster.machine?.phase !== 'provisioning') await this.rent(cluster, request, plan, effects);
    if (!isActive(request)) return;
    await pause(this.clock, this.timings.provisionMs);
    if (!isActive(request)) return;
    if (fails) this.fail(request, fails);
    const { machine } = cluster;
    // A launch whose machine is gone, or never gets ready, waits without a deadline (skypilot #7336, #7321).
    if (fails || machine?.phase !== 'provisioning') return request.finished;
    this.comeUp(cluster, machine, plan, effects);
  }

  /** A launch that is stuck prints, and goes on waiting. */
  private fail(request: SkyRequest, fails: Extract<FaultEffect, { kind: 'launch-fails' }>): void {
    const error = fails.reason === 'stuck' ? null : launchError(fails);
    const text = fails.log ?? error?.message;
    if (text !== undefined) request.log.push(...text.split('\n'));
    if (error) throw error;
  }

  /** What only the server finds out, long after the client was told that its request is accepted. */
  private checkPlan({ cluster }: LaunchPlan): void {
    if (!this.cloudsEnabled) throw new SkyError('NoCloudAccessError', 'Cloud access is not set up. Run: sky check');
    if (!CLUSTER_NAME.test(cluster))
      throw new SkyError(
        'InvalidClusterNameError',
        `Cluster name "${cluster}" is invalid; ensure it is fully matched by regex: ${CLUSTER_NAME.source}`,
      );
  }

  private comeUp(cluster: Cluster, machine: Machine, plan: LaunchPlan, effects: readonly FaultEffect[]): void {
    this.cloud.boot(machine);
    const nowMs = this.clock.nowMs();
    Object.assign(cluster, { status: 'UP', everUp: true, statusUpdatedAtMs: nowMs });
    cluster.endpointFromMs = effectOf(effects, 'endpoint-never') ? null : nowMs + this.timings.portMs;
    this.runTask(cluster, plan, effectOf(effects, 'server-change')?.change);
    const fault = effectOf(effects, 'server-fault');
    if (fault) this.cloud.setFault(machine, fault.fault);
    if (effectOf(effects, 'row-lost')) this.clusters.delete(cluster.name);
  }

  private newCluster(plan: LaunchPlan): Cluster {
    const nowMs = this.clock.nowMs();
    const cluster: Cluster = {
      name: plan.cluster,
      hash: randomHex(this.random, 32),
      userHash: plan.userHash,
      userName: plan.userName,
      task: plan.task,
      secretNames: Object.keys(plan.secrets),
      status: 'INIT',
      everUp: false,
      launchedAtMs: nowMs,
      statusUpdatedAtMs: nowMs,
      machine: null,
      endpointFromMs: null,
      endpointPort: null,
      jobs: [],
      provisionLog: [],
      jobLog: null,
    };
    this.clusters.set(cluster.name, cluster);
    return cluster;
  }

  private async rent(
    cluster: Cluster,
    request: SkyRequest,
    plan: LaunchPlan,
    effects: readonly FaultEffect[],
  ): Promise<void> {
    let known = false;
    for (const candidate of plan.task.candidates) {
      const machine = {
        ...candidate,
        name: `${onCloudName(cluster)}-head`,
        owner: `sky:${cluster.name}`,
        image: plan.task.image,
        spot: plan.task.useSpot,
        diskGb: plan.task.diskSizeGb,
      };
      const outcome = await this.cloud.create(machine);
      if (outcome.kind === 'created') {
        cluster.machine = outcome.machine;
        const { cloud, region } = outcome.machine;
        request.log.push(`⚙︎ Launching on ${CLOUD_NAMES[cloud] ?? cloud} ${region.slice(0, 2)} (${region}).`);
        if (effectOf(effects, 'machine-doubled')) {
          // The provider's own doing: nobody asked for it, and the ledger says so.
          const second = await this.cloud.create({ ...machine, owner: `doubled:${cluster.name}` });
          if (second.kind === 'created') this.cloud.boot(second.machine);
        }
        // Termination may have finished while the machine was being made.
        if (this.clusters.get(cluster.name) !== cluster) await this.cloud.end(outcome.machine, 'launch cancelled');
        return;
      }
      known ||= outcome.reason === 'no-capacity';
      request.log.push(`${candidate.cloud}: ${candidate.accelerator}:${candidate.gpuCount}: ${outcome.reason}`);
    }
    this.giveUp(cluster, request, launchError({ reason: known ? 'no-capacity' : 'infeasible' }));
  }

  private giveUp(cluster: Cluster, request: SkyRequest, error: SkyError): never {
    request.log.push(error.message);
    if (!cluster.everUp && !cluster.machine) this.clusters.delete(cluster.name);
    throw error;
  }

  private checkSameResources(cluster: Cluster, plan: LaunchPlan): void {
    const { machine } = cluster;
    const fits = plan.task.candidates.some(
      ({ cloud, accelerator, gpuCount }) =>
        cloud === machine?.cloud && accelerator === machine.accelerator && gpuCount <= machine.gpuCount,
    );
    if (!fits) throw new SkyError('ResourcesMismatchError', `Requested resources do not match the existing cluster.`);
  }

  /** Submits the task as one more job. A second server cannot have the port of the first. */
  private runTask(cluster: Cluster, plan: LaunchPlan, change: ServerChange = {}): void {
    const { machine } = cluster;
    const { run, setup, image, envs } = plan.task;
    const server = findServer(run, { envs, secrets: plan.secrets, salt: this.salt, image, setup });
    let failure: string | null = null;
    if (machine && server) {
      const started = this.cloud.startServer(machine, { ...server.config, loadMs: this.timings.loadMs, ...change });
      if (started) cluster.endpointPort = server.port;
      else failure = 'OSError: [Errno 98] Address already in use';
    }
    const nowMs = this.clock.nowMs();
    cluster.jobs.push({
      id: cluster.jobs.length + 1,
      submittedAtMs: nowMs,
      status: failure === null ? 'RUNNING' : 'FAILED',
      endedAtMs: failure === null ? null : nowMs,
      failure,
    });
  }

  private async terminate(cluster: Cluster, effects: readonly FaultEffect[]): Promise<void> {
    await pause(this.clock, this.timings.terminateMs);
    if (effectOf(effects, 'down-lies'))
      throw new SkyError('CloudError', `${cluster.task.candidates[0]?.cloud ?? ''} error (Forbidden): not permitted.`);
    if (!effectOf(effects, 'row-removed-machine-stays') && cluster.machine)
      await this.cloud.end(cluster.machine, 'terminated by sky');
    if (this.clusters.get(cluster.name) === cluster) this.clusters.delete(cluster.name);
  }
}

/** The provider-side name stem: lower case, only letters, digits and hyphens, ending in the user's hash. */
export const onCloudName = (cluster: Pick<Cluster, 'name' | 'userHash'>): string =>
  `${cluster.name.toLowerCase().replace(/[._]/g, '-')}-${cluster.userHash}`;
