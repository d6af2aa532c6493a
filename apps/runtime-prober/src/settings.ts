import { DEFAULT_OBSERVER_LIMITS, type ObserverLimits } from '@davit/domain';

/** How closely model servers are watched; times in milliseconds. */
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
  /** Quick servers probed at once. One that turns out slow gives its place up after `slowMs`. */
  readonly concurrency: number;
  /**
   * Slow servers probed at once, in places of their own: they never stand before quick ones. A place costs a socket that waits,
   * and each slow server is looked at again once all others had their turn: (slow servers / places) × its time-outs.
   */
  readonly slowConcurrency: number;
  /** A server that did not answer by then is slow. */
  readonly slowMs: number;
  /** Probes a second at most of servers of one kind (that start, work, or are suspect); of more servers each waits longer. */
  readonly mostProbesASecond: number;
  /** Between two facts of one replica in the log that one gateway's requests fail. */
  readonly trafficReportMs: number;
  readonly observer: ObserverLimits;
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
  slowConcurrency: 512,
  slowMs: 250,
  mostProbesASecond: 1_000,
  trafficReportMs: 5_000,
  observer: DEFAULT_OBSERVER_LIMITS,
};
