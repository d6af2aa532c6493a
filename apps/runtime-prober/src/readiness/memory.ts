import type { UnreadyReason } from '@davit/contracts';
import { NEVER_UNREADY, NO_FAILURES, type ProbeMemory, type Recovery, type TrafficReport } from '@davit/domain';
import type { HangWatch } from '../load/hang.js';

/** What is remembered of one replica between passes. All of it may be lost: that only delays a verdict. */
export type ReplicaMemory = {
  /** Machine and address this is about; another one starts anew. */
  readonly identity: string;
  failures: ProbeMemory;
  /** Of the last failed probe. */
  reason: UnreadyReason | null;
  recovery: Recovery;
  /** An inference succeeded here and nothing has put it in doubt since. */
  proven: boolean;
  inferenceAtMs: number;
  /** The newest report of a gateway that was taken into account. */
  report: TrafficReport | undefined;
  probeDueMs: number;
  /** Its last check took longer than a quick server's does. */
  slow: boolean;
  loadReadMs: number;
  /** Its counters at the last reading. */
  progress: string | null;
  hang: HangWatch | null;
  /** Since when a verdict is held because the prober itself may be what is ill. */
  heldSinceMs: number | null;
};

export const freshMemory = (identity: string, proven: boolean): ReplicaMemory => ({
  identity,
  failures: NO_FAILURES,
  reason: null,
  recovery: NEVER_UNREADY,
  proven,
  inferenceAtMs: Number.NEGATIVE_INFINITY,
  report: undefined,
  probeDueMs: 0,
  slow: false,
  loadReadMs: Number.NEGATIVE_INFINITY,
  progress: null,
  hang: null,
  heldSinceMs: null,
});
