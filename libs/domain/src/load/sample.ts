export const LOAD_OUTCOMES = ['ok', 'error', 'timeout', 'rejected', 'lost'] as const;
export type LoadOutcome = (typeof LOAD_OUTCOMES)[number];

/** One request of the load driver. Times are milliseconds since the epoch. */
export type LoadSample = {
  /** When it was due by the profile, whether or not anything was free to send it. */
  readonly scheduledAtMs: number;
  readonly sentAtMs: number;
  /** From the scheduled instant to the end of the answer; null when none came. */
  readonly latencyMs: number | null;
  /** How long it waited for a worker; null when not measured. */
  readonly queueMs: number | null;
  /** `lost`: sent, and nothing was ever heard of it. */
  readonly outcome: LoadOutcome;
  readonly workerId: string | null;
  readonly workersRevision: 'old' | 'candidate' | null;
  readonly outputTokens: number | null;
};
