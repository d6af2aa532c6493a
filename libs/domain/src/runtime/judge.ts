import type { UnreadyReason } from '@davit/contracts';
import { ENOUGH, MOST_TRAFFIC_POINTS, POINTS } from './weights.js';

/** What is remembered between two probes of one replica; losing it only delays a verdict. */
export type ProbeMemory = {
  /** Failed probes in a row. */
  readonly failures: number;
  /** Evidence against it since it last answered or moved. */
  readonly points: number;
  readonly firstFailureMs: number | null;
};
export const NO_FAILURES: ProbeMemory = { failures: 0, points: 0, firstFailureMs: null };

export type ProbeVerdict = 'unready' | 'wait';

/** One failed probe, with what else is known at that moment. */
export type FailedProbe = {
  readonly reason: UnreadyReason;
  /** Nothing came in time. */
  readonly slow: boolean;
  /** Its counters of tokens or requests moved since the probe before: it works. */
  readonly progressed: boolean;
  /** It sleeps by its own policy, and the probe has woken it: that is evidence of nothing, for as long as it may take. */
  readonly waking?: boolean;
  /** See `trafficPoints`. */
  readonly trafficPoints: number;
  readonly nowMs: number;
};

/**
 * Judges a failed probe of a replica that was ready. Evidence adds up until a probe succeeds. Slow is not dead: what answers
 * too late while its counters move has spoken for itself, and clears the evidence. Nothing is believed longer than the
 * health deadline.
 */
export function judgeFailure(
  memory: ProbeMemory,
  { reason, slow, progressed, waking = false, trafficPoints, nowMs }: FailedProbe,
  healthDeadlineMs: number,
): { readonly memory: ProbeMemory; readonly verdict: ProbeVerdict } {
  const failures = memory.failures + 1;
  if (slow && progressed && reason !== 'hung')
    return { memory: { failures, points: 0, firstFailureMs: null }, verdict: 'wait' };
  const points = waking ? memory.points : memory.points + POINTS[reason];
  const firstFailureMs = memory.firstFailureMs ?? nowMs;
  const reported = Math.min(MOST_TRAFFIC_POINTS, trafficPoints);
  const enough = points + reported >= ENOUGH || nowMs - firstFailureMs >= healthDeadlineMs;
  return { memory: { failures, points, firstFailureMs }, verdict: enough ? 'unready' : 'wait' };
}
