import { type RolloutEvent, enter } from './enter.js';
import type { RolloutState } from './state.js';

/** Folds the part of a rollout that leaves production alone. */
export function evolveProving(state: RolloutState, event: RolloutEvent): RolloutState {
  const { phase } = state;
  switch (event.type) {
    case 'davit.rollout.template-attempted':
      return phase.name === 'proving'
        ? {
            ...state,
            phase: { ...phase, templating: { attempt: event.data.attempt, answer: 'attempted', detail: '' } },
          }
        : state;
    case 'davit.rollout.template-recorded':
      return phase.name === 'proving'
        ? { ...state, template: event.data.template, phase: { ...phase, templating: null } }
        : state;
    case 'davit.rollout.canary-requested': {
      if (phase.name !== 'proving' || state.canary) return state;
      const { externalKey } = event.data;
      const nothingYet = {
        launch: null,
        launchDetail: '',
        removal: null,
        absence: null,
        removed: false,
        meter: null,
      } as const;
      return { ...state, canary: { externalKey, ...nothingYet } };
    }
    case 'davit.rollout.candidate-failed': {
      const { step, detail } = event.data;
      return phase.name === 'proving' ? { ...state, phase: { ...phase, failed: { step, detail } } } : state;
    }
    case 'davit.rollout.candidate-proved':
      return phase.name === 'proving' && !phase.failed
        ? enter(state, { name: 'bounding', set: null, refused: null }, event)
        : state;
    case 'davit.rollout.bounds-set':
      return phase.name === 'bounding'
        ? { ...state, bounds: event.data.bounds, phase: { ...phase, set: event.data.bounds } }
        : state;
    case 'davit.rollout.bounds-refused': {
      const detail = event.data.conflicts.map((conflict) => conflict.detail).join('; ');
      return phase.name === 'bounding' ? { ...state, phase: { ...phase, refused: detail } } : state;
    }
    case 'davit.rollout.bounds-applied':
      return phase.name === 'bounding' && phase.set && event.data.to === 'canary'
        ? enter(state, { name: 'ramping', run: [], present: null }, event)
        : state;
    case 'davit.rollout.load-attempted': {
      const { ramp, attempt } = event.data;
      return phase.name === 'ramping'
        ? { ...state, phase: { ...phase, present: { ramp, attempt, aborted: null } } }
        : state;
    }
    case 'davit.rollout.load-aborted':
      return phase.name === 'ramping' && phase.present
        ? { ...state, phase: { ...phase, present: { ...phase.present, aborted: event.data.reason } } }
        : state;
    case 'davit.rollout.load-profile-run':
      return rampRun(state, event.data, event);
    case 'davit.rollout.baseline-recorded':
      return phase.name === 'baselining'
        ? { ...state, phase: { ...phase, recorded: event.data.evidenceDigest } }
        : state;
    default:
      return state;
  }
}

type Run = { readonly ramp: number; readonly attempt: number; readonly converged: boolean };

/** A ramp is over only where it was begun: three of them, the last converged, and production may be looked at. */
function rampRun(state: RolloutState, { ramp, attempt, converged }: Run, event: RolloutEvent): RolloutState {
  const { phase } = state;
  if (phase.name !== 'ramping' || phase.present?.ramp !== ramp || phase.present.attempt !== attempt) return state;
  const run = [...phase.run, { ramp, attempt, converged }];
  return ramp === 3 && converged
    ? enter(state, { name: 'baselining', recorded: null }, event)
    : { ...state, phase: { ...phase, run, present: null } };
}
