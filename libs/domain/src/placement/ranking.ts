import type { HourlyPrice, Placement, StockState } from '@davit/contracts';

/** Why a candidate is not taken now. */
export type Objection = {
  readonly kind:
    | 'unavailable'
    | 'refused'
    | 'above-ceiling'
    | 'above-estimate'
    | 'other-currency'
    | 'price-unknown'
    | 'hourly-budget'
    | 'total-budget';
  /** Names the number that decided. */
  readonly reason: string;
  /** True when waiting cannot help. */
  readonly permanent: boolean;
  /** When the answer that it rests on ends, so that a look before then hears the same; null where nobody can say. */
  readonly changesAtMs: number | null;
};

/** What is known of a candidate's stock at the moment of the decision: past its lifetime a signal is unknown. */
export type StockView = {
  readonly state: StockState;
  readonly source: string;
  readonly scope: string;
  readonly observedAt: string | null;
  /** Null without a signal. */
  readonly ageMs: number | null;
  readonly detail: string;
};

/** What is known of a candidate's price for the whole machine and an hour. Only a fresh one decides anything. */
export type PriceView = {
  readonly status: 'fresh' | 'stale' | 'missing';
  /** Null when missing. */
  readonly price: HourlyPrice | null;
  /** Null when missing. */
  readonly ageMs: number | null;
  /** Where it is not fresh: why. */
  readonly detail: string;
};

export type Verdict = 'chosen' | 'next' | 'rejected';

export type RankedCandidate = {
  readonly rung: number;
  readonly placement: Placement;
  /** See `offerKeyOf`. */
  readonly offerKey: string;
  readonly verdict: Verdict;
  /** Why it was chosen, comes next, or is not taken, in words. */
  readonly reason: string;
  /** Empty unless it is rejected. */
  readonly objections: readonly Objection[];
  readonly stock: StockView;
  /** How far a promise of stock is to be believed, 0 to 1; see `confidenceOf`. */
  readonly confidence: number;
  readonly price: PriceView;
  /** What the order compared, by name and in the order in which it counts, in words. */
  readonly scores: Readonly<Record<string, string>>;
};

export type Ranking = {
  /** Every candidate, in the order in which they would be taken. */
  readonly candidates: readonly RankedCandidate[];
  /** The first that nothing speaks against; null when there is none. */
  readonly chosen: RankedCandidate | null;
  /** Without a choice: true when waiting cannot help with any candidate. */
  readonly permanent: boolean;
  /** Without a choice: the earliest instant at which the answers objected to may be others; null where nobody can say. */
  readonly changesAtMs: number | null;
};
