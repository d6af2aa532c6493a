import { type Endpoint, type Worker } from '../entities.js';

/** Guards a sum of fractions against the last bit: a load that exactly fills its workers asks for none more. */
const SLACK = 1e-9;
/** A request that was not asked for again within this has gone. */
const FORGOTTEN_AFTER_MS = 60_000;

/** Load units a second over the window; older demand is dropped. */
export function loadOf(endpoint: Endpoint, nowMs: number, windowMs: number): number {
  while (endpoint.demand[0] && endpoint.demand[0].atMs < nowMs - windowMs) endpoint.demand.shift();
  return endpoint.demand.reduce((sum, { cost }) => sum + cost, 0) / (windowMs / 1_000);
}

/** Seconds that the oldest waiting request has waited; requests that nobody asks for any more are dropped. */
export function queueSeconds(endpoint: Endpoint, nowMs: number): number {
  let longestMs = 0;
  for (const [index, { sinceMs, seenMs }] of endpoint.queue) {
    if (nowMs - seenMs > FORGOTTEN_AFTER_MS) endpoint.queue.delete(index);
    else longestMs = Math.max(longestMs, nowMs - sinceMs);
  }
  return longestMs / 1_000;
}

export interface Need {
  readonly active: number;
  readonly total: number;
}

/** How many workers an endpoint wants: enough for its load, and cold ones beyond. */
export function needOf(endpoint: Endpoint, load: number, perf: number, queuedSeconds: number, active: number): Need {
  const { min_load, target_util, cold_mult, min_cold_load, cold_workers, max_workers, target_queue_time } =
    endpoint.policy;
  const atLeast = Math.max(load, min_load);
  const workersFor = (units: number): number => Math.ceil(units / perf - SLACK);
  const forLoad = workersFor(atLeast / target_util);
  const hurried = queuedSeconds > target_queue_time ? Math.max(forLoad, active + 1) : forLoad;
  const needActive = Math.min(max_workers, endpoint.queue.size > 0 ? Math.max(1, hurried) : hurried);
  const cold = workersFor(Math.max(atLeast * cold_mult, min_cold_load));
  return { active: needActive, total: Math.min(max_workers, Math.max(needActive, cold_workers, cold)) };
}

/** Worst value for money first. */
export const byValue = (a: Worker, b: Worker): number => valueOf(a) - valueOf(b) || b.id - a.id;

const valueOf = ({ measured, machine }: Worker): number =>
  machine && machine.pricePerHour > 0 ? (measured ?? 0) / machine.pricePerHour : 0;
