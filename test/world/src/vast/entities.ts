import { type Machine } from '../cloud/cloud.js';

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
  readonly api_key: string;
  readonly createdAtMs: number;
}

/** One content of a template; an edit makes a new one with the same id and another hash. */
export interface Template {
  readonly id: number;
  readonly hash: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly createdAtMs: number;
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

export interface Worker {
  /** Also the id of its instance. */
  readonly id: number;
  readonly groupId: number;
  readonly endpointId: number;
  status: WorkerStatus;
  sinceMs: number;
  template: Template;
  machine: Machine | null;
  failures: number;
  lastUsedMs: number;
  startedAtMs: number;
  loadedAtMs: number | null;
  perf: number;
  readonly jupyterToken: string;
}

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

/** States in which the GPU is billed; in the others storage at most. */
export const GPU_BILLED: ReadonlySet<WorkerStatus> = new Set([
  'loading',
  'model_loading',
  'idle',
  'starting',
  'update_ready',
  'update_rebooting',
  'update_starting',
]);
