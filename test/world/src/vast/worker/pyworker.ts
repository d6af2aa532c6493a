import { pause } from '../../clock.js';
import { type Cloud } from '../../cloud/cloud.js';
import { type Address } from '../../cloud/host.js';
import {
  empty,
  isObject,
  json,
  objectBody,
  type JsonObject,
  type WireReply,
  type WireRequest,
} from '../../http/wire.js';
import { type Defects } from '../defects.js';
import { type Worker } from '../entities.js';
import { type VastOptions } from '../options.js';
import { type VastStore } from '../store.js';
import { spoiled } from './output.js';
import { type RouteSigner } from './signer.js';
import { WorkerQueue } from './worker-queue.js';
import { type Work, type WorkerServer } from './worker-server.js';

/** Workload of a request that tells none. */
const DEFAULT_WORKLOAD = 100;
const CLIENT_LEFT = 499;
const AUTH_FIELDS = ['cost', 'endpoint', 'reqnum', 'request_idx', 'signature', 'url'] as const;

export interface PyWorkerParts {
  readonly store: VastStore;
  readonly cloud: Cloud;
  readonly defects: Defects;
  readonly signer: RouteSigner;
  readonly options: VastOptions;
  /** How many load units a second a worker really does at present. */
  perfOf(worker: Worker): number;
  /** A request has ended, however it did. */
  ended(worker: Worker, requestIndex: number | null, workload: number): void;
}

/**
 * The server in front of a worker's model: verifies what `/route/` signed, keeps a queue whose expected wait is the work in
 * progress over the throughput, and passes the payload on. Its answers are those of the vendor's worker: 401, 410, 422,
 * 429, 499 and 500 of its own, everything else from the model.
 */
export class PyWorker implements WorkerServer {
  readonly queue: WorkerQueue;
  private answered = 0;

  constructor(
    private readonly parts: PyWorkerParts,
    private readonly worker: Worker,
    readonly address: Address,
  ) {
    this.queue = new WorkerQueue(parts.store.clock, () => parts.perfOf(worker));
  }

  get url(): string {
    return `http://${this.address.host}:${this.address.port}`;
  }

  async handle(request: WireRequest): Promise<WireReply> {
    if (!this.isReachable()) return { kind: 'refused' };
    if (request.method !== 'POST') return empty(405);
    const body = objectBody(request.body);
    if (!body) return json(422, { error: 'invalid JSON' });
    const problem = problemOf(body);
    if (problem) return json(422, problem);
    const auth = body['auth_data'] as JsonObject; // an object, by the check before
    if (!this.isSigned(auth)) return empty(401);
    if (typeof body['session_id'] === 'string') return json(410, { error: 'invalid session' });
    const payload = body['payload'] as JsonObject; // an object, by the check before
    return this.serve(
      {
        path: request.url.pathname,
        payload: JSON.stringify(payload),
        workload: workloadOf(payload),
        requestIndex: Number(auth['request_idx']),
        headers: { 'content-type': 'application/json' },
      },
      request.signal,
    );
  }

  async serve(work: Work, signal: AbortSignal | undefined): Promise<WireReply> {
    const { parts, worker } = this;
    if (work.requestIndex !== null) this.queue.arrived(work.requestIndex);
    const limit = parts.options.workerMaxQueueS;
    const isFull = limit !== null && this.queue.waitSeconds() > limit;
    if (isFull || parts.defects.has('worker-busy', { worker })) return this.refuse(work, 429);
    if (parts.defects.has('false-idle', { worker })) return this.refuse(work, 500);
    const leave = this.queue.enter(work.workload);
    const done = (): void => {
      leave();
      parts.ended(worker, work.requestIndex, work.workload);
    };
    await this.queue.turn(signal);
    if (signal?.aborted) {
      done();
      return empty(CLIENT_LEFT);
    }
    return this.ask(work, signal, done);
  }

  private async ask(work: Work, signal: AbortSignal | undefined, done: () => void): Promise<WireReply> {
    const { parts, worker } = this;
    await pause(parts.store.clock, this.extraMs(), signal);
    const { machine } = worker;
    this.answered += 1;
    const failing = parts.defects.get('errors', { worker });
    if (!machine || (failing && this.answered % failing.every === 0)) {
      done();
      return machine ? empty(500) : { kind: 'reset' };
    }
    const reply = await parts.cloud.request(machine, {
      ...{ method: 'POST', path: work.path, headers: work.headers, body: work.payload, signal },
    });
    if (reply.kind === 'hang') return reply;
    if (reply.kind !== 'response') {
      done();
      return this.isReachable() ? empty(500) : { kind: 'reset' };
    }
    const wrong = parts.defects.get('wrong-output', { worker });
    const answer = wrong ? spoiled(reply, wrong.how ?? 'schema') : reply;
    const { body } = answer;
    if (typeof body !== 'string') return { ...answer, body: untilEnd(body, done) };
    done();
    return answer;
  }

  private refuse(work: Work, status: number): WireReply {
    this.parts.ended(this.worker, work.requestIndex, 0);
    return empty(status);
  }

  private isSigned(auth: JsonObject): boolean {
    const { cost, endpoint, reqnum, request_idx, url, signature } = auth;
    if (this.parts.defects.has('signature-refused', { worker: this.worker })) return false;
    if (typeof url !== 'string' || typeof signature !== 'string' || url !== this.url) return false;
    return this.parts.signer.verifies(
      { cost: Number(cost), endpoint: String(endpoint), reqnum: Number(reqnum), request_idx: Number(request_idx), url },
      signature,
    );
  }

  private isReachable(): boolean {
    const { status } = this.worker;
    return (
      (status === 'idle' || status === 'update_ready') &&
      !this.parts.defects.has('unreachable', { worker: this.worker })
    );
  }

  private extraMs(): number {
    const held = this.parts.defects.since('latency', { worker: this.worker });
    if (!held) return 0;
    const { ms, rampMs = 0 } = held.fault;
    return rampMs > 0 ? ms * Math.min(1, held.forMs / rampMs) : ms;
  }
}

/** What the vendor's worker says of a body it cannot take. */
function problemOf(body: JsonObject): JsonObject | undefined {
  const auth = body['auth_data'];
  if (!isObject(auth)) return { auth_data: 'field missing' };
  if (!isObject(body['payload'])) return { payload: 'field missing' };
  const missing = AUTH_FIELDS.filter((name) => auth[name] === undefined || auth[name] === null);
  if (missing.length === 0) return undefined;
  return { auth_data: Object.fromEntries(missing.map((name) => [name, 'missing parameter'])) };
}

/** By the convention of language models the cost is the number of tokens asked for. */
export function workloadOf(payload: JsonObject): number {
  const nested = isObject(payload['input']) ? payload['input'] : payload;
  const asked = nested['max_tokens'] ?? nested['max_completion_tokens'];
  return typeof asked === 'number' && asked >= 0 ? asked : DEFAULT_WORKLOAD;
}

async function* untilEnd(body: AsyncIterable<string>, done: () => void): AsyncGenerator<string> {
  try {
    yield* body;
  } finally {
    done();
  }
}
