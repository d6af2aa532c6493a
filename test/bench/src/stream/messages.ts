/** So many arrivals are waited for; of those whose beginning is known, the time is told. */
export type Wanted = { readonly arrivals: number; readonly begunMs: Readonly<Record<string, number>> };

/** What the readers saw, in milliseconds of the clock that all processes share. */
export type Seen = {
  readonly arrivals: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  /** Positions that a reader did not get. */
  readonly gaps: number;
};
