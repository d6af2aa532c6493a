import { setTimeout as delay } from 'node:timers/promises';

export interface Timings {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Value below which `share` of the sorted values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const timingsOf = (durationsMs: readonly number[], elapsedMs: number): Timings => ({
  perSecond: (durationsMs.length / elapsedMs) * 1_000,
  p50Ms: percentile(durationsMs, 0.5),
  p99Ms: percentile(durationsMs, 0.99),
});

/** Each worker repeats its work, one after the other, until the time is up. A short run before that is not counted. */
export async function flatOut(
  seconds: number,
  workers: number,
  work: (worker: number) => Promise<unknown>,
): Promise<Timings> {
  await Promise.all(Array.from({ length: workers }, (_, worker) => repeat(worker, 200, work)));
  const startMs = performance.now();
  const durations = await Promise.all(
    Array.from({ length: workers }, (_, worker) => repeat(worker, seconds * 1_000, work)),
  );
  return timingsOf(durations.flat(), performance.now() - startMs);
}

async function repeat(worker: number, forMs: number, work: (worker: number) => Promise<unknown>): Promise<number[]> {
  const durations: number[] = [];
  const endMs = performance.now() + forMs;
  for (let startMs = performance.now(); startMs < endMs;) {
    await work(worker);
    const now = performance.now();
    durations.push(now - startMs);
    startMs = now;
  }
  return durations;
}

/**
 * Starts work at a steady rate whether or not earlier work is done. Durations count from when each piece was due, so
 * that a stall shows in all that it delayed.
 */
export async function paced(
  perSecond: number,
  seconds: number,
  work: (dueMs: number) => Promise<unknown>,
): Promise<Timings> {
  const total = perSecond * seconds;
  const startMs = performance.now();
  const durations: Promise<number>[] = [];
  while (durations.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) / 1_000) * perSecond) + 1);
    while (durations.length < due) {
      const dueMs = startMs + (durations.length / perSecond) * 1_000;
      durations.push(work(dueMs).then(() => performance.now() - dueMs));
    }
    await delay(1);
  }
  const settled = await Promise.all(durations);
  return timingsOf(settled, performance.now() - startMs);
}
