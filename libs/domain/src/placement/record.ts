import type { OfferState, OfferTry } from '../lifecycle/evolve-offer.js';

/** What scores rest on: how starts ended, and what was lost after it had served. Each oldest first. */
export type TrackRecord = Pick<OfferState, 'tries' | 'losses'>;

export const NO_RECORD: TrackRecord = { tries: [], losses: [] };

/** Several offers as one, for example all of a provider: the same scores can be read from it. */
export function pooled(records: readonly TrackRecord[]): TrackRecord {
  return {
    tries: records.flatMap(({ tries }) => tries).sort((a, b) => a.position - b.position),
    losses: records.flatMap(({ losses }) => losses).sort((a, b) => a.position - b.position),
  };
}

export const servedIn = (record: TrackRecord): readonly TimedTry[] =>
  timedTries(record).filter(({ outcome }) => outcome === 'served');

/** A start that ended, with its instants as milliseconds. */
export type TimedTry = OfferTry & { readonly startedMs: number; readonly endedMs: number };

const timed = new WeakMap<readonly OfferTry[], readonly TimedTry[]>();

/** In the order in which they ended. Read once for each document, which never changes: a ranking asks several times. */
export function timedTries({ tries }: TrackRecord): readonly TimedTry[] {
  const known = timed.get(tries);
  if (known) return known;
  const read = tries
    .map((tried) => ({ ...tried, startedMs: Date.parse(tried.at), endedMs: Date.parse(tried.endedAt) }))
    .sort((a, b) => a.endedMs - b.endedMs || a.startedMs - b.startedMs);
  timed.set(tries, read);
  return read;
}
