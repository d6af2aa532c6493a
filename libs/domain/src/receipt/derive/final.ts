import type { RecordedEvent } from '@davit/contracts';
import type { Receipt } from '../receipt.js';

/** How it ended, by the events alone. */
export function finalOf(events: readonly RecordedEvent[]): Receipt['final'] {
  const productionTouched = events.some(({ type }) => type === 'davit.rollout.update-attempted');
  const asked = events.some(({ type }) => type === 'davit.rollout.canary-requested');
  const removed = events.some(({ type }) => type === 'davit.rollout.canary-removed');
  return { ...endOf(events, productionTouched), productionTouched, canaryRemoved: asked ? removed : null };
}

type End = Pick<Receipt['final'], 'state' | 'reason' | 'detail' | 'serves'>;

function endOf(events: readonly RecordedEvent[], touched: boolean): End {
  for (const event of events) {
    switch (event.type) {
      case 'davit.rollout.accepted': {
        const detail = `${event.data.workers} workers on the candidate`;
        return { state: 'accepted', reason: null, detail, serves: 'candidate' };
      }
      case 'davit.rollout.rejected':
      case 'davit.rollout.rolled-back': {
        const { reason, detail } = event.data;
        const state = event.type === 'davit.rollout.rejected' ? 'rejected' : 'rolled-back';
        return { state, reason, detail, serves: 'old' };
      }
      case 'davit.rollout.refused':
        return { state: 'refused', reason: event.data.code, detail: event.data.detail, serves: 'old' };
      default:
    }
  }
  const last = events.at(-1);
  const detail = `the last event is ${last?.type ?? 'none'}`;
  return { state: 'unfinished', reason: null, detail, serves: touched ? 'unknown' : 'old' };
}
