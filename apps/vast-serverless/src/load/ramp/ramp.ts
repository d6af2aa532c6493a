import { DEFAULT_RAMPS, type LoadStep, type RampRecord, rampProfile } from '@davit/domain';
import type { LoadRun } from '../run-load.js';
import type { Look, SeenWorker } from '../watch/look.js';

/** Share of a ramp that is spent at its peak. */
const PEAK_SHARE = 0.25;

/** The steps of one ramp: from little to twice what is expected and back down, within the given time. */
export function rampSteps(question: {
  readonly requestsPerSecond: number;
  readonly rampDurationMs: number;
}): readonly LoadStep[] {
  const { requestsPerSecond, rampDurationMs } = question;
  const peakMs = rampDurationMs * PEAK_SHARE;
  return rampProfile({
    ...DEFAULT_RAMPS,
    expectedRequestsPerSecond: requestsPerSecond,
    stepMs: (rampDurationMs - peakMs) / (2 * DEFAULT_RAMPS.stepsPerLeg),
    peakMs,
    ramps: 1,
  });
}

/** States in which a worker serves, or is about to again. Source: Vast's documentation of worker states, August 2026. */
const SERVING = new Set(['idle', 'starting', 'update_ready', 'update_rebooting', 'update_starting']);
/** From these a worker goes because there is no need for it; from any other its host was given up. */
const RELEASED = new Set(['stopping', 'stopped', 'destroying']);

const serving = ({ workers }: Look): readonly SeenWorker[] => workers.filter(({ status }) => SERVING.has(status));

/** What a ramp tells about whether the engine has settled. */
export function rampRecord(ramp: number, { history, steps }: Pick<LoadRun, 'history' | 'steps'>): RampRecord {
  const served = new Map<number, SeenWorker>();
  for (const look of history.looks) for (const worker of serving(look)) served.set(worker.id, worker);
  const peak = steps.find(({ step }) => step.leg === 'peak');
  return {
    ramp,
    workers: [...served.values()].map(({ id, gpu, perf, hourly }) => ({
      ...{ workerId: String(id), gpu: gpu ?? 'unknown', perf, hourly },
    })),
    peakWorkers: Math.max(0, ...history.looks.map((look) => serving(look).length)),
    rotated: rotatedIn(history.looks),
    queueP95AtPeakMs: peak?.window.queueTime.p95Ms ?? null,
  };
}

/** Workers that were there in one look and not in the next, though nothing had begun to release them. */
function rotatedIn(looks: readonly Look[]): readonly string[] {
  const gone = new Set<string>();
  looks.slice(1).forEach((later, index) => {
    const present = new Set(later.workers.map(({ id }) => id));
    for (const { id, status } of looks[index]?.workers ?? []) {
      if (!present.has(id) && !RELEASED.has(status)) gone.add(String(id));
    }
  });
  return [...gone];
}
