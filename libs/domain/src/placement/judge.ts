import type { Placement, StockSignal } from '@davit/contracts';
import type { OfferState } from '../lifecycle/evolve-offer.js';
import type { Refusal } from '../lifecycle/state.js';
import { confidenceOf } from './confidence.js';
import { describeDuration } from './describe.js';
import { offerKeyOf } from './offer.js';
import { type Cost, priceOf } from './pricing.js';
import type { Candidate, PlacementQuestion } from './question.js';
import type { Objection, PriceView, StockView } from './ranking.js';
import { refusalsOf } from './refusals.js';
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
  return {
    rung,
    placement,
    offerKey,
    offer,
    stock,
    confidence: confidenceOf(offer, nowMs),
    price: view,
    cost,
    objections: joined([
      stock.state === 'unavailable' ? [noStock(stock, signal)] : NONE,
      refusalObjections(offer, refusals.get(offerKey) ?? NO_REFUSALS, forgivenBefore, nowMs),
      objections,
    ]),
  };
}

const NONE: readonly Objection[] = [];
const NO_REFUSALS: readonly Refusal[] = [];

/** Most candidates have nothing against them, and thousands share that. */
function joined(lists: readonly (readonly Objection[])[]): readonly Objection[] {
  const [only = NONE, ...more] = lists.filter(({ length }) => length > 0);
  return more.length === 0 ? only : [only, ...more].flat();
}

function noStock({ source, ageMs, detail }: StockView, signal: StockSignal | undefined): Objection {
  const what = detail === '' ? 'no stock' : detail;
  const reason = `${what}, said by ${source} ${describeDuration(ageMs ?? 0)} ago`;
  const changesAtMs = signal ? Date.parse(signal.expiresAt) : null;
  return { kind: 'unavailable', reason, permanent: signal?.permanent ?? false, changesAtMs };
}

function refusalObjections(
  offer: OfferState | undefined,
  own: readonly Refusal[],
  forgivenBefore: string | null,
  nowMs: number,
): readonly Objection[] {
  const refused = refusalsOf(offer, own, forgivenBefore);
  if (!refused || nowMs >= refused.untilMs) return NONE;
  const { count, at, untilMs } = refused;
  const times = count === 1 ? 'a launch' : `launches ${count} times in a row`;
  const until = `${new Date(untilMs).toISOString()}, ${describeDuration(untilMs - nowMs)} from now`;
  const reason = `refused ${times} for ${refused.class} (at ${at.join(', ')}); left alone until ${until}`;
  return [{ kind: 'refused', reason, permanent: false, changesAtMs: untilMs }];
}
