import type { Placement } from '@davit/contracts';
import { type OfferState, confidenceOf, offerKeyOf } from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import type { Advice } from '../advisors/advisor.js';

/** What was made of an offer so far; undefined for one that nobody tried. */
export type OfferHistory = (placement: Placement) => Promise<OfferState | undefined>;

/** Own history as the log tells it. */
export const historyIn =
  (model: Pick<ReadModel, 'get'>): OfferHistory =>
  async (placement) =>
    (await model.get<OfferState>('offer', offerKeyOf(placement)))?.document;

/** The advice with how far own history lets it be believed: stock signals lie, and a refusal is a signal too. */
export const withConfidence = (advice: Advice, offer: OfferState | undefined, nowMs: number): Advice => ({
  ...advice,
  signal: { ...advice.signal, confidence: confidenceOf(offer, nowMs) },
});
