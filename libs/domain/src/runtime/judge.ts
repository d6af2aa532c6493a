import type { UnreadyReason } from '@davit/contracts';

/** What one probe of a model server found. */
export type ProbeResult =
  | {
      readonly outcome: 'ready';
      readonly servedModel: string;
      readonly healthMs: number;
      readonly modelsMs: number;
      readonly inferenceMs: number | null;
    }
  | { readonly outcome: 'unready'; readonly reason: UnreadyReason; readonly detail: string }
  | { readonly outcome: 'wrong-model'; readonly expected: string; readonly found: readonly string[] };

/** What the prober remembers between two probes of one replica; losing it only delays a verdict. */
export type ProbeMemory = { readonly failures: number; readonly firstFailureMs: number | null };
export const NO_FAILURES: ProbeMemory = { failures: 0, firstFailureMs: null };

export type ProbeVerdict = 'ready' | 'unready' | 'wait';

/** Failures in a row that a kind of evidence needs before it counts: nobody listening is stronger than slowness. */
const NEEDED: Readonly<Record<UnreadyReason, number>> = {
  refused: 3,
  'model-mismatch': 1,
  unauthorised: 3,
  unhealthy: 3,
  'not-a-model-server': 3,
  'inference-failed': 3,
  hung: 1,
  loading: 5,
  timeout: 5,
  other: 5,
};

/**
 * Judges a failed probe of a replica that was ready. Slow is not dead: time-outs need more failures, and none is believed
 * longer than the health deadline.
 */
export function judgeFailure(
  memory: ProbeMemory,
  reason: UnreadyReason,
  nowMs: number,
  healthDeadlineMs: number,
): { readonly memory: ProbeMemory; readonly verdict: ProbeVerdict } {
  const failures = memory.failures + 1;
  const firstFailureMs = memory.firstFailureMs ?? nowMs;
  const overdue = nowMs - firstFailureMs >= healthDeadlineMs;
  return { memory: { failures, firstFailureMs }, verdict: failures >= NEEDED[reason] || overdue ? 'unready' : 'wait' };
}
