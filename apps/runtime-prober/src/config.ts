import { durationVariable, wholeNumber } from '@davit/service-kit';
import { z } from 'zod';
import { DEFAULT_SETTINGS, type ProberSettings } from './settings.js';

/** Variables of runtime-prober, beside the common ones. */
export const runtimeProberConfig = z.object({
  /** Between probes of a server that is expected to appear. */
  DAVIT_PROBE_START: durationVariable(50, 60_000).default(DEFAULT_SETTINGS.startProbeMs),
  /** Between probes of a server that works. */
  DAVIT_PROBE_STEADY: durationVariable(100, 300_000).default(DEFAULT_SETTINGS.steadyProbeMs),
  DAVIT_PROBE_TIMEOUT: durationVariable(100, 60_000).default(DEFAULT_SETTINGS.checkTimeoutMs),
  DAVIT_PROBE_INFERENCE_TIMEOUT: durationVariable(100, 600_000).default(DEFAULT_SETTINGS.inferenceTimeoutMs),
  /** Requests inside and no progress for this long: the engine is suspected to hang. */
  DAVIT_PROBE_HANG: durationVariable(1_000, 3_600_000).default(DEFAULT_SETTINGS.hangMs),
  /** Servers probed at once, as long as they answer quickly. */
  DAVIT_PROBE_CONCURRENCY: wholeNumber(1, 10_000).default(DEFAULT_SETTINGS.concurrency),
  /** Slow servers probed at once, in places of their own. */
  DAVIT_PROBE_SLOW_CONCURRENCY: wholeNumber(1, 10_000).default(DEFAULT_SETTINGS.slowConcurrency),
  /** A server that did not answer by then is slow. */
  DAVIT_PROBE_SLOW: durationVariable(10, 60_000).default(DEFAULT_SETTINGS.slowMs),
  /** Probes a second at most of servers of one kind: starting, working, suspect. Of more servers each waits longer. */
  DAVIT_PROBE_RATE: wholeNumber(1, 100_000).default(DEFAULT_SETTINGS.mostProbesASecond),
  /** Of one replica it is told at most this often that a gateway's requests to it fail. */
  DAVIT_TRAFFIC_REPORT_EVERY: durationVariable(1_000, 300_000).default(DEFAULT_SETTINGS.trafficReportMs),
  /** So long at most is a verdict held that the prober's own illness would explain as well. */
  DAVIT_PROBE_HOLD: durationVariable(0, 86_400_000).default(DEFAULT_SETTINGS.observer.holdMs),
});

export const settingsOf = (config: z.output<typeof runtimeProberConfig>): ProberSettings => ({
  ...DEFAULT_SETTINGS,
  startProbeMs: config.DAVIT_PROBE_START,
  steadyProbeMs: config.DAVIT_PROBE_STEADY,
  checkTimeoutMs: config.DAVIT_PROBE_TIMEOUT,
  inferenceTimeoutMs: config.DAVIT_PROBE_INFERENCE_TIMEOUT,
  hangMs: config.DAVIT_PROBE_HANG,
  concurrency: config.DAVIT_PROBE_CONCURRENCY,
  slowConcurrency: config.DAVIT_PROBE_SLOW_CONCURRENCY,
  slowMs: config.DAVIT_PROBE_SLOW,
  mostProbesASecond: config.DAVIT_PROBE_RATE,
  trafficReportMs: config.DAVIT_TRAFFIC_REPORT_EVERY,
  observer: { ...DEFAULT_SETTINGS.observer, holdMs: config.DAVIT_PROBE_HOLD },
});
