import { type VerdictBundle } from './bundle.js';
import { judge } from './judge.js';

/** Whether the objective of the queue time is breached, by the same evidence as the verdict. */
export type QueueBreach = 'none' | 'suspected' | 'proven' | 'unknown';

/**
 * Judges the windows of a bundle by their queue time alone, so that a breach is seen while a rollout runs.
 * `unknown` where there is no objective, no window or no measurement.
 */
export function queueBreachOf(bundle: VerdictBundle): QueueBreach {
  const { queueTimeP95Ms } = bundle.objectives;
  const isMeasured = bundle.candidate.some((window) => window !== null && window.queueMs.length > 0);
  if (queueTimeP95Ms === undefined || !isMeasured) return 'unknown';
  const { reasons } = judge({
    ...bundle,
    objectives: { queueTimeP95Ms },
    policy: { ...bundle.policy, compare: [] },
  });
  const found = reasons.find(({ rule }) => rule === 'queue-time-p95-objective');
  if (found === undefined || found.figures['requests'] === 0) return 'unknown';
  if (found.outcome === 'broken') return 'proven';
  const suspicion = found.figures['suspicion'];
  return typeof suspicion === 'number' && suspicion >= Math.log(bundle.policy.suspicion) ? 'suspected' : 'none';
}
