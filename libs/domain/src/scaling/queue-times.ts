import { type Sheet } from './arithmetic.js';
import { DEFAULT_QUEUE_TIMES, type ScalingQuestion } from './question.js';

/** Of what may be waited, the share at which the provider begins to scale up: early enough to be of use. */
const TARGET_SHARE = 0.5;

/** How long a request may wait: what its latency objective leaves beside the service itself, and what is promised of the wait. */
export function queueTimes({ objectives, worker }: ScalingQuestion, paper: Sheet): { targetS: number; maxS: number } {
  const byLatency = latencyLeft(objectives.latencyP95Ms, worker.serviceP95Ms, paper);
  const byPromise = objectives.queueTimeP95Ms === undefined ? Infinity : objectives.queueTimeP95Ms / 1_000;
  const least = Math.min(byLatency, byPromise);
  const isPromised = Number.isFinite(least);
  const maxS = paper.line({
    name: 'max_queue_time',
    formula: isPromised ? 'least of what latency leaves and what is promised of the wait' : "the provider's default",
    inputs: {
      ...(Number.isFinite(byLatency) ? { byLatency } : {}),
      ...(Number.isFinite(byPromise) ? { byPromise } : {}),
    },
    ...{ result: isPromised ? Math.max(least, 0) : DEFAULT_QUEUE_TIMES.maxS, unit: 's' },
  });
  const targetS = paper.line({
    name: 'target_queue_time',
    formula: isPromised ? `max_queue_time × ${TARGET_SHARE}` : "the provider's default",
    inputs: { maxQueueTimeS: maxS },
    ...{ result: isPromised ? maxS * TARGET_SHARE : DEFAULT_QUEUE_TIMES.targetS, unit: 's' },
  });
  return { targetS, maxS };
}

function latencyLeft(objectiveMs: number | undefined, serviceP95Ms: number, paper: Sheet): number {
  if (objectiveMs === undefined) return Infinity;
  const leftS = paper.line({
    name: 'wait that the latency objective leaves',
    formula: '(latencyP95Ms − service p95) / 1000',
    inputs: { latencyP95Ms: objectiveMs, serviceP95Ms },
    ...{ result: (objectiveMs - serviceP95Ms) / 1_000, unit: 's' },
  });
  if (leftS <= 0) {
    paper.conflict({
      objective: 'latencyP95Ms',
      against: 'measured service time of a worker',
      detail: `a worker needs ${serviceP95Ms} ms for 95 % of requests without any wait, ${objectiveMs} ms are promised: more workers do not help`,
      figures: { latencyP95Ms: objectiveMs, serviceP95Ms },
    });
  }
  return leftS;
}
