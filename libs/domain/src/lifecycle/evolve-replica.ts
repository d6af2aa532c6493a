import type { EventData, EventOf, RecordedEvent } from '@davit/contracts';
import { evolveResource, isProviderFact } from './evolve-resource.js';
import { evolveRuntime, isRuntimeEvent } from './evolve-runtime.js';
import { evolveMeter, evolveProgress } from './evolve-start.js';
import type { ReplicaState } from './state.js';
import { FIRST_STATUS, decisionOf, statusAfter } from './transitions.js';

/**
 * Folds one event of any category into the replica it tells of. Every event folds into every state: what the state machine
 * does not allow quarantines this replica alone, and says so (law 10).
 */
export function evolveReplica(state: ReplicaState | undefined, event: RecordedEvent): ReplicaState | undefined {
  if (!state) return event.type === 'davit.replica.requested' ? requested(event.data, event) : undefined;
  const next = isReplicaEvent(event) ? evolveDecision(state, event) : evolveSight(state, event);
  if (next === state) return state;
  const withProgress = { ...next, progress: evolveProgress(state, next, event) };
  return { ...withProgress, meter: evolveMeter(state, next, event) };
}

const isReplicaEvent = (event: RecordedEvent): event is EventOf<'replica'> => event.type.startsWith('davit.replica.');

/** What others saw of it. */
function evolveSight(state: ReplicaState, event: RecordedEvent): ReplicaState {
  if (isProviderFact(event)) return evolveResource(state, event);
  if (isRuntimeEvent(event)) return evolveRuntime(state, event);
  switch (event.type) {
    case 'davit.capacity.assessed':
      if (event.data.attempt !== state.discovery.attempt) return state;
      return { ...state, assessments: { ...state.assessments, [event.data.rung]: event.data.signal } };
    case 'davit.rollout.accepted':
      // The same endpoint serves another template from here on; its name and its life stay.
      return { ...state, revision: event.data.revision };
    case 'davit.route.registered':
      return { ...state, route: routed(event, [...otherAliases(state, event), event.data.alias].sort()) };
    case 'davit.route.withdrawn':
      // As with a drain that begins: what the server ran before says nothing of how the drain goes.
      return {
        ...state,
        load: null,
        route: routed(event, otherAliases(state, event)),
      };
    default:
      return state;
  }
}

type RouteChange = Extract<RecordedEvent, { type: 'davit.route.registered' | 'davit.route.withdrawn' }>;

const otherAliases = ({ route }: ReplicaState, { data }: RouteChange): readonly string[] =>
  route.aliases.filter((alias) => alias !== data.alias);

const routed = ({ time, data }: RouteChange, aliases: readonly string[]): ReplicaState['route'] => ({
  registered: aliases.length > 0,
  aliases,
  changedAt: time,
  snapshot: data.snapshot,
});

/** What orchestrator decided of it, as far as the state machine allows it. */
function evolveDecision(before: ReplicaState, event: EventOf<'replica'>): ReplicaState {
  const state = { ...before, versions: { ...before.versions, replica: event.version } };
  const status =
    event.type === 'davit.replica.requested' ? undefined : statusAfter(state.status, decisionOf(event.type));
  if (status === undefined) {
    const name = event.type.slice('davit.replica.'.length);
    const reason = `impossible step: "${name}" at position ${event.position} does not fit a replica that is ${state.status}`;
    return { ...state, status: 'quarantined', since: event.time, reason };
  }
  const enter = (reason: string): ReplicaState => ({ ...state, status, reason, since: event.time });
  switch (event.type) {
    case 'davit.replica.requested':
      return state;
    case 'davit.replica.discovery-requested':
      return {
        ...enter('looking for a resource of this name before asking for one'),
        discovery: { attempt: event.data.attempt, outcome: 'pending', at: null, detail: '' },
        assessments: {},
        retryAt: null,
      };
    case 'davit.replica.deferred':
      return {
        ...enter(event.data.reason),
        retryAt: event.data.retryAt,
        waitsSince: state.waitsSince ?? event.time,
        waitsFor: event.data.waitsFor ?? 'capacity',
      };
    case 'davit.replica.placed': {
      const { placement, rung, price } = event.data;
      return { ...state, placement, rung, price, waitsSince: null };
    }
    case 'davit.replica.launch-requested':
      return {
        ...enter('asked for; waiting for the provider'),
        launch: {
          attempt: event.data.attempt,
          outcome: 'requested',
          since: event.time,
          deadlineAt: event.data.deadlineAt,
          requestedAt: event.time,
          handle: null,
          class: null,
          detail: '',
        },
      };
    case 'davit.replica.deadline-extended':
      return state.launch ? { ...state, launch: { ...state.launch, deadlineAt: event.data.deadlineAt } } : state;
    case 'davit.replica.ready':
      return { ...enter('serving'), everReady: true, readyAt: event.time };
    case 'davit.replica.drain-requested':
      return {
        ...enter(event.data.reason),
        load: null,
        drain: { deadlineAt: event.data.deadlineAt, reason: event.data.reason },
      };
    case 'davit.replica.drained': {
      const { outcome, cutRequests } = event.data;
      return { ...enter(state.reason), drain: state.drain && { ...state.drain, ended: { outcome, cutRequests } } };
    }
    case 'davit.replica.failed': {
      const { class: failureClass, reason, detail } = event.data;
      return { ...enter(`${reason}: ${detail}`), failure: { class: failureClass, reason, detail } };
    }
    case 'davit.replica.delete-requested':
      return {
        ...enter(event.data.reason),
        // Attempts are counted through the whole life: a deletion that had to be reopened is never confused with the first.
        deletion: {
          attempt: state.deletion?.attempt ?? 0,
          outcome: 'requested',
          since: event.time,
          class: null,
          detail: '',
        },
      };
    case 'davit.replica.deleted':
      return enter(event.data.reason);
    case 'davit.replica.quarantined':
      return enter(`${event.data.reason}: ${event.data.detail}`);
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
    status: FIRST_STATUS,
    since: event.time,
    reason: data.reason,
    everReady: false,
    readyAt: null,
    progress: null,
    meter: null,
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
    route: { registered: false, aliases: [], changedAt: null, snapshot: null },
    drain: null,
    failure: null,
    deletion: null,
    versions: { replica: event.version, resource: 0, runtime: 0 },
  };
}
