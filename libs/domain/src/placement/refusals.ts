import type { ErrorClass } from '@davit/contracts';
import type { OfferState } from '../lifecycle/evolve-offer.js';
import type { Refusal } from '../lifecycle/state.js';
import { offerKeyOf } from './offer.js';
import { type TimedTry, oncePerRecord, timedTries } from './record.js';

/** An offer that refused a launch is left alone for this long; twice as long after each further refusal in a row. */
export const REFUSAL_MEMORY_MS = 10 * 60_000;
/** It is never left alone for longer: about two dozen tries a day at most. */
export const LONGEST_REFUSAL_MS = 60 * 60_000;
/** After so long without a try, the next refusal is the first one again. */
const FORGOTTEN_AFTER_MS = 4 * 60 * 60_000;
/** So many of the tries are told. */
const TOLD = 3;

/** Refusals in a row of one offer. */
export type Refusals = {
  /** Launches refused while another was under way count as one: they asked for the same machines. */
  readonly count: number;
  readonly class: ErrorClass;
  /** The latest of them, oldest first. */
  readonly at: readonly string[];
  readonly lastMs: number;
  /** Until then the offer is left alone. */
  readonly untilMs: number;
};

type Ended = Pick<TimedTry, 'outcome' | 'class' | 'startedMs' | 'endedMs' | 'endedAt'>;

/** The deployment's refusals by offer. */
export function refusalsByOffer(refusals: readonly Refusal[]): ReadonlyMap<string, readonly Refusal[]> {
  const byOffer = new Map<string, Refusal[]>();
  for (const refusal of refusals) {
    if (refusal.placement === null) continue;
    const key = offerKeyOf(refusal.placement);
    const same = byOffer.get(key);
    if (same) same.push(refusal);
    else byOffer.set(key, [refusal]);
  }
  return byOffer;
}

/**
 * Refusals in a row at the end of what the whole fleet and this deployment made of an offer; undefined when there are none.
 * A start that began after a refusal and served ends the row.
 */
export function refusalsOf(
  offer: OfferState | undefined,
  own: readonly Refusal[],
  forgivenBefore: string | null,
): Refusals | undefined {
  if (own.length === 0 && forgivenBefore === null) return refusalsOfFleet(offer);
  return rowOf(endsOf(offer, own, forgivenBefore));
}

/** Of most offers only the fleet knows. */
const refusalsOfFleet = oncePerRecord((offer) => rowOf(timedTries(offer)));

/** @param ends in the order in which starts ended */
function rowOf(ends: readonly Ended[]): Refusals | undefined {
  if (!ends.some(({ outcome }) => outcome === 'refused')) return undefined;
  let row: Ended[] = [];
  let count = 0;
  let firstEndMs = 0;
  for (const end of ends) {
    if (end.outcome === 'failed') continue;
    const last = row.at(-1);
    if (end.outcome === 'served') {
      if (last && end.startedMs >= last.endedMs) row = [];
      continue;
    }
    if (last && end.startedMs - last.endedMs > FORGOTTEN_AFTER_MS) row = [];
    if (row.length === 0) count = 0;
    if (count === 0 || end.startedMs >= firstEndMs) {
      count += 1;
      firstEndMs = end.endedMs;
    }
    row.push(end);
  }
  const last = row.at(-1);
  if (!last) return undefined;
  const alone = Math.min(LONGEST_REFUSAL_MS, REFUSAL_MEMORY_MS * 2 ** Math.min(count - 1, 20));
  return {
    count,
    class: last.class ?? 'unknown',
    at: row.slice(-TOLD).map(({ endedAt }) => endedAt),
    lastMs: last.endedMs,
    untilMs: last.endedMs + alone,
  };
}

/** Starts that were refused or served, in the order in which they ended. */
function endsOf(
  offer: OfferState | undefined,
  own: readonly Refusal[],
  forgivenBefore: string | null,
): readonly Ended[] {
  const tries: readonly Ended[] = offer ? timedTries(offer) : [];
  const forgiven = ({ outcome, endedAt }: Ended): boolean =>
    outcome === 'refused' && forgivenBefore !== null && endedAt <= forgivenBefore;
  if (own.length === 0) return forgivenBefore === null ? tries : tries.filter((end) => !forgiven(end));
  // The offer remembers the same refusals, unless it forgot them or they ended what had served.
  const told = new Set(tries.flatMap(({ outcome, endedAt }) => (outcome === 'refused' ? [endedAt] : [])));
  const others = own
    .filter(({ at }) => !told.has(at))
    .map(({ at, class: refused }): Ended => {
      const atMs = Date.parse(at);
      return { outcome: 'refused', class: refused, startedMs: atMs, endedMs: atMs, endedAt: at };
    });
  return [...tries, ...others]
    .filter((end) => !forgiven(end))
    .sort((a, b) => a.endedMs - b.endedMs || a.startedMs - b.startedMs);
}
