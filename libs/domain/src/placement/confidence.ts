import { type TrackRecord, timedTries } from './record.js';

/** Of an offer that nobody tried lately: as likely to be had as not. */
export const PRIOR_CONFIDENCE = 0.5;
/** The prior counts like so many starts; two fresh ones are needed to outweigh it. */
const PRIOR_WEIGHT = 2;
/** What happened counts half after this long: stock comes and goes within the hour. */
const HALF_LIFE_MS = 30 * 60_000;

/**
 * How far a promise of stock for this offer is to be believed, 0 to 1: the share of its latest starts that were not refused,
 * each weighed by its age, with {@link PRIOR_CONFIDENCE} mixed in. Refusals lower it for a while, starts that served raise
 * it, and time without either brings it back to the prior. A start that failed for another reason says nothing of stock.
 */
export function confidenceOf(offer: TrackRecord | undefined, nowMs: number): number {
  if (!offer) return PRIOR_CONFIDENCE;
  let had = PRIOR_CONFIDENCE * PRIOR_WEIGHT;
  let asked = PRIOR_WEIGHT;
  for (const { outcome, endedMs } of timedTries(offer)) {
    if (outcome === 'failed') continue;
    const weight = 0.5 ** (Math.max(0, nowMs - endedMs) / HALF_LIFE_MS);
    asked += weight;
    if (outcome === 'served') had += weight;
  }
  return Math.round((had / asked) * 100) / 100;
}
