import type { OfferState } from '@davit/domain';
import { type Watched, leastPauseMs } from './watched.js';

/** An offer that is watched, and when it is to be sampled again. */
export type Planned = {
  readonly watched: Watched;
  readonly offer: OfferState | undefined;
  readonly dueMs: number;
  /** The same for offers that one exchange with their provider answers; null where nobody is asked. */
  readonly exchange: string | null;
};

/** Of one cloud, at most one question is asked in this time: replicas that wait to be rented come first. */
export const SPACING_MS = 12_000;

/** So many offers of one cloud are sampled together at most. */
const MOST_TOGETHER = 64;

/**
 * Of each cloud one question: that of the offer which has been due the longest, and with it every other offer that the same
 * answer serves and that is due soon.
 * @param planned the longest overdue first
 */
export function turnOf(planned: readonly Planned[], everyMs: number, nowMs: number): readonly Planned[] {
  const soonMs = nowMs + everyMs - leastPauseMs(everyMs);
  const asked = new Map<string, { readonly exchange: string | null; taken: number }>();
  return planned.filter(({ dueMs, exchange, watched: { placement } }) => {
    const turn = asked.get(placement.cloud);
    if (!turn) {
      if (dueMs > nowMs) return false;
      asked.set(placement.cloud, { exchange, taken: 1 });
      return true;
    }
    if (dueMs > soonMs || turn.exchange !== exchange || turn.taken === MOST_TOGETHER) return false;
    turn.taken += 1;
    return true;
  });
}

/** By cloud, how long it takes until each offer had its turn: its questions, one at a time, or the interval where that is longer. */
export function roundsMs(planned: readonly Planned[], everyMs: number): ReadonlyMap<string, number> {
  const clouds = new Map<string, Map<string | null, number>>();
  for (const { exchange, watched } of planned) {
    const { cloud } = watched.placement;
    const questions = clouds.get(cloud) ?? new Map<string | null, number>();
    clouds.set(cloud, questions.set(exchange, (questions.get(exchange) ?? 0) + 1));
  }
  const turnsOf = (questions: ReadonlyMap<string | null, number>): number =>
    [...questions.values()].reduce((sum, offers) => sum + Math.ceil(offers / MOST_TOGETHER), 0);
  return new Map([...clouds].map(([cloud, questions]) => [cloud, Math.max(everyMs, turnsOf(questions) * SPACING_MS)]));
}
