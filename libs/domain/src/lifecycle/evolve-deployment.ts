import type { EventData, EventOf, RecordedEvent } from '@davit/contracts';
import { streamKeyOf } from '@davit/contracts';
import { parseReplicaId } from '../identity.js';
import type { DeploymentState } from './state.js';

const REFUSALS_KEPT = 50;

/** Folds one event into a deployment. Events of its replicas count too: they use up incarnations and tell of refusals. */
export function evolveDeployment(
  state: DeploymentState | undefined,
  event: RecordedEvent,
): DeploymentState | undefined {
  if (isDeploymentEvent(event)) return evolveOwn(state, event);
  if (!state) return state;
  switch (event.type) {
    case 'davit.replica.requested': {
      const slot = `${event.data.revision}/${event.data.ordinal}`;
      const used = Math.max(state.incarnations[slot] ?? 0, event.data.incarnation);
      return { ...state, incarnations: { ...state.incarnations, [slot]: used } };
    }
    case 'davit.replica.ready':
      return { ...state, failedStarts: withoutSlot(state.failedStarts, slotOf(event.data.replicaId)) };
    case 'davit.replica.failed':
      return rememberFailure(state, event.data, event.time);
    default:
      return state;
  }
}

function evolveOwn(state: DeploymentState | undefined, event: EventOf<'deployment'>): DeploymentState | undefined {
  const version = event.version;
  if (event.type === 'davit.deployment.declared') {
    const { spec, revision, generation, templateDigest, intentId } = event.data;
    return {
      key: streamKeyOf(event.stream),
      tenant: spec.metadata.tenant,
      name: spec.metadata.name,
      status: 'active',
      generation,
      revision,
      activeRevision: state?.activeRevision ?? null,
      templateDigest,
      spec,
      revisions: { ...state?.revisions, [revision]: spec },
      incarnations: state?.incarnations ?? {},
      failedStarts: state?.failedStarts ?? {},
      conditions: state?.conditions ?? {},
      refusals: state?.refusals ?? [],
      intentId,
      correlationId: event.correlationid ?? null,
      version,
    };
  }
  if (!state) return state;
  switch (event.type) {
    case 'davit.deployment.deletion-requested':
      return { ...state, status: 'deleting', correlationId: event.correlationid ?? null, version };
    case 'davit.deployment.retry-requested':
      return { ...state, failedStarts: {}, correlationId: event.correlationid ?? null, version };
    case 'davit.deployment.revision-activated':
      return { ...state, activeRevision: event.data.revision, version };
    case 'davit.deployment.condition-changed': {
      const { condition, status, reason, message } = event.data;
      return {
        ...state,
        conditions: { ...state.conditions, [condition]: { status, reason, message, since: event.time } },
        version,
      };
    }
    case 'davit.deployment.deleted':
      return { ...state, status: 'deleted', activeRevision: null, conditions: {}, version };
  }
}

function rememberFailure(
  state: DeploymentState,
  failure: EventData<'davit.replica.failed'>,
  at: string,
): DeploymentState {
  const slot = slotOf(failure.replicaId);
  const refused = failure.class === 'capacity' || failure.class === 'quota';
  // A rung without stock is no failed start: the next rung is tried, and this one is left alone for a while (law 9).
  const isFailedStart = !failure.hadServed && !(refused && failure.placement !== null);
  const count = (state.failedStarts[slot]?.count ?? 0) + 1;
  const reason = `${failure.reason}: ${failure.detail}`;
  const refusal = { placement: failure.placement, class: failure.class, at };
  return {
    ...state,
    failedStarts: isFailedStart ? { ...state.failedStarts, [slot]: { count, lastAt: at, reason } } : state.failedStarts,
    refusals: refused ? [...state.refusals, refusal].slice(-REFUSALS_KEPT) : state.refusals,
  };
}

const slotOf = (replicaId: string): string => {
  const identity = parseReplicaId(replicaId);
  return identity ? `${identity.revision}/${identity.ordinal}` : replicaId;
};

const withoutSlot = <Value>(slots: Readonly<Record<string, Value>>, slot: string): Readonly<Record<string, Value>> =>
  slot in slots ? Object.fromEntries(Object.entries(slots).filter(([name]) => name !== slot)) : slots;

function isDeploymentEvent(event: RecordedEvent): event is EventOf<'deployment'> {
  return event.type.startsWith('davit.deployment.');
}

/** Key of the deployment that an event about a replica belongs to. */
export const deploymentKeyOf = (replicaId: string): string | undefined => parseReplicaId(replicaId)?.deployment;
