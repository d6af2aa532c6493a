import type { HourlyPrice, Placement, StockState } from '@davit/contracts';
import type { Spent } from '../lifecycle/meter.js';
import { offerKeyOf } from '../placement/offer.js';
import type { RankedCandidate, Ranking } from '../placement/ranking.js';

/** What became of a question where a replica goes. */
export type Outcome = {
  readonly outcome: 'placed' | 'waits';
  /** Null while it waits. */
  readonly offer: string | null;
  readonly rung: number | null;
  readonly reason: string;
};

/** Another candidate of a decision, and why it was not taken. */
export type Alternative = {
  readonly offer: string;
  readonly rung: number;
  readonly verdict: RankedCandidate['verdict'];
  readonly reason: string;
  readonly state: StockState;
  readonly ageMs: number | null;
  readonly price: HourlyPrice | null;
};

export type ReplayedDecision = Outcome & {
  readonly at: string;
  /** Of the event after which it was taken; of the real decision where it was taken in its place. */
  readonly position: number;
  readonly price: HourlyPrice | null;
  readonly candidates: readonly Alternative[];
  /** What was really decided then; null where nothing was. */
  readonly real: (Outcome & { readonly replica: string; readonly position: number }) | null;
};

/** A start that was refused, and what followed. */
export type Fall = {
  readonly at: string;
  readonly position: number;
  readonly offer: string;
  readonly because: string;
};

export type ReplayedWait = { readonly from: string; readonly to: string | null; readonly reason: string };

export type ReplayedMachine = {
  readonly offer: string;
  readonly from: string;
  /** Null where it still runs when the window ends. */
  readonly to: string | null;
  /** When it served, or would have; null where it did not within the window. */
  readonly readyAt: string | null;
  /** `real`: as the log tells; `history`: as long as starts on this offer took; `assumed`: by the stated assumption. */
  readonly readyBy: 'real' | 'history' | 'assumed' | null;
  readonly price: HourlyPrice | null;
};

export type ReplayedSlot = {
  readonly ordinal: number;
  /** Position of the real decision from which on it went another way; null where it never did, or never was in step. */
  readonly divergedAt: number | null;
  readonly decisions: readonly ReplayedDecision[];
  readonly waits: readonly ReplayedWait[];
  readonly falls: readonly Fall[];
  readonly machines: readonly ReplayedMachine[];
  readonly cost: Spent;
};

export type Replayed = {
  readonly slots: readonly ReplayedSlot[];
  /** Decisions that are other ones than those really taken. */
  readonly differences: number;
  /** Decisions that were really taken, and were held against it. */
  readonly compared: number;
  readonly cost: Spent;
  /** What the real deployment held in the window; null without one. */
  readonly realCost: Spent | null;
  /** Machines that the real deployment had, beyond what the specification wants. */
  readonly notWanted: readonly string[];
  readonly events: number;
};

export const outcomeOf = ({ chosen, candidates }: Ranking): Outcome =>
  chosen
    ? { outcome: 'placed', offer: chosen.offerKey, rung: chosen.rung, reason: chosen.reason }
    : {
        outcome: 'waits',
        offer: null,
        rung: null,
        reason: candidates.map(({ offerKey, reason }) => `${offerKey}: ${reason}`).join('; '),
      };

export const alternativesOf = ({ candidates }: Ranking): readonly Alternative[] =>
  candidates.map(({ offerKey, rung, verdict, reason, stock, price }) => ({
    offer: offerKey,
    rung,
    verdict,
    reason,
    state: stock.state,
    ageMs: stock.ageMs,
    price: price.price,
  }));

export const offerOf = (placement: Placement | null): string | null => (placement ? offerKeyOf(placement) : null);
