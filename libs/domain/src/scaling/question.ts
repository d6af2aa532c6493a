import { type Money } from '../placement/limits.js';
import { type Objectives } from '../verdict/window.js';

/** What one worker was measured to do. */
export type WorkerFigures = {
  /** Load units a second: `measured_perf` of the provider, or the throughput of the canary. */
  readonly perf: number;
  /** Requests that it serves at once at that throughput. */
  readonly parallelRequests: number;
  /** From the start of service to the last token, without any wait, at full use. */
  readonly serviceP95Ms: number;
  /** From nothing to ready. */
  readonly loadTimeS: number;
  /** The dearest a worker may be, an hour. */
  readonly hourly: Money;
};

export type ExpectedLoad = {
  readonly requestsPerSecond: number;
  /** Load units of one request, for example the tokens that it may produce. */
  readonly costPerRequest: number;
  /** What a peak is as a multiple of what is expected; the ramps go there. */
  readonly peakFactor: number;
  /** Whether the endpoint may have no active worker while nobody asks. */
  readonly mayBeIdle: boolean;
};

export type ScalingQuestion = {
  readonly objectives: Objectives;
  readonly worker: WorkerFigures;
  readonly load: ExpectedLoad;
  readonly budgetHourly: Money;
  /** Share of its throughput that an active worker is planned for. */
  readonly targetUtil: number;
  readonly coldMult: number;
  /** What was declared. `minWorkers` and `coldWorkers` are one field by two names: if both are given they are equal. */
  readonly declared?: {
    readonly minWorkers?: number | undefined;
    readonly coldWorkers?: number | undefined;
    readonly maxWorkers?: number | undefined;
  };
};

/** The provider's documented defaults of the two queue times (its command line, 2026-08). */
export const DEFAULT_QUEUE_TIMES = { targetS: 10, maxS: 30 } as const;
/** The provider's documented defaults of the two ratios. */
export const DEFAULT_RATIOS = { targetUtil: 0.9, coldMult: 2.5 } as const;
