import type { ProbeResult } from '@davit/domain';
import type { Metrics } from '@davit/service-kit';
import { PROBES, PROBE_LATENESS } from './definitions.js';
import type { ProbeObserver } from './observer.js';

export type ProbeMeters = ProbeObserver & {
  /** A probe began so much later than wished. */
  began(latenessMs: number): void;
};

export function probeMeters(metrics: Metrics): ProbeMeters {
  const probes = metrics.counter(PROBES);
  const lateness = metrics.histogram(PROBE_LATENESS);
  return {
    probed: ({ result }) => probes.inc({ outcome: outcomeOf(result) }),
    forgotten: () => undefined,
    began: (latenessMs) => lateness.observe(latenessMs / 1_000),
  };
}

/** As events name it. */
function outcomeOf(result: ProbeResult): string {
  if (result.outcome === 'unready') return result.reason;
  return result.outcome === 'wrong-model' ? 'model-mismatch' : result.outcome;
}
