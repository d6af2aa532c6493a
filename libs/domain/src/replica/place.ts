import type { NewEvent } from '@davit/contracts';
import { type Decision, NOTHING, type Writer, waitUntil } from '../decision.js';
import { fractionOf } from '../jitter.js';
import type { DeploymentState, ReplicaState } from '../lifecycle/state.js';
import { type PlacementView, questionOf } from '../placement/ask.js';
import { isOfBudget } from '../placement/budget.js';
import { describePlacement } from '../placement/describe.js';
import { evidenceOf } from '../placement/evidence.js';
import { rankPlacements } from '../placement/rank.js';
import type { Ranking } from '../placement/ranking.js';
import type { ReplicaTimings } from './decide.js';
import { startTimesOf } from './start-times.js';

const MAX_DEFER_DOUBLINGS = 3;
/** Replicas that wait for the same instant do not all come back at it: each by up to this share of its wait later. */
const JITTER = 0.1;
/** So many candidates are told in the reason; the evidence has all. */
const TOLD = 4;

/**
 * A replica that has been looked for: what is there already is adopted unasked; otherwise it goes where the policy says, or
 * waits, visibly and with all that was answered, until an answer can be another.
 */
export function place(
  replica: ReplicaState,
  deployment: DeploymentState,
  view: PlacementView,
  nowMs: number,
  timings: ReplicaTimings,
  write: Writer,
): Decision {
  const { discovery, id } = replica;
  const { spec } = deployment.revisions[replica.revision] ?? deployment.spec;
  if (discovery.outcome === 'pending' || discovery.outcome === 'unknown' || discovery.at === null) return NOTHING;
  const launchRequested: NewEvent = {
    type: 'davit.replica.launch-requested',
    data: {
      replicaId: id,
      attempt: (replica.launch?.attempt ?? 0) + 1,
      deadlineAt: new Date(nowMs + startTimesOf(spec).deadlineMs).toISOString(),
    },
  };
  const { compute } = spec;
  if (discovery.outcome === 'present' || compute.mode !== 'elastic') {
    const adopted = discovery.outcome === 'present';
    const data = { replicaId: id, rung: null, placement: null, adopted, price: null, evidence: [] };
    return write({ type: 'davit.replica.placed', data }, launchRequested);
  }
  const adviceDueMs = Date.parse(discovery.at) + timings.adviceDeadlineMs;
  const unheard = compute.placements.some((_placement, rung) => replica.assessments[rung] === undefined);
  if (unheard && nowMs < adviceDueMs) return waitUntil(adviceDueMs);

  const ranking = rankPlacements(questionOf(replica, deployment, compute, view, nowMs));
  const { chosen } = ranking;
  if (!chosen) return write(deferred(replica, ranking, nowMs, timings));
  const { rung, placement, price } = chosen;
  const data = {
    replicaId: id,
    rung,
    placement,
    adopted: false,
    // Past its lifetime a price is unknown: nothing is accepted or counted by it.
    price: price.status === 'fresh' ? price.price : null,
    evidence: evidenceOf(ranking),
  };
  return write({ type: 'davit.replica.placed', data }, launchRequested);
}

/** It waits longer each time, within bounds, and never looks again before an answer that keeps it waiting has ended. */
function deferred(replica: ReplicaState, ranking: Ranking, nowMs: number, timings: ReplicaTimings): NewEvent {
  const { id, discovery } = replica;
  const { candidates, permanent, changesAtMs } = ranking;
  const told = candidates.slice(0, TOLD).map(({ placement, reason }) => `${describePlacement(placement)}: ${reason}`);
  if (candidates.length > TOLD) told.push(`and ${candidates.length - TOLD} others, each for reasons of its own`);
  const why = told.join('; ');
  const doublings = permanent ? MAX_DEFER_DOUBLINGS : Math.min(discovery.attempt - 1, MAX_DEFER_DOUBLINGS);
  const waitMs = timings.deferMs * 2 ** doublings;
  const changeMs = (changesAtMs ?? nowMs) - nowMs;
  const spreadMs = changeMs > waitMs ? Math.round(changeMs * JITTER * fractionOf(id)) : 0;
  return {
    type: 'davit.replica.deferred',
    data: {
      replicaId: id,
      waitsFor: candidates.some(({ objections }) => objections.every(isOfBudget)) ? 'budget' : 'capacity',
      reason: permanent ? `waiting will not help, change the placements: ${why}` : why,
      retryAt: new Date(nowMs + Math.max(waitMs, changeMs) + spreadMs).toISOString(),
      evidence: evidenceOf(ranking, replica.assessments),
    },
  };
}
