import type { RecordedEvent } from '@davit/contracts';
import type { ReceiptRamp } from '../receipt.js';
import { citedOf } from './cited.js';

/** Every ramp in the order of the log, those that were cut off included. */
export function rampsOf(events: readonly RecordedEvent[]): readonly ReceiptRamp[] {
  return events.flatMap((event): ReceiptRamp[] => {
    if (event.type === 'davit.rollout.load-aborted') {
      const { ramp, attempt, reason, detail } = event.data;
      const cut = { steps: [], converged: null, criterion: `cut off (${reason}): ${detail}`, evidenceDigest: null };
      return [{ ...citedOf(event), ramp, attempt, ...cut }];
    }
    if (event.type !== 'davit.rollout.load-profile-run') return [];
    const { ramp, attempt, converged, criterion, evidenceDigest, steps } = event.data;
    return [
      {
        ...{ ...citedOf(event), ramp, attempt, converged, criterion, evidenceDigest },
        steps: steps.map(({ requestsPerSecond, window }) => ({
          ...{ requestsPerSecond, from: window.from, to: window.to },
          ...{ sent: window.sent, ok: window.ok, errors: window.errors },
          latencyMs: { p50: window.latency.p50Ms, p95: window.latency.p95Ms, p99: window.latency.p99Ms },
          ...{ queueP95Ms: window.queueTime.p95Ms, workers: window.workers, spend: window.spend },
        })),
      },
    ];
  });
}
