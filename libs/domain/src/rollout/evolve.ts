import type { EventData, RecordedEvent } from '@davit/contracts';
import { type RolloutEvent, isRolloutEvent } from './enter.js';
import { evolveCanary } from './evolve-canary.js';
import { evolveChanging } from './evolve-changing.js';
import { evolveProving } from './evolve-proving.js';
import { type RolloutState, isOver } from './state.js';

/**
 * Folds one event into the rollout that it tells of: its own, the operator's word, and what is seen of its canary. Every event folds into every
 * state; what does not fit a phase changes nothing but the version, and what is over stays over.
 */
export function evolveRollout(state: RolloutState | undefined, event: RecordedEvent): RolloutState | undefined {
  if (!state) return isRolloutEvent(event) ? begun(event) : undefined;
  if (isRolloutEvent(event)) {
    const next = isOver(state) ? state : evolveOwn(state, event);
    return { ...next, version: event.version };
  }
  if (isOver(state)) return state;
  return evolveOrder(evolveCanary(state, event), event);
}

const evolveOwn = (state: RolloutState, event: RolloutEvent): RolloutState =>
  evolveChanging(evolveProving(state, event), event);

function begun(event: RolloutEvent): RolloutState | undefined {
  switch (event.type) {
    case 'davit.rollout.started': {
      const { workergroupId, rollback, policy, because } = event.data;
      return {
        ...fresh(event, event.data),
        plan: { workergroupId, rollback, policy, because },
        phase: { name: 'proving', templating: null, failed: null },
      };
    }
    case 'davit.rollout.refused': {
      const { code, detail, remedy } = event.data;
      return { ...fresh(event, event.data), phase: { name: 'over', outcome: 'refused', code, detail, remedy } };
    }
    default:
      return undefined;
  }
}

type Beginning = EventData<'davit.rollout.started'> | EventData<'davit.rollout.refused'>;

const fresh = (event: RecordedEvent, data: Beginning): Omit<RolloutState, 'phase'> => ({
  id: data.rolloutId,
  tenant: event.tenant,
  deployment: data.deployment,
  revision: data.revision,
  fromRevision: data.fromRevision,
  replicaId: data.replicaId,
  startedAt: event.time,
  since: event.time,
  plan: null,
  template: null,
  bounds: null,
  mayHold: [],
  canary: null,
  proof: null,
  baseline: null,
  touchedAt: null,
  workers: {},
  formerly: [],
  recordsMove: false,
  paused: null,
  resumedAt: null,
  rejected: null,
  aborted: null,
  correlationId: event.correlationid ?? null,
  version: event.version,
});

/** A word counts for the evidence that it names: an approval of other evidence than what waits changes nothing. */
function evolveOrder(state: RolloutState, event: RecordedEvent): RolloutState {
  switch (event.type) {
    case 'davit.deployment.rollout-approved': {
      const { phase } = state;
      const { evidenceDigest } = event.data;
      if (phase.name !== 'awaiting-approval' || phase.request.evidenceDigest !== evidenceDigest) return state;
      return { ...state, phase: { ...phase, approval: { by: 'operator', eventId: event.id, evidenceDigest } } };
    }
    case 'davit.deployment.rollout-rejected': {
      const { phase } = state;
      if (phase.name !== 'awaiting-approval' || phase.request.evidenceDigest !== event.data.evidenceDigest)
        return state;
      return { ...state, rejected: orderOf(event) };
    }
    case 'davit.deployment.rollout-aborted':
      return { ...state, aborted: state.aborted ?? orderOf(event) };
    default:
      return state;
  }
}

const orderOf = ({ id, time, data }: RecordedEvent & { readonly data: { readonly reason: string } }) => ({
  eventId: id,
  at: time,
  reason: data.reason,
});
