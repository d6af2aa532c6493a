import type { Compute, StockSignal } from '@davit/contracts';
import type { OfferState } from '../lifecycle/evolve-offer.js';
import { type DeploymentState, type ReplicaState, isLive } from '../lifecycle/state.js';
import { firstPriceOf } from './first-prices.js';
import type { BudgetRoom } from './limits.js';
import { offerKeyOf } from './offer.js';
import type { PlacementQuestion } from './question.js';

export type Elastic = Extract<Compute, { mode: 'elastic' }>;

/** What a place is chosen from, beside the replica's own answers and its deployment. */
export type PlacementView = {
  /** The other replicas of its deployment that are not proven gone. */
  readonly siblings: readonly ReplicaState[];
  /** What was made of the offers that its specification allows, by `offerKeyOf`. */
  readonly offers: ReadonlyMap<string, OfferState>;
  /** One for each budget that holds for it. */
  readonly budgets: readonly BudgetRoom[];
};

export const NOTHING_KNOWN: PlacementView = { siblings: [], offers: new Map(), budgets: [] };

/** Keys of the offers that a specification allows, each once. */
export const offerKeysOf = ({ placements }: Elastic): readonly string[] => [...new Set(placements.map(offerKeyOf))];

/** The question where this replica goes, from the documents of the log. */
export function questionOf(
  replica: ReplicaState,
  deployment: DeploymentState,
  compute: Elastic,
  { siblings, offers, budgets }: PlacementView,
  nowMs: number,
): PlacementQuestion {
  const own = siblings.filter(({ id, revision }) => revision === replica.revision && id !== replica.id);
  return {
    ...questionAbout(compute, deployment, replica.revision, offers, (rung) => replica.assessments[rung]),
    neighbours: own.flatMap((other) => (isLive(other) && other.placement ? [other.placement] : [])),
    ahead: own.filter((other) => isPlacedBefore(other, replica)).length,
    budgets,
    nowMs,
  };
}

/** The same question about a specification that no replica asks yet: a plan, or a replay. */
export function questionAbout(
  compute: Elastic,
  deployment: DeploymentState | undefined,
  revision: number,
  offers: ReadonlyMap<string, OfferState>,
  signalOf: (rung: number) => StockSignal | undefined,
): Omit<PlacementQuestion, 'neighbours' | 'ahead' | 'budgets' | 'nowMs'> {
  return {
    candidates: compute.placements.map((placement, rung) => ({
      rung,
      placement,
      signal: signalOf(rung),
      offer: offers.get(offerKeyOf(placement)),
      firstPrice: deployment ? firstPriceOf(deployment, revision, placement) : null,
    })),
    selection: compute.selection ?? 'ladder',
    objective: compute.objective,
    spread: compute.spread ?? null,
    refusals: deployment?.refusals ?? [],
    forgivenBefore: deployment?.retriedAt ?? null,
  };
}

/** It asks at the same time, and comes first: each of many that are asked for at once reckons with those before it. */
function isPlacedBefore(other: ReplicaState, { ordinal, id }: ReplicaState): boolean {
  const { status, mode, placement, discovery } = other;
  if (status !== 'requested' || mode !== 'elastic' || placement !== null) return false;
  if (discovery.outcome !== 'pending' && discovery.outcome !== 'absent') return false;
  return other.ordinal < ordinal || (other.ordinal === ordinal && other.id < id);
}
