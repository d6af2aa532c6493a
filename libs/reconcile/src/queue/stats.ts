/** What a pass over a key ended in. */
export const PASS_RESULTS = ['done', 'requeued', 'conflict', 'lease-held', 'deferred', 'error', 'terminal'] as const;
export type PassResult = (typeof PASS_RESULTS)[number];

/** Counters and gauges of one queue; every series is there, at zero, from the start. */
export interface QueueStats {
  /** Passes ended, by result. */
  readonly passes: Readonly<Record<PassResult, number>>;
  /** Keys being worked on. */
  readonly active: number;
  /** Keys waiting for a free worker. */
  readonly depth: number;
  /** Keys waiting for a time. */
  readonly delayed: number;
  /** How long the key at the front has waited for a worker; 0 when none waits. */
  readonly oldestPendingMs: number;
}

export const noPasses = (): Record<PassResult, number> => ({
  done: 0,
  requeued: 0,
  conflict: 0,
  'lease-held': 0,
  deferred: 0,
  error: 0,
  terminal: 0,
});
