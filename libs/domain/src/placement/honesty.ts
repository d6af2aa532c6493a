import { NO_RECORD, type TrackRecord } from './record.js';

/** What became of starts on an offer that was said to be in stock. */
export type Honesty = {
  /** Starts that ended in service or in a refusal, after the signal had said `available`. */
  readonly saidAvailable: number;
  readonly refused: number;
  /** Of those the share that was not refused, 0 to 1; null while there are none. */
  readonly share: number | null;
};

/** How honest the stock signal of an offer was. A start that failed for another reason shows nothing of it. */
export function honestyOf(offer: TrackRecord = NO_RECORD): Honesty {
  const told = offer.tries.filter(({ said, outcome }) => said === 'available' && outcome !== 'failed');
  const refused = told.filter(({ outcome }) => outcome === 'refused').length;
  const share = told.length === 0 ? null : Math.round(((told.length - refused) / told.length) * 100) / 100;
  return { saidAvailable: told.length, refused, share };
}
