import type { NewEvent } from '@davit/contracts';
import { affordableRaise, onQueueBreach, queueBreachOf } from '@davit/domain';
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
  const affordable = affordableRaise({
    ...{ bounds: state.bounds, workers: Object.keys(state.workers).length },
    ...{ hourly: turn.view.replica?.price ?? null, maxHourly: turn.hourlyLimit },
  });
  const paused = onQueueBreach(state, { detail, affordable, nowMs });
  return { events: paused ? [paused] : [], isSuspected: true };
}
