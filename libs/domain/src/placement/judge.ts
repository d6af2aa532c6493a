import type { Placement, StockSignal } from '@davit/contracts';
import type { OfferState } from '../lifecycle/evolve-offer.js';
import type { Refusal } from '../lifecycle/state.js';
import { confidenceOf } from './confidence.js';
import { describeDuration } from './describe.js';
import { NO_OBJECTIONS, joined } from './objections.js';
import { offerKeyOf } from './offer.js';
import { type Cost, priceOf } from './pricing.js';
import type { Candidate, PlacementQuestion } from './question.js';
import type { Objection, PriceView, StockView } from './ranking.js';
import { type Refusals, refusalsOf } from './refusals.js';
import { stockViewOf } from './stock.js';

/** A candidate with all that does not depend on the others. */
export type JudgedCandidate = {
  readonly rung: number;
  readonly placement: Placement;
  readonly offerKey: string;
  readonly offer: OfferState | undefined;
  readonly stock: StockView;
  readonly confidence: number;
  readonly price: PriceView;
  readonly cost: Cost | null;
  /** Those of budgets come on top: they depend on who goes before. */
  readonly objections: readonly Objection[];
};

/** @param refusals the deployment's own, by offer */
export function judgeCandidate(
  candidate: Candidate,
  { forgivenBefore, nowMs }: PlacementQuestion,
  refusals: ReadonlyMap<string, readonly Refusal[]>,
): JudgedCandidate {
  const { rung, placement, signal, offer } = candidate;
  const offerKey = offerKeyOf(placement);
  const stock = stockViewOf(signal, nowMs);
  const { view, cost, objections } = priceOf(candidate, nowMs);
  const ofStock = stock.state === 'unavailable' ? noStock(stock, signal) : NO_OBJECTIONS;
  const ofRefusals = leftAlone(refusalsOf(offer, refusals.get(offerKey) ?? NO_REFUSALS, forgivenBefore), nowMs);
  return {
    rung,
    placement,
    offerKey,
    offer,
    stock,
    confidence: confidenceOf(offer, nowMs),
    price: view,
    cost,
    objections: joined(joined(ofStock, ofRefusals), objections),
  };
}

const NO_REFUSALS: readonly Refusal[] = [];

function noStock({ source, ageMs, detail }: StockView, signal: StockSignal | undefined): readonly Objection[] {
  const what = detail === '' ? 'no stock' : detail;
  const reason = `${what}, said by ${source} ${describeDuration(ageMs ?? 0)} ago`;
  const changesAtMs = signal ? Date.parse(signal.expiresAt) : null;
  return [{ kind: 'unavailable', reason, permanent: signal?.permanent ?? false, changesAtMs }];
}

function leftAlone(refused: Refusals | undefined, nowMs: number): readonly Objection[] {
  if (!refused || nowMs >= refused.untilMs) return NO_OBJECTIONS;
  const { count, class: failure, at, untilMs } = refused;
  const times = count === 1 ? 'a launch' : `launches ${count} times in a row`;
  const until = `${new Date(untilMs).toISOString()}, ${describeDuration(untilMs - nowMs)} from now`;
  const reason = `refused ${times} for ${failure} (at ${at.join(', ')}); left alone until ${until}`;
  return [{ kind: 'refused', reason, permanent: false, changesAtMs: untilMs }];
}
