import { describe, expect, it } from '@jest/globals';
import { type NewEvent, type RecordedEvent, stream } from '@davit/contracts';
import { decideReplica } from '../replica/decide.js';
import { nextResourceStep } from '../resource/decide.js';
import { Fleet, KEY } from '../testing/fleet.js';
import { waitOf } from '../wait/wait-of.js';
import { evolveReplica } from './evolve-replica.js';
import type { ReplicaState } from './state.js';
import { REPLICA_STATUSES, REPLICA_TRANSITIONS, type ReplicaDecision, statusAfter } from './transitions.js';

const ID = `${KEY}-1-0-1`;
const AT = '2026-01-01T00:00:00.000Z';
const why = { reason: 'x', detail: 'y' };
const id = { replicaId: ID };
const rented = { externalKey: 'dv-test-1', ...id, adapter: 'skypilot' };
const server = { ...id, url: 'http://10.0.0.1:8000' };
const target = { replica: ID, deployment: KEY, revision: 1, url: server.url, model: 'qwen' };

const DECISIONS: Readonly<Record<ReplicaDecision, object>> = {
  'discovery-requested': { attempt: 2 },
  placed: { rung: null, placement: null, adopted: true, price: null, evidence: [] },
  deferred: { reason: 'no stock', retryAt: AT, evidence: [] },
  'launch-requested': { attempt: 1, deadlineAt: AT },
  'deadline-extended': { deadlineAt: AT, capAt: AT, reason: 'loading' },
  ready: { url: server.url, servedModel: 'qwen' },
  'drain-requested': { reason: 'x', deadlineAt: AT },
  drained: { outcome: 'idle', cutRequests: 0 },
  'delete-requested': { reason: 'x' },
  deleted: { reason: 'proven gone' },
  failed: { class: 'transient', ...why, placement: null, hadServed: false },
  quarantined: why,
};

const sight = (type: string, data: object): NewEvent => ({ type, data }) as unknown as NewEvent; // checked by the catalogue
const PROVIDER_FACTS: Readonly<Record<string, object>> = {
  discovered: { attempt: 1, outcome: 'absent', detail: '' },
  'launch-attempted': { attempt: 1, placement: null, leaseEpoch: 1 },
  'launch-accepted': { attempt: 1, handle: null, resolvedBy: 'reply' },
  'launch-refused': { attempt: 1, class: 'config', detail: '' },
  'launch-unknown': { attempt: 1, detail: '' },
  observed: { phase: 'up', url: null, providerId: null, price: null, class: null, detail: '' },
  diagnosed: { boundary: 'image', class: 'config', detail: 'x', remedy: 'y' },
  'delete-attempted': { attempt: 1, leaseEpoch: 1 },
  'delete-accepted': { attempt: 1, detail: '' },
  'delete-refused': { attempt: 1, class: 'auth', detail: '' },
  'delete-unknown': { attempt: 1, detail: '' },
  'absence-observed': { by: 'key', inventoryRows: null },
  'absence-confirmed': { observedAt: [AT, AT], inventoryRows: 0 },
  drifted: { what: 'vanished', was: 'x', is: 'y', detail: '' },
  adopted: { detail: '' },
  released: { detail: '' },
};
/** What others may report at any time. */
const SIGHTS: readonly (readonly [string, NewEvent])[] = [
  ...['resource', 'endpoint'].flatMap((category) =>
    Object.entries(PROVIDER_FACTS).map(
      ([name, data]) => [`${category}/dv-test-1`, sight(`davit.${category}.${name}`, { ...rented, ...data })] as const,
    ),
  ),
  [`runtime/${ID}`, sight('davit.runtime.probing-started', { ...server, expectedModel: 'qwen' })],
  [
    `runtime/${ID}`,
    sight('davit.runtime.became-ready', {
      ...server,
      servedModel: 'qwen',
      evidence: { healthMs: 1, modelsMs: 1, inferenceMs: 1 },
    }),
  ],
  [
    `runtime/${ID}`,
    sight('davit.runtime.became-unready', { ...server, reason: 'loading', detail: '', consecutiveFailures: 5 }),
  ],
  [`runtime/${ID}`, sight('davit.runtime.model-mismatched', { ...server, expected: 'qwen', found: [] })],
  [
    `runtime/${ID}`,
    sight('davit.runtime.load-summarised', { ...id, running: null, waiting: null, kvCacheUsage: null }),
  ],
  ['route/default/qwen', sight('davit.route.registered', { alias: 'default/qwen', snapshot: 1, target })],
  [
    'route/default/qwen',
    sight('davit.route.withdrawn', { alias: 'default/qwen', snapshot: 2, replica: ID, reason: 'x' }),
  ],
];

/** How a replica comes into each state by what the deciders write. */
const PATHS: Readonly<Record<string, readonly ReplicaDecision[]>> = {
  requested: [],
  deferred: ['deferred'],
  launching: ['launch-requested'],
  ready: ['launch-requested', 'ready'],
  draining: ['launch-requested', 'ready', 'drain-requested'],
  drained: ['launch-requested', 'ready', 'drain-requested', 'drained'],
  failed: ['launch-requested', 'failed'],
  deleting: ['delete-requested'],
  deleted: ['delete-requested', 'deleted'],
  quarantined: ['quarantined'],
};

const decided = (decision: ReplicaDecision | 'requested', data: object): NewEvent =>
  sight(`davit.replica.${decision}`, { ...id, ...data });

function fleetAt(status: string): Fleet {
  const fleet = new Fleet();
  fleet.declare().apply([]);
  fleet.append(stream.replica(ID), requestedEvent());
  for (const decision of PATHS[status] ?? []) fleet.append(stream.replica(ID), decided(decision, DECISIONS[decision]));
  return fleet;
}

const requestedEvent = (): NewEvent =>
  decided('requested', {
    ...{ deployment: KEY, revision: 1, ordinal: 0, incarnation: 1, externalKey: 'dv-test-1', mode: 'elastic' },
    ...{ adapter: 'skypilot', servedName: 'qwen', reason: 'x', replaces: null },
  });

describe('the state machine of a replica', () => {
  it.each(REPLICA_STATUSES)('follows its table from "%s", and quarantines what the table does not allow', (status) => {
    expect(fleetAt(status).replica(ID).status).toBe(status);
    for (const [decision, data] of Object.entries(DECISIONS) as [ReplicaDecision, object][]) {
      const after = fleetAt(status).append(stream.replica(ID), decided(decision, data)).replica(ID);
      const allowed = statusAfter(status, decision);
      expect([decision, after.status]).toEqual([decision, allowed ?? 'quarantined']);
      if (allowed === undefined) expect(after.reason).toContain(`"${decision}" at position`);
    }
  });

  it('quarantines a replica that is asked for twice, and keeps what is known of it', () => {
    const after = fleetAt('ready').append(stream.replica(ID), requestedEvent()).replica(ID);
    expect(after).toMatchObject({ status: 'quarantined', everReady: true, versions: { replica: 4 } });
  });

  it('folds every event in every state, and every state that can be written is one that a restart can go on from', () => {
    for (const status of REPLICA_STATUSES) {
      for (const [name, event] of SIGHTS) {
        const fleet = fleetAt(status).append(name, event);
        const stored = JSON.parse(JSON.stringify(fleet.replica(ID))) as ReplicaState; // as the projection stores it
        expect(stored).toEqual(fleet.replica(ID));
        expect(stored.status).toBe(status);
        decideReplica(stored, fleet.deployment(KEY), fleet.nowMs);
        nextResourceStep(stored, fleet.nowMs);
        expect(waitOf(stored) === null).toBe(
          status === 'deleted' ||
            (status === 'ready' && stored.route.registered && stored.runtime?.status !== 'unready'),
        );
      }
    }
  });

  it('ignores events about a replica that was never asked for', () => {
    const [event] = fleetAt('requested').events.slice(-1) as [RecordedEvent];
    const ready = { ...event, type: 'davit.replica.ready', data: { ...id, ...DECISIONS.ready } } as RecordedEvent; // as recorded
    expect(evolveReplica(undefined, ready)).toBeUndefined();
  });

  it('leads from every state to "deleted"', () => {
    for (const status of REPLICA_STATUSES) {
      const reached = new Set([status]);
      for (const at of reached) for (const next of Object.values(REPLICA_TRANSITIONS[at])) reached.add(next);
      expect([status, reached.has('deleted')]).toEqual([status, true]);
    }
  });

  it('law-10: holds the slot of a replica that is quarantined before it served, says so, and deletes it when asked', () => {
    const fleet = fleetAt('quarantined').settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'quarantined' });
    expect(fleet.deployment(KEY).conditions['Progressing']).toMatchObject({ status: 'false', reason: 'Quarantined' });
    expect(fleet.retry()).toMatchObject({ outcome: 'accepted', changed: true });
    expect(fleet.settle().statuses()).toEqual({ '1-0-1': 'deleting' });
    expect(fleet.proveGone(ID).statuses()).toEqual({ '1-0-2': 'requested' });
  });

  it('deletes again, under attempts that go on counting, what is seen again after it was proven gone', () => {
    const fleet = fleetAt('deleting');
    const name = 'resource/dv-test-1';
    fleet.append(name, sight('davit.resource.delete-attempted', { ...rented, attempt: 1, leaseEpoch: 1 }));
    const absent = sight('davit.resource.absence-observed', { ...rented, by: 'key', inventoryRows: null });
    fleet.append(name, absent).append(name, absent);
    fleet.later(1_000).remove().proveGone(ID);
    expect(fleet.deployment(KEY).status).toBe('deleted');
    const gone = fleet.replica(ID);
    expect(gone.status).toBe('deleted');
    expect(decideReplica(gone, fleet.deployment(KEY), fleet.nowMs).writes).toEqual([]);

    fleet.later(60_000).observe(ID, 'up');
    fleet.apply(decideReplica(fleet.replica(ID), fleet.deployment(KEY), fleet.nowMs).writes);
    expect(fleet.replica(ID)).toMatchObject({ status: 'deleting', deletion: { attempt: 1, outcome: 'requested' } });
    expect(nextResourceStep(fleet.replica(ID), fleet.nowMs)).toEqual({ do: 'delete', attempt: 2 });
  });
});
