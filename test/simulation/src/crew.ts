import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type RunKind, type RunOutcome, randomRun } from './random-runs.js';

/**
 * A run makes promises by the million and keeps few: the rarer a collection, the fewer of them it has to copy. Each core has a
 * process of its own, which threads for compiling and collecting would only keep from its work.
 */
const ENGINE_FLAGS = ['--min-semi-space-size=64', '--max-semi-space-size=128', '--single-threaded'];

export interface Job {
  readonly seed: number;
  readonly kind: RunKind;
}

/** Runs every job once, in as many processes as there are cores; what each comes to does not depend on which process ran it. */
export async function runAll(jobs: readonly Job[], onOutcome: (outcome: RunOutcome) => void): Promise<void> {
  const waiting = [...jobs];
  const processes = Math.min(availableParallelism(), jobs.length);
  await Promise.all(Array.from({ length: processes }, () => work(waiting, onOutcome)));
}

async function work(waiting: Job[], onOutcome: (outcome: RunOutcome) => void): Promise<void> {
  const worker = fork(fileURLToPath(import.meta.url), { execArgv: [...process.execArgv, ...ENGINE_FLAGS] });
  try {
    for (let job = waiting.shift(); job; job = waiting.shift()) onOutcome(await answerOf(worker, job));
  } finally {
    worker.kill();
  }
}

async function answerOf(worker: ChildProcess, job: Job): Promise<RunOutcome> {
  const settled = new AbortController();
  const { signal } = settled;
  const died = once(worker, 'exit', { signal }).then(([code, by]) => {
    throw new Error(`seed ${job.seed} (${job.kind}) brought its process down (${String(code ?? by)})`);
  });
  worker.send(job);
  try {
    const [outcome] = (await Promise.race([once(worker, 'message', { signal }), died])) as [RunOutcome];
    return outcome;
  } finally {
    died.catch(() => undefined);
    settled.abort();
  }
}

if (process.send) {
  process.on('message', ({ seed, kind }: Job) => void randomRun(seed, kind).then((outcome) => process.send?.(outcome)));
}
