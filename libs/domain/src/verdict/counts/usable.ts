import { canonicalJson } from '../../canonical.js';
import { type LatencySketch, type Window } from '../window.js';

/** A window whose numbers can be reckoned with. */
export type UsableWindow = Omit<Window, 'requests' | 'ok' | 'errors' | 'latencies'> & {
  readonly requests: number;
  readonly ok: number;
  readonly errors: number;
  readonly latencies: readonly (number | null)[] | LatencySketch;
};

export type SortedWindows = {
  /** In the order of their beginnings; none overlaps another. */
  readonly usable: readonly UsableWindow[];
  /** Why others are not used: what, and how often. */
  readonly unusable: Readonly<Record<string, number>>;
};

/** Bound once, since they are asked of every single request. */
const { isFinite: isFiniteNumber, isSafeInteger } = Number;

const isCount = (value: number | null): value is number => isSafeInteger(value) && Number(value) >= 0;
export const isMeasured = (value: number | null): value is number =>
  value !== null && isFiniteNumber(value) && value >= 0;

/**
 * Windows in order of time, without those that say nothing, contradict themselves or overlap an earlier one. In whatever order
 * they are given, the result is the same.
 *
 * @param maxUnknownShare share of a window's answers whose latency may be unmeasured
 */
export function sortWindows(windows: readonly (Window | null)[], maxUnknownShare: number): SortedWindows {
  const sound: UsableWindow[] = [];
  const unusable: Record<string, number> = {};
  const count = (problem: string): void => void (unusable[problem] = (unusable[problem] ?? 0) + 1);
  for (const window of windows) {
    const problem = window === null ? 'nothing observed' : problemOf(window, maxUnknownShare);
    if (problem === undefined)
      sound.push(window as UsableWindow); // problemOf has looked at each of its numbers
    else count(problem);
  }
  const usable: UsableWindow[] = [];
  // Of equal beginnings one overlaps the other, and which of them counts must not depend on the order in which they came.
  for (const window of sound.sort((a, b) => a.fromMs - b.fromMs || byText(a, b))) {
    if (window.fromMs < (usable.at(-1)?.toMs ?? -Infinity)) count('overlaps another');
    else usable.push(window);
  }
  return { usable, unusable };
}

const byText = (a: Window, b: Window): number => (canonicalJson(a) < canonicalJson(b) ? -1 : 1);

function problemOf(window: Window, maxUnknownShare: number): string | undefined {
  const { fromMs, toMs, requests, ok, errors, latencies } = window;
  if (!Number.isFinite(fromMs) || !Number.isFinite(toMs) || toMs <= fromMs) return 'has no extent in time';
  if (!isCount(requests) || !isCount(ok) || !isCount(errors) || latencies === null) return 'a number is missing';
  if (requests === 0) return 'no traffic';
  if (ok + errors !== requests) return 'counts contradict each other';
  if (!isListOrSketch(latencies)) return 'a number is missing';
  const measured = measuredOf(latencies);
  if (measured > ok || window.queueMs.filter(isMeasured).length > ok) return 'counts contradict each other';
  return ok - measured > maxUnknownShare * ok ? 'too much of it was not measured' : undefined;
}

export const isSketch = (latencies: UsableWindow['latencies']): latencies is LatencySketch => 'upToMs' in latencies;

function isListOrSketch(latencies: UsableWindow['latencies']): boolean {
  if (!isSketch(latencies)) return true;
  const { upToMs, counts } = latencies;
  const isRising = upToMs.every((bound, index) => isMeasured(bound) && bound > (upToMs[index - 1] ?? -1));
  return isRising && counts.length === upToMs.length + 1 && counts.every(isCount);
}

const measuredOf = (latencies: UsableWindow['latencies']): number =>
  isSketch(latencies)
    ? latencies.counts.reduce((sum, count) => sum + count, 0)
    : latencies.reduce<number>((sum, latency) => sum + (isMeasured(latency) ? 1 : 0), 0);
