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

/** A start that ended, with its instants as milliseconds. */
export type TimedTry = Pick<OfferTry, 'outcome' | 'class' | 'replicaId' | 'endedAt'> & {
  readonly startedMs: number;
  readonly endedMs: number;
};

/** Reads something from a record once for each: documents never change, and a ranking asks for the same several times. */
export function oncePerRecord<Result>(read: (record: TrackRecord) => Result): (record?: TrackRecord) => Result {
  const known = new WeakMap<TrackRecord, { readonly result: Result }>();
  return (record = NO_RECORD) => {
    const found = known.get(record);
    if (found) return found.result;
    const result = read(record);
    known.set(record, { result });
    return result;
  };
}

/** Starts in the order in which they ended. */
export const timedTries = oncePerRecord(({ tries }): readonly TimedTry[] =>
  tries
    .map(({ outcome, class: failure, replicaId, at, endedAt }) => ({
      outcome,
      class: failure,
      replicaId,
      endedAt,
      startedMs: Date.parse(at),
      endedMs: Date.parse(endedAt),
    }))
    .sort((a, b) => a.endedMs - b.endedMs || a.startedMs - b.startedMs),
);

export const servedIn = (record: TrackRecord): readonly TimedTry[] =>
  timedTries(record).filter(({ outcome }) => outcome === 'served');
