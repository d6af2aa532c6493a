import type { Placement, StockSignal } from '@davit/contracts';
import { compareAmounts } from '../money.js';
import { type Estimate, authorises, estimateOf } from '../prices/estimate.js';
import { type FreshPrice, judgePrice } from '../prices/judge.js';
import { machinePrice, mismatchOf } from '../prices/machine.js';
import { describeDuration } from './describe.js';
import type { Money } from './limits.js';
import { NO_OBJECTIONS } from './objections.js';
import type { Candidate } from './question.js';
import type { Objection, PriceView } from './ranking.js';

export type Priced = {
  readonly view: PriceView;
  /** What a machine is taken to cost an hour where a budget is kept; null where nobody can say. */
  readonly cost: Cost | null;
  /** What the price has against the candidate whatever the budget. */
  readonly objections: readonly Objection[];
};

/** From a fresh price, or without one from the placement's own ceiling, which is in whatever currency it meets. */
export type Cost = { readonly amount: string; readonly currency: string | null };

const missing = (detail: string): PriceView => ({ status: 'missing', price: null, ageMs: null, detail });

/** What a candidate costs, and whether that was accepted. */
export function priceOf({ signal, placement, firstPrice }: Candidate, nowMs: number): Priced {
  const said = signal?.price;
  if (!signal || !said) return without(placement, missing('no price is known'));
  const mismatch = mismatchOf(said, placement);
  if (mismatch !== null) return without(placement, missing(`the price of ${said.source} does not apply: ${mismatch}`));
  const judged = judgePrice(said, nowMs);
  switch (judged.status) {
    case 'missing':
      return without(placement, missing('no price is known'));
    case 'refused':
      return without(placement, missing(`the price of ${said.source} is refused: ${judged.reason}`));
    case 'stale': {
      const detail = `it is ${describeDuration(judged.ageMs)} old, past its lifetime`;
      return without(placement, {
        status: 'stale',
        price: machinePrice(said, placement),
        ageMs: judged.ageMs,
        detail,
      });
    }
    case 'fresh': {
      const price = machinePrice(judged.price, placement);
      return {
        view: { status: 'fresh', price, ageMs: judged.ageMs, detail: '' },
        cost: price,
        objections: objectionsTo(price, estimateOf(placement, firstPrice), signal, nowMs),
      };
    }
  }
}

const without = ({ maxHourlyPrice }: Placement, view: PriceView): Priced => ({
  view,
  cost: maxHourlyPrice === null ? null : { amount: maxHourlyPrice, currency: null },
  objections: NO_OBJECTIONS,
});

function objectionsTo(
  price: FreshPrice,
  estimate: Estimate,
  { expiresAt }: StockSignal,
  nowMs: number,
): readonly Objection[] {
  const spend = authorises(price, estimate, nowMs);
  if (spend.allowed) return NO_OBJECTIONS;
  // Another price comes with the next answer.
  const changesAtMs = Date.parse(expiresAt);
  const kind = estimate.basis === 'ceiling' ? 'above-ceiling' : 'above-estimate';
  return [{ kind, reason: spend.reason, permanent: false, changesAtMs }];
}

/** Whether a cost fits into what is left; money of different currencies never does. */
export const fits = ({ amount, currency }: Cost, left: Money): boolean =>
  (currency === null || currency === left.currency) && compareAmounts(amount, left.amount) <= 0;
