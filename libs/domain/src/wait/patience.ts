/** How long waits without a deadline of their own may take before an alarm says so. */
export type Patience = {
  /** A look or a launch without an answer. */
  readonly unansweredMs: number;
  /** A thing that is still there, or not proven gone, after it was asked to go. */
  readonly deletionMs: number;
  /** A provider that cannot be read. */
  readonly blindMs: number;
  /** Anything that waits, for whatever reason. */
  readonly waitMs: number;
};

export const DEFAULT_PATIENCE: Patience = {
  unansweredMs: 5 * 60_000,
  deletionMs: 15 * 60_000,
  blindMs: 10 * 60_000,
  waitMs: 60 * 60_000,
};
