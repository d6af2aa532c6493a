import { type Evidence } from './evidence.js';
import { closingStartMs } from './levels.js';
import { type UsableWindow } from '../counts/usable.js';

/** An instant at which a verdict is asked for, and what had been seen by then. */
export type Look = {
  /** Since the candidate began to serve; the deadline at most, for what comes later does not count. */
  readonly elapsedMs: number;
  readonly isOver: boolean;
  /** The candidate's usable windows that have ended. */
  readonly windows: readonly UsableWindow[];
  /** Index of the first of them that lies in the closing part. */
  readonly closing: number;
  /** When the closing part begins, milliseconds since the start. */
  readonly closingFromMs: number;
};

export function lookAt({ bundle, candidate }: Evidence, asOfMs: number): Look {
  const { policy, startedAtMs } = bundle;
  const elapsedMs = Math.max(0, Math.min(asOfMs - startedAtMs, policy.deadlineMs));
  const windows = candidate.usable.filter(({ toMs }) => toMs <= startedAtMs + elapsedMs);
  const closingFromMs = closingStartMs(policy, elapsedMs);
  const first = windows.findIndex(({ fromMs }) => fromMs >= startedAtMs + closingFromMs);
  return {
    elapsedMs,
    isOver: asOfMs - startedAtMs >= policy.deadlineMs,
    windows,
    closing: first === -1 ? windows.length : first,
    closingFromMs,
  };
}
