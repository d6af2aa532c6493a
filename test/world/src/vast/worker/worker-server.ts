import { type Address } from '../../cloud/host.js';
import { type WireReply, type WireRequest } from '../../http/wire.js';
import { type WorkerQueue } from './worker-queue.js';

/** One piece of work for the model behind a worker. */
export interface Work {
  readonly path: string;
  readonly payload: string;
  readonly workload: number;
  /** Null for work that was not routed here. */
  readonly requestIndex: number | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** The HTTP server of a worker, as the rest of the service sees it. */
export interface WorkerServer {
  readonly address: Address;
  readonly url: string;
  readonly queue: WorkerQueue;
  /** A call from outside. */
  handle(request: WireRequest): Promise<WireReply>;
  /** Work that has passed the door: waits for its turn, then goes to the model. */
  serve(work: Work, signal: AbortSignal | undefined): Promise<WireReply>;
}
