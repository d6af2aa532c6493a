import type { EventData, WorkerView } from '@davit/contracts';
import { withoutKey } from '../without-key.js';
import { endingResource } from './canary-resource.js';
import { type RolloutEvent, enter } from './enter.js';
import { type AskedStep, type RolloutState, leavesNothingBehind, touchedProduction } from './state.js';

/** Folds the part of a rollout that changes production, takes it back, and ends. */
export function evolveChanging(state: RolloutState, event: RolloutEvent): RolloutState {
  const { phase } = state;
  switch (event.type) {
    case 'davit.rollout.approval-requested': {
      const { required, evidenceDigest, deadlineAt } = event.data;
      const request = { at: event.time, required, evidenceDigest, deadlineAt };
      return phase.name === 'baselining'
        ? enter(state, { name: 'awaiting-approval', request, approval: null }, event)
        : state;
    }
    case 'davit.rollout.update-attempted': {
      const update: AskedStep = { attempt: event.data.attempt, answer: 'attempted', detail: '' };
      if (phase.name === 'updating') return { ...state, phase: { ...phase, update, wasNotChanged: false } };
      const touched = { ...state, touchedAt: state.touchedAt ?? event.time };
      return phase.name === 'awaiting-approval'
        ? enter(touched, { name: 'updating', update, wasNotChanged: false }, event)
        : state;
    }
    case 'davit.rollout.update-triggered':
      return phase.name === 'updating'
        ? enter(state, { name: 'observing', triggeredAt: event.time, notConverged: null }, event)
        : state;
    case 'davit.rollout.update-refused':
      return phase.name === 'updating' ? refusedUpdate(state, event.data) : state;
    case 'davit.rollout.update-unknown':
      return phase.name === 'updating' ? answered(state, 'unknown', event.data.detail) : state;
    case 'davit.rollout.worker-observed':
      return touchedProduction(state) ? observed(state, event.data.worker) : state;
    case 'davit.rollout.worker-gone':
      return { ...state, workers: withoutKey(state.workers, String(event.data.workerId)) };
    case 'davit.rollout.converged': {
      const { workers } = event.data;
      if (phase.name !== 'observing' || workers.some(({ on }) => on !== 'candidate')) return state;
      const next = { ...state, workers: byId(workers) };
      return enter(next, { name: 'judging', convergedAt: event.time, verdict: null, toldAt: event.time }, event);
    }
    case 'davit.rollout.not-converged':
      return phase.name === 'observing' ? { ...state, phase: { ...phase, notConverged: event.data.detail } } : state;
    case 'davit.rollout.verdict-reached':
      return phase.name === 'judging'
        ? { ...state, phase: { ...phase, verdict: event.data, toldAt: event.time } }
        : state;
    case 'davit.rollout.paused': {
      const { deadlineAt, raiseTo } = event.data;
      if (!touchedProduction(state)) return state;
      const mayHold = raiseTo === null ? state.mayHold : [...state.mayHold, raiseTo];
      return { ...state, mayHold, paused: { since: event.time, deadlineAt, raiseTo } };
    }
    case 'davit.rollout.resumed':
      return { ...state, paused: null, resumedAt: event.time };
    case 'davit.rollout.bounds-applied': {
      const { to, readBack } = event.data;
      if (to !== 'production' || !state.paused) return state;
      return { ...state, bounds: readBack, paused: { ...state.paused, raiseTo: null } };
    }
    default:
      return evolveEnding(state, event);
  }
}

function evolveEnding(state: RolloutState, event: RolloutEvent): RolloutState {
  const { phase } = state;
  switch (event.type) {
    case 'davit.rollout.withdrawn': {
      const { reason, detail } = event.data;
      if (touchedProduction(state) && !leavesNothingBehind(reason)) return state;
      return enter({ ...state, paused: null }, { name: 'withdrawing', reason, detail }, event);
    }
    case 'davit.rollout.canary-removal-requested':
      return state.canary
        ? {
            ...state,
            canary: {
              ...state.canary,
              removal: { since: event.time, deadlineAt: event.data.deadlineAt },
              resource: endingResource(state.canary.resource, event),
            },
          }
        : state;
    case 'davit.rollout.canary-removed':
      return state.canary ? { ...state, canary: { ...state.canary, removed: true } } : state;
    case 'davit.rollout.rollback-attempted': {
      if (!touchedProduction(state)) return state;
      const { reason, detail, attempt } = event.data;
      const rollback: AskedStep = { attempt, answer: 'attempted', detail: '' };
      if (phase.name !== 'rolling-back') {
        const wasNotChanged = phase.name === 'updating' && phase.wasNotChanged;
        const begun = {
          takenBackAt: event.time,
          stayed: stayedOf(state),
          wasNotChanged,
          observed: null,
          reason,
          detail,
        };
        return enter({ ...state, paused: null }, { name: 'rolling-back', rollback, ...begun }, event);
      }
      // What was refused took nothing back.
      const takenBackAt = phase.rollback.answer === 'refused' ? event.time : phase.takenBackAt;
      return enter(state, { ...phase, rollback, takenBackAt }, event);
    }
    case 'davit.rollout.rollback-triggered':
      return answered(state, 'done', '');
    case 'davit.rollout.rollback-refused':
      return answered(state, 'refused', event.data.detail);
    case 'davit.rollout.rollback-unknown':
      return answered(state, 'unknown', event.data.detail);
    case 'davit.rollout.rollback-observed': {
      const { workers } = event.data;
      if (phase.name !== 'rolling-back' || workers.some(({ on }) => on !== 'old')) return state;
      return { ...state, workers: byId(workers), phase: { ...phase, observed: workers.length } };
    }
    case 'davit.rollout.rejected': {
      const { reason, detail } = event.data;
      return phase.name === 'withdrawing'
        ? enter(state, { name: 'over', outcome: 'rejected', reason, detail }, event)
        : state;
    }
    case 'davit.rollout.rolled-back': {
      const { reason, detail } = event.data;
      return phase.name === 'rolling-back'
        ? enter(state, { name: 'over', outcome: 'rolled-back', reason, detail }, event)
        : state;
    }
    case 'davit.rollout.accepted':
      return phase.name === 'judging' ? enter(state, { name: 'over', outcome: 'accepted' }, event) : state;
    default:
      return state;
  }
}

/** A record that was the former template's and is the candidate's tells that records move; one of a worker rented since tells nothing. */
function observed(state: RolloutState, worker: WorkerView): RolloutState {
  const { workerId, templateHash } = worker;
  const wasFormer = state.formerly.includes(workerId);
  const isFormer = templateHash !== null && templateHash === state.plan?.rollback.templateHash;
  const hasMoved = wasFormer && templateHash !== null && templateHash === state.template?.templateHash;
  return {
    ...state,
    workers: { ...state.workers, [workerId]: worker },
    formerly: isFormer && !wasFormer ? [...state.formerly, workerId] : state.formerly,
    recordsMove: state.recordsMove || hasMoved,
  };
}

/** A change that was stored otherwise than it was sent is of class `config`; any other refusal has left what was there. */
function refusedUpdate(state: RolloutState, data: EventData<'davit.rollout.update-refused'>): RolloutState {
  const next = answered(state, 'refused', data.detail);
  const wasNotChanged = data.class !== 'config';
  return next.phase.name === 'updating' ? { ...next, phase: { ...next.phase, wasNotChanged } } : next;
}

function stayedOf({ recordsMove, workers, plan }: RolloutState): Readonly<Record<string, string | null>> {
  if (!recordsMove) return {};
  const old = Object.values(workers).filter(({ templateHash }) => templateHash === plan?.rollback.templateHash);
  return Object.fromEntries(old.map(({ workerId, loadedAt }) => [String(workerId), loadedAt]));
}

/** The answer to what was last asked of the provider. */
function answered(state: RolloutState, answer: AskedStep['answer'], detail: string): RolloutState {
  const { phase } = state;
  if (phase.name === 'updating') return { ...state, phase: { ...phase, update: { ...phase.update, answer, detail } } };
  if (phase.name === 'rolling-back')
    return { ...state, phase: { ...phase, rollback: { ...phase.rollback, answer, detail } } };
  return state;
}

const byId = (workers: readonly WorkerView[]): Readonly<Record<string, WorkerView>> =>
  Object.fromEntries(workers.map((worker) => [String(worker.workerId), worker]));
