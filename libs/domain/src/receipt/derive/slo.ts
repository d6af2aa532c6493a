import type { VerdictBundle, VerdictReason } from '../../verdict/bundle.js';
import { atRank, spreadsOf } from '../../verdict/counts/spread.js';
import { type UsableWindow, sortWindows } from '../../verdict/counts/usable.js';
import { METRICS, type Metric } from '../../verdict/metrics.js';
import type { SloRow } from '../receipt.js';

/** Baseline against candidate, from the windows that the verdict counted, with what its rules say of each measure. */
export function sloRows(bundle: VerdictBundle, reasons: readonly VerdictReason[]): readonly SloRow[] {
  const before = sortWindows(bundle.baseline, bundle.policy.maxUnknownShare).usable;
  const after = sortWindows(bundle.candidate, bundle.policy.maxUnknownShare).usable;
  return METRICS.map((metric) => {
    const [baseline, candidate] = [figureOf(metric, before), figureOf(metric, after)];
    return {
      metric: metric.slug,
      unit: metric.timed === null ? 'share' : 'ms',
      baseline,
      candidate,
      delta: baseline === null || candidate === null ? null : rounded(candidate - baseline),
      objective: metric.objective(bundle.objectives) ?? null,
      confidence: reasons
        .filter(({ rule }) => rule === `${metric.slug}-objective` || rule === `${metric.slug}-baseline`)
        .map(({ rule, outcome, figures }) => ({
          ...{ rule, outcome },
          ...{ evidence: figures['evidence'] ?? null, needed: figures['evidenceNeeded'] ?? null },
        })),
    };
  });
}

const rounded = (value: number): number => Number(value.toFixed(6));

/** By nearest rank over all requests, those that failed at the slow end; null where that rank is no measured time. */
function figureOf({ timed }: Metric, windows: readonly UsableWindow[]): number | null {
  const requests = windows.reduce((sum, window) => sum + window.requests, 0);
  if (requests === 0) return null;
  if (timed === null) return rounded(windows.reduce((sum, { errors }) => sum + errors, 0) / requests);
  if (timed.signal === 'queueTime' && windows.every(({ queueMs }) => queueMs.length === 0)) return null;
  const spreads = windows.flatMap((window) => spreadsOf(window, timed.signal));
  const at = atRank(spreads, Math.ceil(timed.quantile * requests), 'high');
  return Number.isFinite(at) ? rounded(at) : null;
}
