import type { EventData, RecordedEvent } from '@davit/contracts';
import { evolveResource, isProviderFact } from './evolve-resource.js';
import { evolveRuntime, isRuntimeEvent } from './evolve-runtime.js';
import type { ReplicaState } from './state.js';

/** Folds one event of any category into the replica it tells of. */
export function evolveReplica(state: ReplicaState | undefined, event: RecordedEvent): ReplicaState | undefined {
  if (event.type === 'davit.replica.requested') return requested(event.data, event);
  if (!state) return state;
  if (isProviderFact(event)) return evolveResource(state, event);
  if (isRuntimeEvent(event)) return evolveRuntime(state, event);
  const enter = (status: ReplicaState['status'], reason: string): ReplicaState => ({
    ...state,
    status,
    reason,
    since: event.time,
  });
  const next = evolveDecision(state, event, enter);
  return event.stream.startsWith('replica/')
    ? { ...next, versions: { ...next.versions, replica: event.version } }
    : next;
}

function evolveDecision(
  state: ReplicaState,
  event: RecordedEvent,
  enter: (status: ReplicaState['status'], reason: string) => ReplicaState,
): ReplicaState {
  switch (event.type) {
    case 'davit.replica.discovery-requested':
      return {
        ...enter('requested', 'looking for a resource of this name before asking for one'),
        discovery: { attempt: event.data.attempt, outcome: 'pending', at: null, detail: '' },
        assessments: {},
        retryAt: null,
      };
    case 'davit.replica.deferred':
      return {
        ...enter('deferred', event.data.reason),
        retryAt: event.data.retryAt,
        waitsSince: state.waitsSince ?? event.time,
      };
    case 'davit.replica.placed':
      return {
        ...state,
        placement: event.data.placement,
        rung: event.data.rung,
        price: event.data.price,
        waitsSince: null,
      };
    case 'davit.replica.launch-requested':
      return {
        ...enter('launching', 'asked for; waiting for the provider'),
        launch: {
          attempt: event.data.attempt,
          outcome: 'requested',
          since: event.time,
          deadlineAt: event.data.deadlineAt,
          handle: null,
          class: null,
          detail: '',
        },
      };
    case 'davit.replica.deadline-extended':
      return state.launch ? { ...state, launch: { ...state.launch, deadlineAt: event.data.deadlineAt } } : state;
    case 'davit.replica.ready':
      return { ...enter('ready', 'serving'), everReady: true };
    case 'davit.replica.drain-requested':
      return {
        ...enter('draining', event.data.reason),
        load: null,
        drain: { deadlineAt: event.data.deadlineAt, reason: event.data.reason },
      };
    case 'davit.replica.drained':
      return enter('drained', state.reason);
    case 'davit.replica.failed': {
      const { class: failureClass, reason, detail } = event.data;
      return { ...enter('failed', `${reason}: ${detail}`), failure: { class: failureClass, reason, detail } };
    }
    case 'davit.replica.delete-requested':
      return {
        ...enter('deleting', event.data.reason),
        deletion: { attempt: 0, outcome: 'requested', since: event.time, class: null, detail: '' },
      };
    case 'davit.replica.deleted':
      return enter('deleted', event.data.reason);
    case 'davit.replica.quarantined':
      return enter('quarantined', `${event.data.reason}: ${event.data.detail}`);
    case 'davit.capacity.assessed':
      if (event.data.attempt !== state.discovery.attempt) return state;
      return { ...state, assessments: { ...state.assessments, [event.data.rung]: event.data.signal } };
    case 'davit.route.registered':
      return { ...state, route: { registered: true, changedAt: event.time, snapshot: event.data.snapshot } };
    case 'davit.route.withdrawn':
      // As with a drain that begins: what the server ran before says nothing of how the drain goes.
      return {
        ...state,
        load: null,
        route: { registered: false, changedAt: event.time, snapshot: event.data.snapshot },
      };
    default:
      return state;
  }
}

function requested(data: EventData<'davit.replica.requested'>, event: RecordedEvent): ReplicaState {
  return {
    id: data.replicaId,
    tenant: event.tenant,
    deployment: data.deployment,
    revision: data.revision,
    ordinal: data.ordinal,
    incarnation: data.incarnation,
    externalKey: data.externalKey,
    mode: data.mode,
    adapter: data.adapter,
    servedName: data.servedName,
    correlationId: event.correlationid ?? null,
    status: 'requested',
    since: event.time,
    reason: data.reason,
    everReady: false,
    retryAt: null,
    waitsSince: null,
    discovery: { attempt: 0, outcome: 'pending', at: null, detail: '' },
    assessments: {},
    placement: null,
    rung: null,
    price: null,
    launch: null,
    resource: null,
    absence: { observedAt: [], confirmedAt: null, released: false },
    runtime: null,
    load: null,
    route: { registered: false, changedAt: null, snapshot: null },
    drain: null,
    failure: null,
    deletion: null,
    versions: { replica: event.version, resource: 0, runtime: 0 },
  };
}
