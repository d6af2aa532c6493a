import { type Machine } from '../cloud/cloud.js';
import { type WorkerServer } from './worker/worker-server.js';

export interface EndpointPolicy {
  min_load: number;
  min_cold_load: number;
  target_util: number;
  cold_mult: number;
  cold_workers: number;
  max_workers: number;
  max_queue_time: number;
  target_queue_time: number;
  inactivity_timeout: number | null;
}

export type EndpointState = 'active' | 'suspended' | 'stopped';

/** An endpoint as the console stores it, with the secret it hands out in every row. */
export interface Endpoint {
  readonly id: number;
  readonly endpoint_name: string;
  endpoint_state: EndpointState;
  policy: EndpointPolicy;
  readonly api_key: string;
  readonly createdAtMs: number;
  /** Recent routed cost, for the load estimate. */
  readonly demand: { readonly atMs: number; readonly cost: number }[];
  /** Requests that wait for a worker, by their index: since when, and when last asked for. */
  readonly queue: Map<number, { readonly sinceMs: number; seenMs: number }>;
}

export interface Workergroup {
  readonly id: number;
  readonly endpointId: number;
  template: Template;
  searchText: string;
  launchArgs: string;
  gpuRamGb: number;
  /** Fields that are kept and shown but steer nothing. */
  readonly inert: Record<string, unknown>;
  readonly dockerLogin: Record<string, unknown>;
  readonly api_key: string;
  readonly createdAtMs: number;
}

/** One content of a template; an edit makes a new one with the same id and another hash. */
export interface Template {
  readonly id: number;
  readonly hash: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly createdAtMs: number;
  /** The service's own, which every account may use. */
  readonly isPublic: boolean;
}

export type WorkerStatus =
  | 'pending'
  | 'creating'
  | 'created'
  | 'loading'
  | 'model_loading'
  | 'idle'
  | 'stopping'
  | 'stopped'
  | 'starting'
  | 'rebooting'
  | 'error'
  | 'update_ready'
  | 'update_rebooting'
  | 'update_starting'
  | 'destroying';

/** What a worker is charged for: the GPU with its disk, the disk alone, or nothing. */
export type BillingClass = 'gpu' | 'storage' | 'none';

export interface Worker {
  /** Also the id of its instance. */
  readonly id: number;
  readonly groupId: number;
  readonly endpointId: number;
  status: WorkerStatus;
  sinceMs: number;
  /** What really runs, or will after a start. */
  template: Template;
  /** What the instance record says; null where the service says nothing. */
  shownTemplate: Template | null;
  /** Set while a rolling update is to bring it to this template. */
  updateTarget: Template | null;
  /** Gets no new requests, since it is to be updated. */
  draining: boolean;
  machine: Machine | null;
  /** Its own HTTP server, from the rental to the end. */
  server: WorkerServer | null;
  failures: number;
  lastUsedMs: number;
  startedAtMs: number;
  loadedAtMs: number | null;
  /** Throughput that its first benchmark measured; null before it. */
  measured: number | null;
  billedAs: BillingClass;
  readonly jupyterToken: string;
  readonly masterToken: string;
}

/** States that count as active: they hold a GPU, or are about to. */
export const ACTIVE: ReadonlySet<WorkerStatus> = new Set([
  'pending',
  'creating',
  'created',
  'loading',
  'model_loading',
  'idle',
  'starting',
  'rebooting',
  'error',
  'update_ready',
  'update_rebooting',
  'update_starting',
]);

/** `rebooting` is charged as the state before it. */
export const BILLED_AS: Readonly<Record<WorkerStatus, BillingClass | 'as-before'>> = {
  pending: 'none',
  creating: 'storage',
  created: 'storage',
  loading: 'gpu',
  model_loading: 'gpu',
  idle: 'gpu',
  stopping: 'storage',
  stopped: 'storage',
  starting: 'gpu',
  rebooting: 'as-before',
  error: 'none',
  update_ready: 'gpu',
  update_rebooting: 'gpu',
  update_starting: 'gpu',
  destroying: 'none',
};
