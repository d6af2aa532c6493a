import { sleep, systemClock } from '@davit/ports';
import type { ProjectionRunner, ReadModel } from '@davit/projection';
import type { MetricDefinition, Sample } from './definition.js';
import type { Metrics } from './metrics.js';
import { UNREAD } from './service-metrics.js';

/** Gauges that a service reads from its read model when they are asked for. */
export interface ModelMetrics {
  readonly definitions: readonly MetricDefinition[];
  /** Samples by name of the metric; what is left out is not known. */
  readonly read: (model: ReadModel, nowMs: number) => Promise<Readonly<Record<string, readonly Sample[]>>>;
}

export const NO_MODEL_METRICS: ModelMetrics = { definitions: [], read: () => Promise.resolve({}) };

/** A scrape waits this long for the database; what did not come is left out. */
const PATIENCE_MS = 2_000;
/** Gauges of one scrape share one reading. */
const SHARED_MS = 500;

/**
 * Registers them. They are absent while the read model does not hold the whole log, or cannot be read: half of the log would
 * be told as the whole, and nothing as zero (law 4).
 */
export function modelMetrics(
  metrics: Metrics,
  { definitions, read }: ModelMetrics,
  projection: ProjectionRunner,
): void {
  const unread = metrics.counter(UNREAD);
  let last: { readonly atMs: number; readonly samples: ReturnType<ModelMetrics['read']> } | undefined;
  const reading = async (): ReturnType<ModelMetrics['read']> => {
    if (projection.status().state !== 'live') return {};
    const patience = new AbortController();
    const late = sleep(systemClock, PATIENCE_MS, patience.signal).then(() => undefined);
    try {
      const samples = await Promise.race([read(projection.model, systemClock.nowMs()), late]);
      if (samples === undefined) unread.inc();
      return samples ?? {};
    } catch {
      // Whoever depends on the database says what is wrong with it; a scrape tells what is known.
      unread.inc();
      return {};
    } finally {
      patience.abort();
    }
  };
  for (const definition of definitions) {
    metrics.gauge(definition, async () => {
      const nowMs = systemClock.monotonicMs();
      if (!last || nowMs - last.atMs > SHARED_MS) last = { atMs: nowMs, samples: reading() };
      return (await last.samples)[definition.name] ?? [];
    });
  }
}
