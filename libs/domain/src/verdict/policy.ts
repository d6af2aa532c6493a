/**
 * How a verdict is reached. Every number that decides stands here, is part of the bundle, and so of its digest.
 * Shares are 0 to 1, times are milliseconds.
 */
export type VerdictPolicy = {
  /** Probability of a false accept at most, over all looks together. */
  readonly alpha: number;
  /** Probability at most that figures within the tolerances are rejected, over all looks and all metrics together. */
  readonly beta: number;
  /** Nothing is accepted before the candidate was observed for so long. */
  readonly minDurationMs: number;
  /** The end of the observation, so long at least, must prove the candidate by itself: what is accepted is how it serves now. */
  readonly closingMs: number;
  /** The closing part is this share of the observation where that is longer: the longer one looks, the more it holds. */
  readonly closingShare: number;
  /** What is not proven by then is rejected as not proven. */
  readonly deadlineMs: number;
  readonly minRequests: { readonly baseline: number; readonly candidate: number };
  /** Usable windows at least, on each side and in the closing part. */
  readonly minWindows: number;
  /** Share of the observed time that usable windows must cover, of the whole and of the closing part. */
  readonly minCoverage: number;
  /** A window with a larger share of unmeasured requests is unusable. */
  readonly maxUnknownShare: number;
  /** How much worse than the baseline the candidate may be. */
  readonly tolerance: {
    /** Factors on the quantiles of the baseline, for example 1.2: a fifth slower. */
    readonly latencyP50: number;
    readonly latencyP95: number;
    readonly latencyP99: number;
    readonly queueTimeP95: number;
    /** Added to a queue time of the baseline that a factor would leave near zero. */
    readonly queueTimeMs: number;
    /** Added to the error rate of the baseline. */
    readonly errorRate: number;
  };
  /** Quantiles of latency that are compared with the baseline. */
  readonly compare: readonly ('latencyP50' | 'latencyP95' | 'latencyP99' | 'queueTimeP95' | 'errorRate')[];
  /** Of the most that a single window may contribute to the evidence that decides: no window decides alone. */
  readonly mostOfOneWindow: number;
  /** Evidence of a regression of so many times the even odds holds an accept back until it is cleared or proven. */
  readonly suspicion: number;
};

export const DEFAULT_VERDICT_POLICY: VerdictPolicy = {
  alpha: 0.01,
  beta: 0.01,
  minDurationMs: 30 * 60_000,
  closingMs: 10 * 60_000,
  closingShare: 0.33,
  deadlineMs: 90 * 60_000,
  minRequests: { baseline: 1_000, candidate: 1_000 },
  minWindows: 5,
  minCoverage: 0.9,
  maxUnknownShare: 0.1,
  tolerance: {
    latencyP50: 1.2,
    latencyP95: 1.3,
    latencyP99: 1.5,
    queueTimeP95: 1.25,
    queueTimeMs: 500,
    errorRate: 0.01,
  },
  compare: ['latencyP50', 'latencyP95', 'errorRate'],
  mostOfOneWindow: 0.4,
  suspicion: 5,
};
