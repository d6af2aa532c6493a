import { type Clock, type Random, sleep } from '@davit/ports';
import type { RouteApi } from '../api/route.js';
import { callWorker, type WorkerAnswer, type WorkerCallParts } from './worker-call.js';

export interface ServerlessRequestParts extends WorkerCallParts {
  readonly route: Pick<RouteApi, 'ask'>;
  readonly clock: Clock;
  readonly random: Random;
}

export interface ServerlessRequest {
  /** Name of the endpoint. */
  readonly endpoint: string;
  /** Load units, by convention the most tokens that the answer may have. */
  readonly cost: number;
  readonly path: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Everything together: waiting for a worker, and each attempt. */
  readonly deadlineMs: number;
  /** Longest single answer of a worker. Default 600 s, as the vendor's own client has it. */
  readonly workerTimeoutMs?: number;
  readonly maxBytes?: number;
}

export interface ServerlessOutcome {
  /** `rejected`: the last worker was busy; `timeout`: nobody answered in time; `lost`: a worker was asked and never answered. */
  readonly kind: 'answered' | 'rejected' | 'failed' | 'unauthorised' | 'invalid' | 'lost' | 'timeout' | 'refused';
  readonly status: number | null;
  /** The model server's own answer; null in any other case. */
  readonly body: string | null;
  /** Address of the last worker that was asked. */
  readonly workerUrl: string | null;
  /** Time until the first worker was assigned; null when none was. */
  readonly queueMs: number | null;
  readonly routeCalls: number;
  readonly workerCalls: number;
  readonly detail: string;
}

const WORKER_TIMEOUT_MS = 600_000;
const FIRST_POLL_MS = 1_000;
const LONGEST_WAIT_MS = 5_000;

/**
 * One request as a real client makes it: the engine assigns a worker, the worker answers. Busy and failing workers, and those
 * that cannot be reached, lead back to the engine with the number that it gave the request, so that the request counts as load
 * once. Source of the rules: the vendor's serverless client, August 2026.
 */
export async function serverlessRequest(
  parts: ServerlessRequestParts,
  request: ServerlessRequest,
): Promise<ServerlessOutcome> {
  const startedMs = parts.clock.monotonicMs();
  const leftMs = (): number => request.deadlineMs - (parts.clock.monotonicMs() - startedMs);
  const state = { requestIdx: undefined as number | undefined, queueMs: null as number | null };
  const count = { routeCalls: 0, workerCalls: 0 };
  let last: { readonly answer: WorkerAnswer; readonly url: string } | undefined;
  for (let waits = 0; leftMs() > 0; waits++) {
    count.routeCalls += 1;
    const reply = await parts.route.ask({
      ...{ endpoint: request.endpoint, cost: request.cost, timeoutMs: Math.min(10_000, leftMs()) },
      ...(state.requestIdx === undefined ? {} : { requestIdx: state.requestIdx }),
    });
    if (reply.kind === 'refused') return ended({ ...state, ...count }, 'refused', last, reply.detail);
    if (reply.kind === 'confirmed') {
      state.requestIdx = reply.value.requestIdx ?? state.requestIdx;
      if (reply.value.state === 'assigned') {
        state.queueMs ??= parts.clock.monotonicMs() - startedMs;
        const timeoutMs = Math.min(request.workerTimeoutMs ?? WORKER_TIMEOUT_MS, leftMs());
        if (timeoutMs <= 0) break;
        count.workerCalls += 1;
        const answer = await callWorker(parts, reply.value, { ...request, timeoutMs });
        last = { answer, url: reply.value.url };
        if (!isWorthAnother(answer)) return ended({ ...state, ...count }, kindOf(answer), last, '');
      }
    }
    const waitMs = Math.min(waitOf(waits, parts.random), leftMs());
    if (waitMs > 0) await sleep(parts.clock, waitMs);
  }
  const kind = last === undefined ? 'timeout' : kindOf(last.answer);
  return ended({ ...state, ...count }, kind, last, 'the time for this request is over');
}

/** The first second is waited for whole; later waits are spread, up to the cap. */
const waitOf = (waits: number, random: Random): number =>
  waits === 0
    ? FIRST_POLL_MS
    : 100 + random.next() * (Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** waits + 1_000 * random.next()) - 100);

/** A time-out is not: the model may be at work on it still. */
const isWorthAnother = (answer: WorkerAnswer): boolean =>
  answer.kind === 'busy' ||
  answer.kind === 'failed' ||
  (answer.kind === 'lost' && (answer.reason === 'refused' || answer.reason === 'reset'));

function kindOf(answer: WorkerAnswer): ServerlessOutcome['kind'] {
  return answer.kind === 'busy' ? 'rejected' : answer.kind;
}

function ended(
  told: Pick<ServerlessOutcome, 'queueMs' | 'routeCalls' | 'workerCalls'>,
  kind: ServerlessOutcome['kind'],
  last: { readonly answer: WorkerAnswer; readonly url: string } | undefined,
  detail: string,
): ServerlessOutcome {
  const { queueMs, routeCalls, workerCalls } = told;
  const answer = last?.answer;
  return {
    ...{ kind, queueMs, routeCalls, workerCalls, detail },
    status: answer !== undefined && 'status' in answer ? answer.status : null,
    body: answer?.kind === 'answered' ? answer.body : null,
    workerUrl: last?.url ?? null,
  };
}
