import { NO_FAILURES, type ProbeMemory } from '@davit/domain';
import type { HangWatch } from '../load/hang.js';

/** What is remembered of one replica between passes. All of it may be lost: that only delays a verdict. */
export type ReplicaMemory = {
  /** Machine and address this is about; another one starts anew. */
  readonly identity: string;
  failures: ProbeMemory;
  /** An inference succeeded here and nothing has put it in doubt since. */
  proven: boolean;
  probeDueMs: number;
  loadReadMs: number;
  hang: HangWatch | null;
};

export const freshMemory = (identity: string, proven: boolean): ReplicaMemory => ({
  identity,
  failures: NO_FAILURES,
  proven,
  probeDueMs: 0,
  loadReadMs: Number.NEGATIVE_INFINITY,
  hang: null,
});
