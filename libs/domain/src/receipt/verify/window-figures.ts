import type { EvidenceOf, WindowSummary } from '@davit/contracts';
import { type Quantiles, windowFigures } from '../../load/account.js';

const named = ({ p50, p95, p99 }: Quantiles): WindowSummary['latency'] => ({ p50Ms: p50, p95Ms: p95, p99Ms: p99 });

interface Counted {
  readonly sent: number;
  readonly ok: number;
  readonly errors: number;
  readonly latencyMs: Quantiles;
  readonly queueMs: Quantiles;
}

/** Figures as a summary has them. */
export const inSummary = ({ latencyMs, queueMs, ...counts }: Counted) => ({
  ...counts,
  ...{ latency: named(latencyMs), queueTime: named(queueMs) },
});

/** All that a summary says and that can be counted again. Samples do not tell kinds of errors. */
export const saidBy = ({ from, to, sent, ok, errors, latency, queueTime, workers, spend }: WindowSummary) => ({
  ...{ from: Date.parse(from), to: Date.parse(to), sent, ok, latency, queueTime, workers, spend },
  errors: Object.values(errors).reduce((sum, count) => sum + count, 0),
});

type Window = NonNullable<EvidenceOf<'baseline'>['windows'][number]>;

/** What a summary of this window has to say. */
export function countedIn(window: Window): object {
  const { fromMs, toMs, workers, spend } = window;
  const figures = windowFigures(window);
  return { from: Math.floor(fromMs), to: Math.floor(toMs), workers, spend, ...(figures && inSummary(figures)) };
}
