import { digestOf, type LoadOutcome, type LoadSample, observeOutput, sampleOf } from '@davit/domain';
import type { WorkerAttempt } from '../../vast/data-path/attempt.js';
import type { ServerlessOutcome } from '../../vast/data-path/serverless-request.js';
import type { Prompt } from '../prompts/prompt.js';
import type { History } from '../watch/history.js';
import type { WorkersRevision } from '../watch/look.js';
import { interfaceOf } from './answer.js';

/** One exchange with one worker. Times are milliseconds since 1970. */
export interface AttemptRecord extends Omit<WorkerAttempt, 'workerUrl'> {
  /** Null where the address belongs to no worker that was seen. */
  readonly workerId: string | null;
  readonly revision: WorkersRevision;
}

/** What the driver keeps of one request: no key, no signature, no text, no address. */
export interface RequestRecord extends LoadSample {
  /** SHA-256 of path and payload. */
  readonly prompt: string;
  readonly endedAtMs: number;
  /** Why it is not ok, for example `worker-500` or `unreachable`; null when it is. */
  readonly errorKind: string | null;
  readonly attempts: readonly AttemptRecord[];
}

/** A request as it ended, before anybody knows whose address it went to. */
export interface RawRecord {
  readonly prompt: string;
  readonly scheduledAtMs: number;
  readonly sentAtMs: number;
  readonly endedAtMs: number;
  /** Null: its time was over before there was room to send it. */
  readonly queueMs: number | null;
  readonly outcome: LoadOutcome;
  readonly errorKind: string | null;
  readonly outputTokens: number | null;
  readonly attempts: readonly WorkerAttempt[];
}

export const promptDigest = ({ path, payload }: Pick<Prompt, 'path' | 'payload'>): string =>
  digestOf({ path, payload });

/** Joins the addresses of a request with the workers that were seen behind them. */
export function recordOf(raw: RawRecord, history: History): RequestRecord {
  const attempts = raw.attempts.map(({ workerUrl, ...attempt }) => {
    const found = history.identify(workerUrl, attempt.sentAtMs, attempt.endedAtMs);
    const workerId = found === null ? null : String(found.workerId);
    return { ...attempt, workerId, revision: found?.revision ?? null };
  });
  const last = attempts.at(-1);
  const { prompt, endedAtMs, errorKind, scheduledAtMs, sentAtMs, queueMs, outcome, outputTokens } = raw;
  const sample = sampleOf({
    ...{ scheduledAtMs, sentAtMs, queueMs, outcome, outputTokens },
    answeredAtMs: endedAtMs,
    workerId: last?.workerId ?? null,
    workersRevision: last?.revision ?? null,
  });
  return { ...sample, prompt, endedAtMs, errorKind, attempts };
}

/** What a request came to: an answer that no client could read is none. */
export function judged(
  outcome: ServerlessOutcome,
): Pick<RawRecord, 'outcome' | 'errorKind' | 'outputTokens'> | 'aborted' {
  const failed = (kind: LoadOutcome, errorKind: string) => ({ outcome: kind, errorKind, outputTokens: null });
  const last = outcome.attempts.at(-1);
  switch (outcome.kind) {
    case 'aborted':
      return 'aborted';
    case 'answered': {
      const observed = observeOutput('', outcome.body ?? '');
      if (interfaceOf(observed) === null) return failed('error', 'answer-unreadable');
      return { outcome: 'ok', errorKind: null, outputTokens: observed.outputTokens };
    }
    case 'rejected':
      return failed('rejected', 'worker-429');
    case 'failed':
    case 'invalid':
    case 'unauthorised':
      return failed('error', `worker-${outcome.status ?? 'none'}`);
    case 'refused':
      return failed('error', 'engine-refused');
    case 'timeout':
      return failed('timeout', 'no-worker');
    case 'lost':
      if (last?.end === 'unreachable') return failed('timeout', 'unreachable');
      return last?.reason === 'timeout' ? failed('timeout', 'worker-timeout') : failed('lost', 'worker-lost');
  }
}
