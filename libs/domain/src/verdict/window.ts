import { type Money } from '../placement/limits.js';

/**
 * Latencies as counts instead of a list: `counts[i]` requests took at most `upToMs[i]` and more than the bound before it; one
 * count more than bounds holds those beyond the last.
 */
export type LatencySketch = { readonly upToMs: readonly number[]; readonly counts: readonly number[] };

/**
 * What was seen of one side between two instants. A number that was not measured is null, in a list as well: unknown is a
 * value, and counts neither as fast nor as slow.
 */
export type Window = {
  /** Milliseconds since the epoch; windows of one side do not overlap. */
  readonly fromMs: number;
  readonly toMs: number;
  /** All that were due in the window, answered or not: `ok + errors`. */
  readonly requests: number | null;
  readonly ok: number | null;
  /** Refused, failed, timed out or lost. */
  readonly errors: number | null;
  /** Of the requests that were answered, from the instant at which each was due, in any order. */
  readonly latencies: readonly (number | null)[] | LatencySketch | null;
  /** Of the requests that were answered: how long each waited for a worker. Empty where it is not measured. */
  readonly queueMs: readonly (number | null)[];
  /** Workers by status, as the backend names them. */
  readonly workers: Readonly<Record<string, number>>;
  /** What was spent in the window. */
  readonly spend: Money | null;
};

/** What a service promises. What is absent is promised by nobody and judged by nobody. */
export type Objectives = {
  readonly latencyP50Ms?: number | undefined;
  readonly latencyP95Ms?: number | undefined;
  readonly latencyP99Ms?: number | undefined;
  /** Share of requests that may fail, 0 to 1. */
  readonly errorRate?: number | undefined;
  readonly queueTimeP95Ms?: number | undefined;
  /** Requests in flight at once that must be held. Decides how many workers there are; no verdict rests on it. */
  readonly concurrency?: number | undefined;
  readonly maxHourly?: Money | undefined;
};
