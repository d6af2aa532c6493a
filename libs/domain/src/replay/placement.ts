import type { ReplayPolicy } from '@davit/contracts';
import type { DeploymentState, ReplicaState } from '../lifecycle/state.js';
import { type Elastic, type PlacementView, questionOf } from '../placement/ask.js';
import { describePlacement } from '../placement/describe.js';
import { rankPlacements } from '../placement/rank.js';
import type { RankedCandidate, Ranking } from '../placement/ranking.js';
import { type RealDecision, decidedAtMs, realOutcome } from '../whatif/in-step.js';
import { outcomeOf } from '../whatif/result.js';
import type { Retaken, RetakenOutcome } from './retaken.js';

/** All that a choice of a place rests on, as it was at one position of the log. */
export type PlacementScene = {
  readonly replica: ReplicaState;
  readonly deployment: DeploymentState;
  readonly compute: Elastic;
  readonly view: PlacementView;
};

/** True where these documents lead to what was really decided: then they are what it rested on. */
export function leadsTo(event: RealDecision, scene: PlacementScene): boolean {
  return outcomeOf(ranked(event, scene, scene.compute)).offer === realOutcome(event).offer;
}

/** The choice under another policy; the budgets of the scene are those of the policy already. */
export function retakePlacement(
  event: RealDecision,
  scene: PlacementScene,
  policy: ReplayPolicy['placement'],
): Retaken {
  const ranking = ranked(event, scene, computeOf(scene.compute, policy));
  const chosen = ranking.chosen;
  return {
    kind: 'placement',
    about: { kind: 'replica', name: event.data.replicaId },
    was: wasOf(event),
    would: { outcome: chosen ? placedOn(chosen) : WAITS, reason: outcomeOf(ranking).reason },
    evidence: chosen ? evidenceOf(chosen) : [],
    alternatives: ranking.candidates
      .filter((candidate) => candidate !== chosen)
      .map((candidate) => ({ outcome: placedOn(candidate), reason: candidate.reason })),
  };
}

/** An objective ranks the placements as a set, unless something else is said of the selection. */
function computeOf(compute: Elastic, { objective, selection }: NonNullable<ReplayPolicy['placement']> = {}): Elastic {
  const asSet = selection === undefined ? objective !== undefined : selection === 'best';
  const { selection: real, ...rest } = compute;
  const how = selection === undefined && objective === undefined ? real : asSet ? 'best' : undefined;
  return {
    ...rest,
    ...(objective === undefined ? {} : { objective }),
    ...(how === undefined ? {} : { selection: how }),
  };
}

const ranked = (event: RealDecision, { replica, deployment, view }: PlacementScene, compute: Elastic): Ranking =>
  rankPlacements(questionOf(replica, deployment, compute, view, decidedAtMs(event)));

const WAITS = 'waits';

const placedOn = ({ placement }: Pick<RankedCandidate, 'placement'>): string =>
  `placed on ${describePlacement(placement)}`;

function wasOf(event: RealDecision): RetakenOutcome {
  const { reason } = realOutcome(event);
  if (event.type === 'davit.replica.deferred' || event.data.placement === null) return { outcome: WAITS, reason };
  return { outcome: placedOn({ placement: event.data.placement }), reason };
}

function evidenceOf({ stock, price, scores }: RankedCandidate): Retaken['evidence'] {
  const told =
    price.price &&
    `${price.price.amount} ${price.price.currency} (${price.status}, ${price.price.kind} by ${price.price.source})`;
  return [
    {
      name: 'stock',
      value: `${stock.state} by ${stock.source}, ${stock.ageMs === null ? 'age unknown' : `${stock.ageMs} ms old`}`,
    },
    { name: 'price', value: told ?? 'unknown' },
    ...Object.entries(scores).map(([name, value]) => ({ name, value })),
  ];
}
