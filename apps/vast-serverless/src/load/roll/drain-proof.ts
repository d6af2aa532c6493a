import type { AttemptRecord, RequestRecord } from '../record/request-record.js';
import type { LoadRun } from '../run-load.js';

/** One request that a worker had and did not answer. */
export interface LostOnWorker {
  readonly prompt: string;
  readonly scheduledAtMs: number;
  readonly attempt: AttemptRecord;
  /** Whether the client got an answer elsewhere. The worker lost it all the same. */
  readonly servedElsewhere: boolean;
}

export interface DrainProof {
  /** `proved`: each request that a worker had was answered by it. `unknown`: not every one was followed to its end. */
  readonly verdict: 'proved' | 'lost' | 'unknown';
  readonly requests: number;
  /** Exchanges with workers, by what the worker ran. */
  readonly exchanges: Readonly<Record<'old' | 'candidate' | 'unknown', number>>;
  readonly lost: readonly LostOnWorker[];
  /** Given up by the driver: what became of them is not known. */
  readonly unfinished: number;
  readonly detail: string;
}

/** From the driver's own record: a worker loses a request when it may have had it and gave no answer, not even a refusal. */
export function drainProof(run: Pick<LoadRun, 'requests' | 'unfinished'>): DrainProof {
  const { requests, unfinished } = run;
  const lost = requests.flatMap((request) =>
    request.attempts.filter(({ end }) => end === 'lost').map((attempt) => lostOf(request, attempt)),
  );
  const exchanges = { old: 0, candidate: 0, unknown: 0 };
  for (const { revision } of requests.flatMap(({ attempts }) => attempts)) exchanges[revision ?? 'unknown'] += 1;
  const common = { requests: requests.length, exchanges, lost, unfinished };
  if (lost.length > 0) return { ...common, verdict: 'lost', detail: `${lost.length} requests were lost on workers` };
  if (unfinished > 0 || requests.length === 0) {
    const detail = requests.length === 0 ? 'no request was sent' : `${unfinished} requests were given up`;
    return { ...common, verdict: 'unknown', detail };
  }
  return { ...common, verdict: 'proved', detail: `${requests.length} requests, none lost on a worker that had it` };
}

const lostOf = ({ prompt, scheduledAtMs, outcome }: RequestRecord, attempt: AttemptRecord): LostOnWorker => ({
  ...{ prompt, scheduledAtMs, attempt },
  servedElsewhere: outcome === 'ok',
});
