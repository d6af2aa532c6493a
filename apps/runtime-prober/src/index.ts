import type { Clock, HttpClient, Random } from '@davit/ports';
import type { Controller } from '@davit/reconcile';
import { ReadinessController } from './readiness/controller.js';
import type { TargetIndex } from './reports/target-index.js';
import type { ProbeObserver } from './telemetry/observer.js';
import { DEFAULT_SETTINGS, type ProberSettings } from './settings.js';

export type { Engine } from './engines/engine.js';
export { engineOf } from './engines/registry.js';
export { ExpositionScanner, SCAN_LIMITS, type Scan, type ScanLimits, scanExposition } from './exposition/scanner.js';
export { type Sample, Series } from './exposition/series.js';
export { WantedNames } from './exposition/wanted-names.js';
export type { Buckets, Histogram, Latency } from './metrics/histogram.js';
export { type LoadReading, readLoad } from './metrics/load.js';
export { type EngineMetrics, wantedNames } from './metrics/names.js';
export { type EngineReading, type Shares, readingOf } from './metrics/reading.js';
export { type Rates, ratesBetween } from './metrics/rates.js';
export { type ProbeParts, probe } from './probe/probe.js';
export { TrafficDesk } from './reports/desk.js';
export { TargetIndex } from './reports/target-index.js';
export type { ProbeTarget } from './probe/target.js';
export { DEFAULT_SETTINGS as DEFAULT_PROBER_SETTINGS, type ProberSettings } from './settings.js';

export type RuntimeProberParts = {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly random: Random;
  /** Where worker keys are resolved; only variables that a specification names are read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly settings?: ProberSettings;
  /** Kept for whoever takes reports of gateways. */
  readonly targets?: TargetIndex;
  /** Told how much later than wished each probe of a replica began, in milliseconds. */
  readonly onProbe?: (latenessMs: number, replica: string) => void;
  /** Told of every probe. */
  readonly observer?: ProbeObserver;
};

/** The work of runtime-prober without its wiring, as the simulation runs it. */
export const runtimeProberControllers = ({
  settings = DEFAULT_SETTINGS,
  ...parts
}: RuntimeProberParts): readonly Controller[] => [new ReadinessController({ ...parts, settings })];
