import type { HttpFailure } from '@davit/ports';
import type { WorkerAnswer } from './worker-call.js';

/** One exchange with one worker on behalf of a request. Times are milliseconds since 1970. */
export interface WorkerAttempt {
  readonly workerUrl: string;
  readonly sentAtMs: number;
  readonly endedAtMs: number;
  /**
   * `unreachable`: no connection came about, so the worker never had the request. `lost`: it may have had it, and gave no
   * answer.
   */
  readonly end: WorkerAnswer['kind'] | 'unreachable';
  readonly status: number | null;
  /** Why there was no answer; null when there was one. */
  readonly reason: HttpFailure | null;
}

const NEVER_ARRIVED = new Set<HttpFailure>(['refused', 'dns', 'tls']);

export const endOfAttempt = (answer: WorkerAnswer): WorkerAttempt['end'] =>
  answer.kind === 'lost' && NEVER_ARRIVED.has(answer.reason) ? 'unreachable' : answer.kind;

/** Whether another worker may do it. After a time-out it may not: the model may be at work on it still. */
export function isWorthAnother(answer: WorkerAnswer): boolean {
  switch (answer.kind) {
    case 'busy':
    case 'failed':
      return true;
    case 'lost':
      return answer.reason === 'reset' || NEVER_ARRIVED.has(answer.reason);
    default:
      return false;
  }
}
