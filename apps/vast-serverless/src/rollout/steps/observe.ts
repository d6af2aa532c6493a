import type { NewEvent } from '@davit/contracts';
import type { ReconcileResult } from '@davit/reconcile';
import { breachSeen } from '../production/breach.js';
import { agreement, lookAtProduction } from '../production/look.js';
import { keepSampling } from '../production/sampling.js';
import { groupNow, holds, isNotSeen } from '../production/workers.js';
import { cut, type Turn } from '../turn.js';

/** Worker by worker: only what changes becomes events, and only looks that agree become convergence. */
export async function observeWorkers(turn: Turn): Promise<ReconcileResult> {
  const { state, parts } = turn;
  await keepSampling(turn);
  const look = await lookAtProduction(turn);
  if (isNotSeen(look)) {
    agreement(turn, [], 'candidate');
    return turn.notKnown('workers', look);
  }
  const observations = agreement(turn, look.views, 'candidate');
  const isConverged = state.phase.name === 'observing' && observations >= parts.pace.agreeingLooks;
  const converged: NewEvent = {
    type: 'davit.rollout.converged',
    data: { rolloutId: state.id, workers: [...look.views], observations: Math.max(2, observations) },
  };
  return told(turn, [...look.events, ...(isConverged ? [converged] : []), ...breachSeen(turn).events]);
}

export async function observeRollback(turn: Turn): Promise<ReconcileResult> {
  const { state, parts, plan } = turn;
  const group = await groupNow(turn);
  if (isNotSeen(group)) return turn.notKnown('workergroup', group);
  const isBack = holds(group, plan.rollback);
  const look = isBack ? await lookAtProduction(turn) : { notSeen: `workergroup ${group.id} holds another template` };
  if (isNotSeen(look)) {
    agreement(turn, [], 'old');
    return turn.notKnown('workers', look);
  }
  const observations = agreement(turn, look.views, 'old');
  const observed: NewEvent = {
    type: 'davit.rollout.rollback-observed',
    data: { rolloutId: state.id, workers: [...look.views], observations: Math.max(2, observations) },
  };
  return told(turn, [...look.events, ...(observations >= parts.pace.agreeingLooks ? [observed] : [])]);
}

/** Time is up: what is missing, with the end of the engine's own log. */
export async function reportNotConverged(turn: Turn, detail: string): Promise<ReconcileResult> {
  const { state, parts, plan } = turn;
  const workers = Object.values(state.workers);
  const logs = await parts.client.logs.ofWorkergroup(plan.workergroupId);
  const lines = logs.kind === 'confirmed' ? Object.values(logs.value).flat() : [`not to be read: ${logs.detail}`];
  return turn.write({
    type: 'davit.rollout.not-converged',
    data: {
      ...{ rolloutId: state.id, workers, detail: cut(detail) },
      missing: workers.filter(({ on }) => on !== 'candidate').map(({ workerId }) => workerId),
      logTail: lines.slice(-50).map((line) => line.slice(0, 500)),
    },
  });
}

export async function told(turn: Turn, [first, ...rest]: readonly NewEvent[]): Promise<ReconcileResult> {
  return first ? turn.write(first, ...rest) : turn.soon;
}
