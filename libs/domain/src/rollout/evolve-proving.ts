import { type EventData } from '@davit/contracts';
import { addAmounts } from '../money.js';
import { canaryResource } from './canary-resource.js';
import { type RolloutEvent, enter } from './enter.js';
import type { LoadUsed, PresentRun, RolloutState } from './state.js';

const UNUSED: LoadUsed = { requests: 0, spend: '0', elapsedMs: 0 };

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
      return { ...state, canary: { externalKey, ...nothingYet, resource: canaryResource(state, event) } };
    }
    case 'davit.rollout.candidate-failed': {
      const { step, detail } = event.data;
      return phase.name === 'proving' ? { ...state, phase: { ...phase, failed: { step, detail } } } : state;
    }
    case 'davit.rollout.candidate-proved':
      return phase.name === 'proving' && !phase.failed
        ? enter({ ...state, proof: proofOf(event.data) }, { name: 'bounding', set: null, refused: null }, event)
        : state;
    case 'davit.rollout.bounds-set':
      return phase.name === 'bounding'
        ? {
            ...state,
            bounds: event.data.bounds,
            mayHold: [event.data.bounds],
            phase: { ...phase, set: event.data.bounds },
          }
        : state;
    case 'davit.rollout.bounds-refused': {
      const detail = event.data.conflicts.map((conflict) => conflict.detail).join('; ');
      return phase.name === 'bounding' ? { ...state, phase: { ...phase, refused: detail } } : state;
    }
    case 'davit.rollout.bounds-applied':
      return phase.name === 'bounding' && phase.set && event.data.to === 'canary'
        ? enter(state, { name: 'ramping', run: [], present: null, used: UNUSED }, event)
        : state;
    case 'davit.rollout.load-attempted': {
      const { ramp, attempt, maxRequests, maxSpend } = event.data;
      const present = { ramp, attempt, aborted: null, beganAt: event.time, maxRequests, maxSpend: maxSpend.amount };
      return phase.name === 'ramping' ? { ...state, phase: { ...phase, present } } : state;
    }
    case 'davit.rollout.load-aborted': {
      if (phase.name !== 'ramping' || !phase.present) return state;
      const { present, used } = phase;
      const all = { requests: present.maxRequests, spend: present.maxSpend };
      const after = together(used, { ...all, elapsedMs: elapsedMs(present, event) });
      return { ...state, phase: { ...phase, used: after, present: { ...present, aborted: event.data.reason } } };
    }
    case 'davit.rollout.load-profile-run':
      return rampRun(state, event.data, event);
    case 'davit.rollout.baseline-recorded':
      return phase.name === 'baselining'
        ? { ...state, baseline: event.data.evidenceDigest, phase: { ...phase, recorded: event.data.evidenceDigest } }
        : state;
    default:
      return state;
  }
}

const proofOf = ({
  outputs,
  evidenceDigest,
}: EventData<'davit.rollout.candidate-proved'>): NonNullable<RolloutState['proof']> => ({ outputs, evidenceDigest });

const elapsedMs = ({ beganAt }: PresentRun, { time }: RolloutEvent): number =>
  Math.max(0, Date.parse(time) - Date.parse(beganAt));

const together = (a: LoadUsed, b: LoadUsed): LoadUsed => ({
  requests: a.requests + b.requests,
  spend: addAmounts(a.spend, b.spend),
  elapsedMs: a.elapsedMs + b.elapsedMs,
});

type Run = EventData<'davit.rollout.load-profile-run'>;

/** A ramp is over only where it was begun: three of them, the last converged, and production may be looked at. */
function rampRun(state: RolloutState, data: Run, event: RolloutEvent): RolloutState {
  const { phase } = state;
  const { ramp, attempt, converged, evidenceDigest, steps } = data;
  if (phase.name !== 'ramping' || phase.present?.ramp !== ramp || phase.present.attempt !== attempt) return state;
  const run = [...phase.run, { ramp, attempt, converged, evidenceDigest }];
  if (ramp === 3 && converged) return enter(state, { name: 'baselining', recorded: null }, event);
  // What one step cost may be unknown: then all that was allowed counts as spent.
  const spent = steps.flatMap(({ window }) => window.spend?.amount ?? []);
  const used = together(phase.used, {
    requests: steps.reduce((sum, { window }) => sum + window.sent, 0),
    spend:
      spent.length < steps.length
        ? phase.present.maxSpend
        : spent.reduce((sum, amount) => addAmounts(sum, amount), '0'),
    elapsedMs: elapsedMs(phase.present, event),
  });
  return { ...state, phase: { ...phase, run, used, present: null } };
}
