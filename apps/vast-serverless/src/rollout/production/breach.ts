import type { NewEvent, ScalingBounds } from '@davit/contracts';
import { compareAmounts, multiplyAmount, onQueueBreach, queueBreachOf } from '@davit/domain';
import { bundleOf } from './bundle.js';
import { sampledSince } from './sampling.js';
import type { Turn } from '../turn.js';

export interface BreachSeen {
  /** What follows from it: a pause that begins, or one that is over. */
  readonly events: readonly NewEvent[];
  /** Requests may queue for too long, which is not proven yet. */
  readonly isSuspected: boolean;
}

/** What the queue times of the last while show. */
export function breachSeen(turn: Turn): BreachSeen {
  const { state, nowMs } = turn;
  // What led to an earlier pause was answered by it.
  const sinceMs = Date.parse(state.paused?.since ?? state.resumedAt ?? state.touchedAt ?? state.since);
  const sampled = sampledSince(turn, sinceMs);
  const windows = sampled.map(({ window }) => window);
  const bundle = bundleOf(turn, { baseline: [], candidate: windows, startedAtMs: sinceMs, contract: null });
  const breach = queueBreachOf(bundle);
  const rolloutId = state.id;
  if (state.paused) {
    // It has to be seen to be over: what is not measured is not over.
    const isOver = breach === 'none' && windows.length >= 3;
    const resumed: NewEvent = {
      type: 'davit.rollout.resumed',
      data: { rolloutId, detail: 'requests queue no longer' },
    };
    return { events: isOver ? [resumed] : [], isSuspected: !isOver };
  }
  if (breach !== 'proven') return { events: [], isSuspected: breach === 'suspected' };
  const detail = `queue times are proven to be longer than promised since ${new Date(sinceMs).toISOString()}`;
  const paused = onQueueBreach(state, { detail, affordable: affordable(turn), nowMs });
  return { events: paused ? [paused] : [], isSuspected: true };
}

/** One worker more, where even that many at the highest price that was ever seen stay within the promise. */
function affordable({ state, plan, view }: Turn): ScalingBounds | null {
  const { bounds } = state;
  const { maxHourly } = plan.policy.objectives;
  const price = view.replica?.price;
  if (!bounds || !maxHourly || !price || price.currency !== maxHourly.currency) return null;
  const workers = Math.max(1, Object.keys(state.workers).length);
  const maxWorkers = bounds.maxWorkers + 1;
  // The endpoint's price is that of all of its workers; in the worst case one of them costs all of it.
  const most =
    workers === 1
      ? multiplyAmount(price.amount, maxWorkers)
      : multiplyAmount(price.amount, Math.ceil(maxWorkers / workers));
  if (compareAmounts(most, maxHourly.amount) > 0) return null;
  return { ...bounds, maxWorkers, coldWorkers: Math.min(maxWorkers, bounds.coldWorkers + 1) };
}
