/** How closely model servers are watched; all in milliseconds but the last. */
export type ProberSettings = {
  /** Between probes of a server that is expected to appear. */
  readonly startProbeMs: number;
  /** Between probes of a server that works; spread by a fifth. */
  readonly steadyProbeMs: number;
  /** Between probes of a server that worked a moment ago and did not now. */
  readonly suspectProbeMs: number;
  /** Between looks at a server whose last requests are waited for. */
  readonly drainProbeMs: number;
  readonly checkTimeoutMs: number;
  readonly inferenceTimeoutMs: number;
  /** Between readings of a server's metrics. */
  readonly loadReadMs: number;
  /** Between load summaries in the log, which are written on change only. */
  readonly loadSummaryMs: number;
  readonly drainSummaryMs: number;
  /** Requests in the engine while no counter moves for this long: it is suspected to hang. */
  readonly hangMs: number;
  /** Servers probed at once; a slow one holds one of these places. */
  readonly concurrency: number;
};

export const DEFAULT_SETTINGS: ProberSettings = {
  startProbeMs: 250,
  steadyProbeMs: 1_500,
  suspectProbeMs: 500,
  drainProbeMs: 1_000,
  checkTimeoutMs: 5_000,
  inferenceTimeoutMs: 20_000,
  loadReadMs: 5_000,
  loadSummaryMs: 15_000,
  drainSummaryMs: 1_000,
  hangMs: 30_000,
  concurrency: 128,
};
