import { availableParallelism } from 'node:os';
import { Worker, parentPort } from 'node:worker_threads';
import { type RunKind, type RunOutcome, randomRun } from './random-runs.js';

export interface Job {
  readonly seed: number;
  readonly kind: RunKind;
}

/** Runs every job once, on as many threads as there are cores; what each comes to does not depend on which thread ran it. */
export async function runAll(jobs: readonly Job[], onOutcome: (outcome: RunOutcome) => void): Promise<void> {
  const waiting = [...jobs];
  const threads = Math.min(availableParallelism(), jobs.length);
  await Promise.all(Array.from({ length: threads }, () => work(waiting, onOutcome)));
}

async function work(waiting: Job[], onOutcome: (outcome: RunOutcome) => void): Promise<void> {
  const worker = new Worker(new URL(import.meta.url));
  try {
    for (let job = waiting.shift(); job; job = waiting.shift()) onOutcome(await answerOf(worker, job));
  } finally {
    await worker.terminate();
  }
}

function answerOf(worker: Worker, job: Job): Promise<RunOutcome> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      worker.removeAllListeners('message');
      worker.removeAllListeners('error');
    };
    worker.once('message', (outcome: RunOutcome) => {
      settle();
      resolve(outcome);
    });
    worker.once('error', (error) => {
      settle();
      reject(new Error(`seed ${job.seed} (${job.kind}) brought its thread down`, { cause: error }));
    });
    worker.postMessage(job);
  });
}

parentPort?.on('message', ({ seed, kind }: Job) => {
  void randomRun(seed, kind).then((outcome) => parentPort?.postMessage(outcome));
});
