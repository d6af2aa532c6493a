import { type Clock, type Random, sleep } from '@davit/ports';
import type { RouteApi } from '../api/route.js';
import { endOfAttempt, isWorthAnother, type WorkerAttempt } from './attempt.js';
import { type Assignment, callWorker, type WorkerAnswer, type WorkerCallParts } from './worker-call.js';

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
  /** Gives it up: nothing more is asked, and what is under way is cut. */
  readonly signal?: AbortSignal;
}

export interface ServerlessOutcome {
  /**
   * `rejected`: the last worker was busy; `timeout`: nobody answered in time; `lost`: a worker was asked and never answered;
   * `aborted`: it was given up by who made it.
   */
  readonly kind:
    'answered' | 'rejected' | 'failed' | 'unauthorised' | 'invalid' | 'lost' | 'timeout' | 'refused' | 'aborted';
  readonly status: number | null;
  /** The model server's own answer; null in any other case. */
  readonly body: string | null;
  /** Address of the last worker that was asked. */
  readonly workerUrl: string | null;
  /** Time until that worker was assigned; null when none took the request. */
  readonly queueMs: number | null;
  readonly routeCalls: number;
  /** Each exchange with a worker, in order. */
  readonly attempts: readonly WorkerAttempt[];
  readonly detail: string;
}

const WORKER_TIMEOUT_MS = 600_000;
const FIRST_POLL_MS = 1_000;
const LONGEST_WAIT_MS = 5_000;
const ROUTE_TIMEOUT_MS = 10_000;

/**
 * One request as a real client makes it: the engine assigns a worker, the worker answers. Busy and failing workers, and those
 * that cannot be reached, lead back to the engine with the number that it gave the request, so that the request counts as load
 * once. Source of the rules: the vendor's serverless client, August 2026.
 */
export function serverlessRequest(
  parts: ServerlessRequestParts,
  request: ServerlessRequest,
): Promise<ServerlessOutcome> {
  return new Exchange(parts, request).run();
}

class Exchange {
  private readonly startedMs: number;
  private readonly attempts: WorkerAttempt[] = [];
  private requestIdx: number | undefined;
  private routeCalls = 0;
  private queueMs: number | null = null;
  private last: WorkerAnswer | undefined;

  constructor(
    private readonly parts: ServerlessRequestParts,
    private readonly request: ServerlessRequest,
  ) {
    this.startedMs = parts.clock.monotonicMs();
  }

  async run(): Promise<ServerlessOutcome> {
    const { clock, random } = this.parts;
    const { signal } = this.request;
    for (let waits = 0; this.leftMs() > 0; waits++) {
      const ended = await this.round();
      if (signal?.aborted) break;
      if (ended !== undefined) return ended;
      const waitMs = Math.min(waitOf(waits, random), this.leftMs());
      if (waitMs > 0) await sleep(clock, waitMs, signal);
      if (signal?.aborted) break;
    }
    if (signal?.aborted) return this.ended('aborted', 'it was given up');
    const kind = this.last === undefined ? 'timeout' : kindOf(this.last);
    return this.ended(kind, 'the time for this request is over');
  }

  /** Asks the engine once, and the worker where it names one; undefined when another round is due. */
  private async round(): Promise<ServerlessOutcome | undefined> {
    this.routeCalls += 1;
    const { endpoint, cost } = this.request;
    const reply = await this.parts.route.ask({
      ...{ endpoint, cost, timeoutMs: Math.min(ROUTE_TIMEOUT_MS, this.leftMs()) },
      ...(this.requestIdx === undefined ? {} : { requestIdx: this.requestIdx }),
    });
    if (reply.kind === 'refused') return this.ended('refused', reply.detail);
    if (reply.kind === 'unknown' || this.request.signal?.aborted) return undefined;
    this.requestIdx = reply.value.requestIdx ?? this.requestIdx;
    if (reply.value.state !== 'assigned') return undefined;
    const timeoutMs = Math.min(this.request.workerTimeoutMs ?? WORKER_TIMEOUT_MS, this.leftMs());
    if (timeoutMs <= 0) return undefined;
    const answer = await this.call(reply.value, timeoutMs);
    return isWorthAnother(answer) ? undefined : this.ended(kindOf(answer), '');
  }

  private async call(assignment: Assignment, timeoutMs: number): Promise<WorkerAnswer> {
    const { clock } = this.parts;
    const assignedMs = clock.monotonicMs() - this.startedMs;
    const sentAtMs = clock.nowMs();
    const answer = await callWorker(this.parts, assignment, { ...this.request, timeoutMs });
    this.attempts.push({
      workerUrl: assignment.url,
      sentAtMs,
      endedAtMs: clock.nowMs(),
      end: endOfAttempt(answer),
      status: 'status' in answer ? answer.status : null,
      reason: answer.kind === 'lost' ? answer.reason : null,
    });
    this.queueMs = isTaken(answer) ? assignedMs : null;
    this.last = answer;
    return answer;
  }

  private leftMs(): number {
    return this.request.deadlineMs - (this.parts.clock.monotonicMs() - this.startedMs);
  }

  private ended(kind: ServerlessOutcome['kind'], detail: string): ServerlessOutcome {
    const { last, queueMs, routeCalls, attempts } = this;
    return {
      ...{ kind, queueMs, routeCalls, attempts, detail },
      status: last !== undefined && 'status' in last ? last.status : null,
      body: kind === 'answered' && last?.kind === 'answered' ? last.body : null,
      workerUrl: attempts.at(-1)?.workerUrl ?? null,
    };
  }
}

/** The first second is waited for whole; later waits are spread, up to the cap. */
const waitOf = (waits: number, random: Random): number =>
  waits === 0
    ? FIRST_POLL_MS
    : 100 + random.next() * (Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** waits + 1_000 * random.next()) - 100);

const isTaken = (answer: WorkerAnswer): boolean =>
  answer.kind !== 'busy' && answer.kind !== 'unauthorised' && endOfAttempt(answer) !== 'unreachable';

function kindOf(answer: WorkerAnswer): ServerlessOutcome['kind'] {
  return answer.kind === 'busy' ? 'rejected' : answer.kind;
}
