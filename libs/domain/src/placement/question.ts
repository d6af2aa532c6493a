import type { Compute, HourlyPrice, Placement, StockSignal } from '@davit/contracts';
import type { OfferState } from '../lifecycle/evolve-offer.js';
import type { Refusal } from '../lifecycle/state.js';
import type { BudgetRoom } from './limits.js';

export type Objective = Extract<Compute, { mode: 'elastic' }>['objective'];

/** One of the places a specification allows, with all that is known of it. */
export type Candidate = {
  /** Its place in the specification: the rung of a ladder, or the number of a member of a set. */
  readonly rung: number;
  readonly placement: Placement;
  readonly signal: StockSignal | undefined;
  /** What was made of this offer so far, by the whole fleet; undefined while nobody tried it. */
  readonly offer: OfferState | undefined;
  /** Price at which this revision was first placed on it; null while it was not. */
  readonly firstPrice: HourlyPrice | null;
};

/** Everything that decides where one replica goes. Equal questions have equal answers. */
export type PlacementQuestion = {
  readonly candidates: readonly Candidate[];
  /** `ladder`: in the order of the rungs; `best`: in the order of the objective. */
  readonly selection: 'ladder' | 'best';
  readonly objective: Objective;
  /** What replicas are spread over; null when that was not asked for. */
  readonly spread: 'cloud' | 'region' | null;
  /** Where the other live replicas of its revision are. */
  readonly neighbours: readonly Placement[];
  /** So many others of its revision are placed before it, now and from the same answers. */
  readonly ahead: number;
  /** Launches of this deployment that were refused. */
  readonly refusals: readonly Refusal[];
  /** A user asked to try again at this instant: refusals before it count no more. */
  readonly forgivenBefore: string | null;
  /** What budgets still allow; empty where none is set. */
  readonly budgets: readonly BudgetRoom[];
  readonly nowMs: number;
};

/** A question about places of which nothing but the specification is known. */
export const UNASKED: Omit<PlacementQuestion, 'candidates' | 'nowMs'> = {
  selection: 'ladder',
  objective: 'cost',
  spread: null,
  neighbours: [],
  ahead: 0,
  refusals: [],
  forgivenBefore: null,
  budgets: [],
};
