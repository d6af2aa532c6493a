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
  /** Servers probed at once. */
  DAVIT_PROBE_CONCURRENCY: wholeNumber(1, 10_000).default(DEFAULT_SETTINGS.concurrency),
});

export const settingsOf = (config: z.output<typeof runtimeProberConfig>): ProberSettings => ({
  ...DEFAULT_SETTINGS,
  startProbeMs: config.DAVIT_PROBE_START,
  steadyProbeMs: config.DAVIT_PROBE_STEADY,
  checkTimeoutMs: config.DAVIT_PROBE_TIMEOUT,
  inferenceTimeoutMs: config.DAVIT_PROBE_INFERENCE_TIMEOUT,
  hangMs: config.DAVIT_PROBE_HANG,
  concurrency: config.DAVIT_PROBE_CONCURRENCY,
});
