import { atRank, beyond, spreadsOf, type Spread } from '../counts/spread.js';
import { type UsableWindow, isMeasured } from '../counts/usable.js';
import { type Metric } from '../metrics.js';
import { type VerdictPolicy } from '../policy.js';
import { type Objectives } from '../window.js';
import { type Levels } from './levels.js';
import { boundOn, edgeOf } from './mixture.js';

/** A line that the candidate must be shown to keep: at most `limit` of its requests beyond `thresholdMs` (null: failed). */
export type Line = { readonly thresholdMs: number | null; readonly limit: number };

/** Something that must be proven for an accept, and whose opposite, proven, is a reject. */
export type Claim = {
  /** For example `latency-p95-objective`, `error-rate-baseline`. */
  readonly rule: string;
  readonly metric: Metric;
  /** What must be proven: where the baseline is not known exactly, its best that is still possible. Null: nothing to go by. */
  readonly accept: Line | null;
  /** Beyond this it is worse: the baseline's worst that is still possible. */
  readonly reject: Line | null;
};

/** What is claimed of the candidate: each objective that was stated, and no more than the tolerated distance to the baseline. */
export function claimsOf(
  metrics: readonly Metric[],
  baseline: readonly UsableWindow[],
  stated: { readonly objectives: Objectives; readonly policy: VerdictPolicy; readonly levels: Levels },
): readonly Claim[] {
  return metrics.flatMap((metric) => {
    const objective = metric.objective(stated.objectives);
    const isCompared = stated.policy.compare.includes(metric.name);
    return [
      ...(objective === undefined ? [] : [objectiveClaim(metric, objective)]),
      ...(isCompared ? [baselineClaim(metric, baseline, stated.policy, stated.levels)] : []),
    ];
  });
}

/** How many claims there will be, before a baseline is looked at. */
export const claimCount = (metrics: readonly Metric[], objectives: Objectives, policy: VerdictPolicy): number =>
  metrics.reduce(
    (sum, metric) =>
      sum + (metric.objective(objectives) === undefined ? 0 : 1) + (policy.compare.includes(metric.name) ? 1 : 0),
    0,
  );

function objectiveClaim(metric: Metric, objective: number): Claim {
  // A promise that is no number can be neither kept nor broken.
  if (!isMeasured(objective)) return { rule: `${metric.slug}-objective`, metric, accept: null, reject: null };
  const line: Line = metric.timed
    ? { thresholdMs: objective, limit: share(metric.timed.quantile) }
    : { thresholdMs: null, limit: objective };
  return { rule: `${metric.slug}-objective`, metric, accept: line, reject: line };
}

/** 1 - 0.95 is not 0.05 in binary. */
const share = (quantile: number): number => Number((1 - quantile).toFixed(6));

function baselineClaim(
  metric: Metric,
  baseline: readonly UsableWindow[],
  policy: VerdictPolicy,
  levels: Levels,
): Claim {
  const lines = metric.timed
    ? quantileLines(metric.timed, baseline, (ms) => tolerated(metric.name, ms, policy), levels)
    : rateLines(baseline, policy.tolerance.errorRate, levels);
  return { rule: `${metric.slug}-baseline`, metric, ...lines };
}

function tolerated(name: Metric['name'], ms: number, { tolerance }: VerdictPolicy): number {
  if (name === 'queueTimeP95') return ms * tolerance.queueTimeP95 + tolerance.queueTimeMs;
  return name === 'errorRate' ? ms : ms * tolerance[name];
}

/**
 * The quantile of the baseline between its confidence limits, by ranks and so without a word on how latencies are distributed
 * (Howard, Ramdas 2022, doi:10.3150/21-BEJ1388).
 */
function quantileLines(
  { signal, quantile }: NonNullable<Metric['timed']>,
  baseline: readonly UsableWindow[],
  toleratedMs: (ms: number) => number,
  levels: Levels,
): Pick<Claim, 'accept' | 'reject'> {
  const spreads: readonly Spread[] = baseline.flatMap((window) => spreadsOf(window, signal));
  const of = spreads.reduce((sum, { count }) => sum + count, 0);
  const limit = share(quantile);
  const most = edgeOf(of, limit, 'above', levels.accept.baseline);
  const fewest = edgeOf(of, limit, 'below', levels.reject.baseline);
  const line = (quantileMs: number): Line | null =>
    Number.isFinite(quantileMs) && of > 0 ? { thresholdMs: toleratedMs(quantileMs), limit } : null;
  const low = atRank(spreads, of - most, 'low');
  return {
    // A lower limit of nothing is no limit: fewer requests than a rank needs.
    accept: of - most <= 0 ? null : line(low),
    reject: fewest === 0 ? null : line(atRank(spreads, of - fewest + 1, 'high')),
  };
}

function rateLines(
  baseline: readonly UsableWindow[],
  toleratedRate: number,
  levels: Levels,
): Pick<Claim, 'accept' | 'reject'> {
  const of = baseline.reduce((sum, { requests }) => sum + requests, 0);
  const failed = baseline.reduce((sum, { errors }) => sum + errors, 0);
  if (of === 0) return { accept: null, reject: null };
  const line = (rate: number): Line => ({ thresholdMs: null, limit: Math.min(1, rate + toleratedRate) });
  return {
    accept: line(boundOn(failed, of, 'above', levels.accept.baseline)),
    reject: line(boundOn(failed, of, 'below', levels.reject.baseline)),
  };
}

/** What of one window counts against the candidate at a line: at least, and at most. */
export function against(window: UsableWindow, metric: Metric, line: Line): { atLeast: number; atMost: number } {
  if (metric.timed === null || line.thresholdMs === null) return { atLeast: window.errors, atMost: window.errors };
  return beyond(window, metric.timed.signal, line.thresholdMs);
}
