import type { EventData, EventOf, NormalisedDeployment, RecordedEvent } from '@davit/contracts';
import { streamKeyOf } from '@davit/contracts';
import { parseReplicaId } from '../identity.js';
import { isRefusal } from '../replica/failure.js';
import { withoutKey } from '../without-key.js';
import { rememberFirstPrice } from '../placement/first-prices.js';
import { type DeploymentState, type Refusal, STABLE_MS } from './state.js';
import { evolveNote, isNoted } from './evolve-note.js';
import { evolveWaits } from './evolve-waits.js';

const REFUSALS_KEPT = 50;
/** As many as `readiness.maxFailedStarts` may ask for. */
const PAID_KEPT = 100;

/** Folds one event into a deployment. Events of its replicas count too: they use up incarnations and tell of refusals. */
export function evolveDeployment(
  state: DeploymentState | undefined,
  event: RecordedEvent,
): DeploymentState | undefined {
  if (isDeploymentEvent(event)) return evolveOwn(state, event);
  if (!state) return state;
  if (isNoted(event)) return evolveNote(state, event);
  switch (event.type) {
    case 'davit.replica.requested': {
      const slot = `${event.data.revision}/${event.data.ordinal}`;
      const used = Math.max(state.incarnations[slot] ?? 0, event.data.incarnation);
      const incarnations = { ...state.incarnations, [slot]: used };
      return { ...state, incarnations, heldBack: withoutKey(state.heldBack, slot) };
    }
    case 'davit.replica.placed':
      return placed(state, event.data);
    case 'davit.replica.ready': {
      const slot = slotOf(event.data.replicaId);
      const readySince = { ...state.readySince, [slot]: event.time };
      return { ...state, readySince, waits: withoutKey(state.waits, slot) };
    }
    case 'davit.replica.drain-requested':
      return stableAt(heldBackBy(state, event.data, event.time), slotOf(event.data.replicaId), event.time);
    case 'davit.replica.delete-requested': {
      const next = heldBackBy(state, event.data, event.time);
      return { ...next, waits: evolveWaits(next.waits, slotOf(event.data.replicaId), event) };
    }
    case 'davit.replica.deferred':
      return { ...state, waits: evolveWaits(state.waits, slotOf(event.data.replicaId), event) };
    case 'davit.replica.failed':
      return {
        ...rememberFailure(state, event.data, event.time),
        waits: evolveWaits(state.waits, slotOf(event.data.replicaId), event),
      };
    default:
      return state;
  }
}

function evolveOwn(state: DeploymentState | undefined, event: EventOf<'deployment'>): DeploymentState | undefined {
  const version = event.version;
  if (event.type === 'davit.deployment.declared') return declared(state, event.data, event);
  if (!state) return state;
  switch (event.type) {
    case 'davit.deployment.deletion-requested':
      // Nothing of it is meant to serve any more: a life after this begins without a revision to keep up or to go back to.
      return ordered(
        { ...withoutPause(state), status: 'deleting', activeRevision: null, heldBack: {}, waits: {} },
        event,
      );
    case 'davit.deployment.retry-requested':
      return ordered({ ...state, failedStarts: {}, retriedAt: event.time }, event);
    case 'davit.deployment.paused': {
      const { reason } = event.data;
      return ordered({ ...state, paused: { since: event.time, reason, actor: event.actor ?? null } }, event);
    }
    case 'davit.deployment.resumed':
      return ordered(withoutPause(state), event);
    case 'davit.deployment.revision-activated':
      return activated(state, event.data.revision, version);
    case 'davit.deployment.condition-changed': {
      const { condition, status, reason, message } = event.data;
      return {
        ...state,
        conditions: { ...state.conditions, [condition]: { status, reason, message, since: event.time } },
        version,
      };
    }
    case 'davit.deployment.rollout-approved':
    case 'davit.deployment.rollout-rejected':
    case 'davit.deployment.rollout-aborted':
      return ordered(state, event);
    case 'davit.deployment.deleted':
      return { ...state, status: 'deleted', activeRevision: null, conditions: {}, version };
  }
}

/** A user asked for it: what follows leads back to this intent. */
const ordered = (state: DeploymentState, { correlationid, position, version }: RecordedEvent): DeploymentState => ({
  ...state,
  correlationId: correlationid ?? null,
  orderPosition: position,
  version,
});

/** The same deployment as if nobody had paused it. */
export function withoutPause(state: DeploymentState): DeploymentState {
  const resumed: { -readonly [Key in keyof DeploymentState]: DeploymentState[Key] } = { ...state };
  delete resumed.paused;
  return resumed;
}

function declared(
  before: DeploymentState | undefined,
  { spec, revision, generation, templateDigest, intentId }: EventData<'davit.deployment.declared'>,
  event: RecordedEvent,
): DeploymentState {
  const state: Remembered = before ?? NEVER_DECLARED;
  const kept = <Value>(slots: Readonly<Record<string, Value>>) => stillCounted(state, revision, slots);
  return {
    key: streamKeyOf(event.stream),
    tenant: spec.metadata.tenant,
    name: spec.metadata.name,
    status: 'active',
    generation,
    revision,
    activeRevision: state.activeRevision,
    templateDigest,
    spec,
    revisions: { ...state.revisions, [revision]: spec },
    incarnations: state.incarnations,
    failedStarts: kept(state.failedStarts),
    readySince: state.readySince,
    retriedAt: state.retriedAt,
    aliases: [...new Set([...state.aliases, ...aliasesIn(spec)])],
    conditions: state.conditions,
    refusals: state.refusals,
    heldBack: kept(state.heldBack),
    declaration: event.id,
    declaredAt: state.status === 'deleted' ? event.time : state.declaredAt,
    firstPrices: {},
    waits: wantedSlots(kept(state.waits), spec.spec.scaling.replicas),
    // A life after a deletion is not paused.
    ...(state.paused && state.status === 'active' ? { paused: state.paused } : {}),
    ...(state.rollout ? { rollout: state.rollout } : {}),
    orderPosition: event.position,
    intentId,
    correlationId: event.correlationid ?? null,
    version: event.version,
  };
}

type Remembered = Omit<
  DeploymentState,
  | 'key'
  | 'tenant'
  | 'name'
  | 'generation'
  | 'templateDigest'
  | 'spec'
  | 'firstPrices'
  | 'orderPosition'
  | 'intentId'
  | 'correlationId'
  | 'version'
>;

/** What is remembered of a deployment that was never declared before: nothing, as of one that is gone. */
const NEVER_DECLARED = {
  status: 'deleted',
  revision: 0,
  activeRevision: null,
  revisions: {},
  incarnations: {},
  failedStarts: {},
  readySince: {},
  retriedAt: null,
  aliases: [],
  conditions: {},
  refusals: [],
  heldBack: {},
  declaredAt: '',
  waits: {},
} satisfies Remembered;

/** Aliases that a specification asks for, with its tenant. */
export const aliasesIn = ({ metadata, spec }: NormalisedDeployment): readonly string[] =>
  [spec.model.servedName, ...(spec.routing?.aliases ?? [])].map((name) => `${metadata.tenant}/${name}`);

/** Another template, or life after a deletion: what failed before says nothing of it, but still of what serves meanwhile. */
const stillCounted = <Value>(
  { status, revision, activeRevision }: Pick<DeploymentState, 'status' | 'revision' | 'activeRevision'>,
  declaredRevision: number,
  slots: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> =>
  status === 'active' && revision === declaredRevision ? slots : slotsOf(activeRevision, slots);

/** Slots of an older revision are neither filled nor waited for any more. */
function activated(state: DeploymentState, revision: number, version: number): DeploymentState {
  const ofNewest = <Value>(slots: Readonly<Record<string, Value>>) => slotsOf(state.revision, slots);
  const [waits, heldBack] = [ofNewest(state.waits), ofNewest(state.heldBack)];
  return { ...state, activeRevision: revision, waits, heldBack, version };
}

/** Only the lowest ordinals are filled: where fewer are wanted, nothing waits beyond them. */
const wantedSlots = <Value>(
  slots: Readonly<Record<string, Value>>,
  replicas: number,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(slots).filter(([slot]) => Number(slot.split('/')[1]) < replicas));

function placed(state: DeploymentState, data: EventData<'davit.replica.placed'>): DeploymentState {
  const revision = parseReplicaId(data.replicaId)?.revision;
  if (revision === undefined) return state;
  const firstPrices = rememberFirstPrice(state.firstPrices, revision, data);
  return firstPrices === state.firstPrices ? state : { ...state, firstPrices };
}

/** A budget ended a replica: its slot stays empty until there is room for what it cost. */
function heldBackBy(
  state: DeploymentState,
  { replicaId, budget }: EventData<'davit.replica.drain-requested'> | EventData<'davit.replica.delete-requested'>,
  since: string,
): DeploymentState {
  if (!budget) return state;
  return { ...state, heldBack: { ...state.heldBack, [slotOf(replicaId)]: { replicaId, since, budget } } };
}

function rememberFailure(
  before: DeploymentState,
  failure: EventData<'davit.replica.failed'>,
  at: string,
): DeploymentState {
  const { replicaId, hadServed } = failure;
  const slot = slotOf(replicaId);
  const refused = isRefusal(failure.class);
  const state = refused ? withRefusal(before, { placement: failure.placement, class: failure.class, at }) : before;
  if (hadServed && wasStable(state, slot, at)) return stableAt(state, slot, at);
  // A rung without stock is no failed start: the next rung is tried, and this one is left alone for a while (law 9). Where
  // there was a machine, it was one.
  if (!hadServed && refused && failure.placement !== null && failure.machine !== true) return state;
  const past = state.failedStarts[slot];
  const paid = failure.paid ?? failure.reason !== 'launch refused';
  const starts = {
    count: (past?.count ?? 0) + 1,
    paid: paid ? [...(past?.paid ?? []), replicaId].slice(-PAID_KEPT) : (past?.paid ?? []),
    lastAt: at,
    lastReplica: replicaId,
    lastServed: hadServed,
    reason: `${failure.reason}: ${failure.detail}`,
  };
  return { ...state, failedStarts: { ...state.failedStarts, [slot]: starts } };
}

const withRefusal = (state: DeploymentState, refusal: Refusal): DeploymentState => ({
  ...state,
  refusals: [...state.refusals, refusal].slice(-REFUSALS_KEPT),
});

const wasStable = ({ readySince }: DeploymentState, slot: string, at: string): boolean => {
  const since = readySince[slot];
  return since !== undefined && Date.parse(at) - Date.parse(since) >= STABLE_MS;
};

/** A replica of the slot served until `at`: if it did so for long enough, the count of failed starts begins anew. */
const stableAt = (state: DeploymentState, slot: string, at: string): DeploymentState =>
  slot in state.failedStarts && wasStable(state, slot, at)
    ? { ...state, failedStarts: withoutKey(state.failedStarts, slot) }
    : state;

const slotOf = (replicaId: string): string => {
  const identity = parseReplicaId(replicaId);
  return identity ? `${identity.revision}/${identity.ordinal}` : replicaId;
};

const slotsOf = <Value>(
  revision: number | null,
  slots: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(slots).filter(([slot]) => slot.startsWith(`${revision}/`)));

function isDeploymentEvent(event: RecordedEvent): event is EventOf<'deployment'> {
  return event.type.startsWith('davit.deployment.');
}

/** Key of the deployment that an event about a replica belongs to. */
export const deploymentKeyOf = (replicaId: string): string | undefined => parseReplicaId(replicaId)?.deployment;
