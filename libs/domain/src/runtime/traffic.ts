import type { TrafficCounts } from '@davit/contracts';
import type { TrafficReport } from '../lifecycle/state.js';
import { MOST_TRAFFIC_POINTS } from './weights.js';

/** A report says nothing any more once it is this old. */
export const TRAFFIC_FRESH_MS = 30_000;

/** What a gateway's requests weigh, all of them failed in one way. */
const WEIGHTS = { refused: 20, timeouts: 12, status5xx: 12 } as const;

export const hasFailures = ({ refused, timeouts, status5xx }: TrafficCounts): boolean =>
  refused + timeouts + status5xx > 0;

/** Reports that still count. */
export const freshReports = (reports: readonly TrafficReport[] | undefined, nowMs: number): readonly TrafficReport[] =>
  (reports ?? []).filter(({ at }) => nowMs - Date.parse(at) < TRAFFIC_FRESH_MS);

/** Evidence in the reports of gateways that still count: each adds the share of its requests that failed, at their weights. */
export function trafficPoints(reports: readonly TrafficReport[] | undefined, nowMs: number): number {
  const points = freshReports(reports, nowMs).map((report) => {
    const { requests, refused, timeouts, status5xx } = report;
    const all = Math.max(1, requests, refused + timeouts + status5xx);
    return (WEIGHTS.refused * refused + WEIGHTS.timeouts * timeouts + WEIGHTS.status5xx * status5xx) / all;
  });
  return Math.min(
    MOST_TRAFFIC_POINTS,
    points.reduce((sum, each) => sum + each, 0),
  );
}

/** `gateway-1: 8 of 40 requests failed (3 refused, 5 timed out)`. */
export function describeTraffic({ reporter, requests, ...counts }: Omit<TrafficReport, 'at'>): string {
  const { refused, timeouts, status5xx } = counts;
  const kinds = [
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(timeouts > 0 ? [`${timeouts} timed out`] : []),
    ...(status5xx > 0 ? [`${status5xx} answered 5xx`] : []),
  ];
  return `${reporter}: ${refused + timeouts + status5xx} of ${requests} requests failed (${kinds.join(', ')})`;
}
