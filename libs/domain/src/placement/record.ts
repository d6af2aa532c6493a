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

export const servedIn = ({ tries }: TrackRecord): readonly OfferTry[] =>
  tries.filter(({ outcome }) => outcome === 'served');
