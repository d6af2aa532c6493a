import type { NewEvent, WorkerView } from '@davit/contracts';
import type { JoinedWorker } from '../../vast/joined.js';
import { isAtRest } from '../../vast/rolling/on-candidate.js';
import type { Turn } from '../turn.js';
import { identitiesOf } from './identity.js';
import { NOTHING_LEARNT, standingOf, templatesOf, turnsOf } from './standing.js';
import { productionTarget } from './target.js';
import { isNotSeen, type NotSeen, workersOf } from './workers.js';

/** All workers of production at one instant, and what of it is news. */
export interface ProductionLook {
  readonly views: readonly WorkerView[];
  readonly events: readonly NewEvent[];
}

/** Looks at every worker with its instance. */
export async function lookAtProduction(turn: Turn): Promise<ProductionLook | NotSeen> {
  const { state } = turn;
  const target = await productionTarget(turn);
  if (isNotSeen(target)) return target;
  const templates = await templatesOf(turn);
  if (!templates) return { notSeen: 'the templates cannot be read' };
  const listed = await workersOf(turn, target.endpointId);
  if (isNotSeen(listed)) return listed;
  const workers = listed.filter(({ status }) => !status.startsWith('destroy'));
  const told = await identitiesOf(turn, target, templates, workers);
  const turns = turnsOf(state);
  const stood = workers.map((worker) => ({ worker, ...standingOf(worker, { templates, ...told }, turns) }));
  const seen = stood.flatMap(({ worker, view, evidence }) =>
    isSame(state.workers[view.workerId], view) ? [] : [observed(turn, worker, view, evidence)],
  );
  const present = new Set(workers.map(({ id }) => id));
  const gone = Object.values(state.workers)
    .filter(({ workerId }) => !present.has(workerId))
    .map(({ workerId }): NewEvent => ({ type: 'davit.rollout.worker-gone', data: { rolloutId: state.id, workerId } }));
  return { views: stood.map(({ view }) => view), events: [...seen, ...gone] };
}

/**
 * Workers of production as they are right before it is changed. What their records tell then is what shows later whether records move with
 * an update.
 */
export async function seenBefore(turn: Turn, endpointId: number): Promise<readonly NewEvent[] | NotSeen> {
  const templates = await templatesOf(turn);
  if (!templates) return { notSeen: 'the templates cannot be read' };
  const listed = await workersOf(turn, endpointId);
  if (isNotSeen(listed)) return listed;
  const known = { templates, capabilities: NOTHING_LEARNT, probed: new Map() };
  const turns = { touchedMs: turn.nowMs, back: null };
  return listed.map((worker) => {
    const { view, evidence } = standingOf(worker, known, turns);
    return observed(turn, worker, view, evidence);
  });
}

const isSame = (was: WorkerView | undefined, is: WorkerView): boolean =>
  was !== undefined &&
  was.status === is.status &&
  was.on === is.on &&
  was.templateHash === is.templateHash &&
  was.loadedAt === is.loadedAt;

const observed = (
  { state }: Turn,
  { requestsWorking }: JoinedWorker,
  worker: WorkerView,
  evidence: 'instance' | 'image' | 'model-identity' | 'none',
): NewEvent => ({
  type: 'davit.rollout.worker-observed',
  data: {
    ...{ rolloutId: state.id, worker, evidence },
    inFlight: requestsWorking === null ? null : Math.max(0, Math.round(requestsWorking)),
  },
});

/** How many looks in a row have agreed that the same number of workers is on one template. It is memory: a crash begins anew. */
export function agreement(turn: Turn, views: readonly WorkerView[], on: WorkerView['on']): number {
  const note = turn.jobs.note(turn.state.id, `agreed on ${on}`, () => ({ looks: 0, workers: '' }));
  const workers = views.map(({ workerId }) => workerId).join(',');
  const agrees = views.length > 0 && views.every((view) => view.on === on && isAtRest(view));
  note.looks = !agrees ? 0 : workers === note.workers ? note.looks + 1 : 1;
  note.workers = workers;
  return note.looks;
}
