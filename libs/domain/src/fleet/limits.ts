/** How many replicas that serve may be given up on observation before the observer is the suspect (law 12). */
export type LossLimits = {
  /** Losses closer together than this count together. */
  readonly intervalMs: number;
  /** So many losses are always believed: in a small fleet, a share means nothing. */
  readonly floor: number;
  /** Share of the fleet, as it served at the beginning of the interval, that may be lost in it. */
  readonly share: number;
  /** A freeze ends after this long even when nothing changed: by then everything was looked at many times. */
  readonly freezeLimitMs: number;
  /** Before a replica of a fleet large enough to freeze is given up, the others get this long to fall ill beside it. */
  readonly settleMs: number;
};

export const DEFAULT_LOSS_LIMITS: LossLimits = {
  intervalMs: 60_000,
  floor: 3,
  share: 0.25,
  freezeLimitMs: 15 * 60_000,
  settleMs: 5_000,
};
