import type { WindowSummary } from '@davit/contracts';
import { type Quantiles, summarise } from '@davit/domain';
import { isoTime } from '@davit/ports';
import type { History } from '../watch/history.js';
import { countsOf } from '../watch/look.js';
import { spendBetween } from '../watch/spend.js';
import type { RequestRecord } from './request-record.js';

/** A look at the workers that is older tells nothing of a window. */
const LOOK_AGE_MS = 60_000;

/** What one stretch of time came to, as events tell it. Requests belong to the window in which they were due. */
export function windowSummary(
  records: readonly RequestRecord[],
  history: History,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): WindowSummary {
  const inside = records.filter(({ scheduledAtMs }) => scheduledAtMs >= fromMs && scheduledAtMs < toMs);
  const { due, outcomes, latencyMs, queueMs } = summarise(inside);
  const errors: Record<string, number> = {};
  for (const { errorKind } of inside) if (errorKind !== null) errors[errorKind] = (errors[errorKind] ?? 0) + 1;
  return {
    ...{ from: isoTime(fromMs), to: isoTime(toMs), sent: due, ok: outcomes.ok, errors },
    latency: named(latencyMs),
    queueTime: named(queueMs),
    workers: workersIn(history, toMs),
    spend: spendBetween(history.looks, fromMs, toMs),
  };
}

/** Quantiles as events tell them. */
export const named = ({ p50, p95, p99 }: Quantiles): WindowSummary['latency'] => ({
  p50Ms: p50,
  p95Ms: p95,
  p99Ms: p99,
});

/** Workers by status at the end of a window, or that nobody could tell: none seen is not none there. */
export function workersIn(history: History, toMs: number): Readonly<Record<string, number>> {
  const look = history.before(toMs);
  return look === undefined || toMs - look.atMs > LOOK_AGE_MS ? { 'not-observed': 0 } : countsOf(look);
}
