/**
 * Scaling of a serverless endpoint, every field explicit: what is left out of a write may be set to a default by the provider.
 * Load is in the caller's unit of work (tokens, for language models) per second.
 */
export type Bounds = {
  /** Wire `min_load`, load/s: the load assumed at least. 0 lets the active workers go to none. */
  readonly minLoad: number;
  /** Wire `cold_workers`: workers with a loaded model at least, active and inactive together. `min_workers` is the same by another name. */
  readonly coldWorkers: number;
  /** Wire `max_workers`: workers at most, whatever their state. */
  readonly maxWorkers: number;
  /** Wire `inactivity_timeout`, seconds; negative: never none. */
  readonly inactivityTimeoutS: number;
  /** Wire `target_queue_time`, seconds: beyond it the provider scales up at once. */
  readonly targetQueueTimeS: number;
  /** Wire `max_queue_time`, seconds: a worker with more waiting gets nothing new. */
  readonly maxQueueTimeS: number;
  /** Wire `target_util`: active capacity = load / target_util. */
  readonly targetUtil: number;
  /** Wire `cold_mult`: capacity in all = load × cold_mult. */
  readonly coldMult: number;
  /** Wire `min_cold_load`, load/s: capacity in all at least. */
  readonly minColdLoad: number;
};

/** One line of the arithmetic, for people and for those who check it. */
export type ArithmeticLine = {
  readonly name: string;
  readonly formula: string;
  /** Money as decimal text. */
  readonly inputs: Readonly<Record<string, number | string>>;
  readonly result: number | string;
  readonly unit: string;
};

/** Two things that cannot both be had. */
export type ScalingConflict = {
  /** Names the promise, for example `latencyP95Ms` or `expected load`. */
  readonly objective: string;
  /** Names what stands against it, for example `budget.maxHourly`. */
  readonly against: string;
  readonly detail: string;
  readonly figures: Readonly<Record<string, number | string>>;
};

export type BoundsAnswer =
  | { readonly kind: 'bounds'; readonly bounds: Bounds; readonly arithmetic: readonly ArithmeticLine[] }
  | {
      readonly kind: 'refused';
      readonly conflicts: readonly ScalingConflict[];
      readonly arithmetic: readonly ArithmeticLine[];
    };
