import { type Machine } from '../cloud/cloud.js';
import { type Task } from './task.js';
import { type SkyError } from './text.js';

export type RequestStatus = 'PENDING' | 'RUNNING' | 'WAITING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

export interface SkyRequest {
  readonly id: string;
  readonly name: 'sky.launch' | 'sky.down';
  readonly cluster: string;
  readonly user: { readonly hash: string; readonly name: string };
  readonly createdAtMs: number;
  status: RequestStatus;
  error: SkyError | null;
  readonly log: string[];
  /** Resolves when the request reached its end. */
  readonly finished: Promise<void>;
  readonly finish: () => void;
}

export interface SkyJob {
  readonly id: number;
  readonly submittedAtMs: number;
  status: 'RUNNING' | 'FAILED' | 'CANCELLED';
  endedAtMs: number | null;
  readonly failure: string | null;
}

/** A row of `sky status`, and the machine behind it while there is one. */
export interface Cluster {
  readonly name: string;
  readonly hash: string;
  readonly userHash: string;
  readonly userName: string;
  readonly task: Task;
  readonly secretNames: readonly string[];
  status: 'INIT' | 'UP';
  everUp: boolean;
  readonly launchedAtMs: number;
  statusUpdatedAtMs: number;
  machine: Machine | null;
  /** From when on the port mapping is shown; null while it is not known. */
  endpointFromMs: number | null;
  endpointPort: number | null;
  readonly jobs: SkyJob[];
  provisionLog: string[];
  /** What the task printed, when it is not the usual. */
  jobLog: string | null;
}

export const isActive = (request: SkyRequest): boolean =>
  request.status === 'PENDING' || request.status === 'RUNNING' || request.status === 'WAITING';
