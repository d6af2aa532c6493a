/** How fast rollouts look and act. Times are milliseconds. */
export interface RolloutPace {
  /** Between two looks at what moves. */
  readonly lookMs: number;
  /** One round of Vast's engine: two of them without any movement mean that an update was not taken up. */
  readonly tickMs: number;
  /** Looks in a row that must agree that all workers are on one template. */
  readonly agreeingLooks: number;
  /** From when a request is due until its answer must have ended. */
  readonly requestDeadlineMs: number;
  /** Load that nobody looks after for so long ends: whoever began it has lost the deployment, or stands still. */
  readonly orphanedLoadMs: number;
  /** A change whose answer was lost shows after so long, if it happened. */
  readonly visibleMs: number;
}

/** Vast describes rounds of about five seconds: https://docs.vast.ai/serverless */
export const DEFAULT_ROLLOUT_PACE: RolloutPace = {
  lookMs: 5_000,
  tickMs: 5_000,
  agreeingLooks: 3,
  requestDeadlineMs: 60_000,
  orphanedLoadMs: 15_000,
  visibleMs: 30_000,
};
