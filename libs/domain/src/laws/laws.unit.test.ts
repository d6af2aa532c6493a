import { describe, expect, it } from '@jest/globals';
import { type NewEvent, stream } from '@davit/contracts';
import { externalKeyOf } from '../identity.js';
import { History } from '../testing/history.js';
import { LAWS, checkLaws } from './index.js';

const KEY = 'default/qwen';
const identity = { deployment: KEY, revision: 1, ordinal: 0, incarnation: 1 };
const replicaId = `${KEY}-1-0-1`;
const externalKey = externalKeyOf(identity, 'test');
const owner = { externalKey, replicaId, adapter: 'skypilot' };
const resource = stream.resource(externalKey);
const url = 'http://127.0.0.1:9000';
const target = { replica: replicaId, deployment: KEY, revision: 1, url, model: 'qwen' };
const at = '2026-01-01T00:00:00.000Z';

const EVENTS = {
  requested: [
    stream.replica(replicaId),
    {
      type: 'davit.replica.requested',
      data: {
        replicaId,
        ...identity,
        externalKey,
        mode: 'elastic',
        adapter: 'skypilot',
        servedName: 'qwen',
        reason: '',
        replaces: null,
      },
    },
  ],
  attempted: [
    resource,
    { type: 'davit.resource.launch-attempted', data: { ...owner, attempt: 1, placement: null, leaseEpoch: 5 } },
  ],
  attemptedAgain: [
    resource,
    { type: 'davit.resource.launch-attempted', data: { ...owner, attempt: 2, placement: null, leaseEpoch: 5 } },
  ],
  attemptedByOldOwner: [
    resource,
    { type: 'davit.resource.delete-attempted', data: { ...owner, attempt: 1, leaseEpoch: 4 } },
  ],
  accepted: [
    resource,
    { type: 'davit.resource.launch-accepted', data: { ...owner, attempt: 1, handle: null, resolvedBy: 'reply' } },
  ],
  unknown: [resource, { type: 'davit.resource.launch-unknown', data: { ...owner, attempt: 1, detail: '' } }],
  absent: [resource, { type: 'davit.resource.absence-observed', data: { ...owner, by: 'key', inventoryRows: null } }],
  confirmed: [
    resource,
    { type: 'davit.resource.absence-confirmed', data: { ...owner, observedAt: [at, at], inventoryRows: 0 } },
  ],
  seen: [
    resource,
    {
      type: 'davit.resource.observed',
      data: { ...owner, phase: 'up', url, providerId: null, price: null, class: null, detail: '' },
    },
  ],
  deleted: [stream.replica(replicaId), { type: 'davit.replica.deleted', data: { replicaId, reason: '' } }],
  deleteRequested: [
    stream.replica(replicaId),
    { type: 'davit.replica.delete-requested', data: { replicaId, reason: 'not wanted any more' } },
  ],
  ready: [
    stream.runtime(replicaId),
    {
      type: 'davit.runtime.became-ready',
      data: { replicaId, url, servedModel: 'qwen', evidence: { healthMs: 1, modelsMs: 1, inferenceMs: null } },
    },
  ],
  publishedEmpty: [
    stream.route(KEY),
    { type: 'davit.route.snapshot-published', data: { alias: KEY, snapshot: 1, targets: [], digest: '0'.repeat(64) } },
  ],
  published: [
    stream.route(KEY),
    {
      type: 'davit.route.snapshot-published',
      data: { alias: KEY, snapshot: 1, targets: [target], digest: '0'.repeat(64) },
    },
  ],
  registered: [stream.route(KEY), { type: 'davit.route.registered', data: { alias: KEY, snapshot: 1, target } }],
  withdrawn: [
    stream.route(KEY),
    { type: 'davit.route.withdrawn', data: { alias: KEY, snapshot: 2, replica: replicaId, reason: '' } },
  ],
} satisfies Record<string, readonly [string, NewEvent]>;

const violated = (names: readonly (keyof typeof EVENTS)[], ended = false): string[] => {
  const history = new History();
  for (const name of names) history.append(...(EVENTS[name] as [string, NewEvent])).later(1_000);
  return [...new Set(checkLaws(history.events, { ended }).map(({ law }) => law.slice(0, 6)))];
};

describe('the laws, held against a log', () => {
  it('accept a life that keeps them', () => {
    const life = [
      'requested',
      'attempted',
      'accepted',
      'seen',
      'ready',
      'registered',
      'published',
      'withdrawn',
      'publishedEmpty',
      'deleteRequested',
      'absent',
      'absent',
      'confirmed',
      'deleted',
    ] as const;
    expect(violated(life, true)).toEqual([]);
  });

  it.each([
    ['law-02', ['attempted']],
    ['law-02', ['requested', 'accepted']],
    ['law-03', ['requested', 'attempted', 'attemptedAgain']],
    ['law-03', ['requested', 'attempted', 'unknown', 'attemptedAgain']],
    ['law-05', ['requested', 'deleted']],
    ['law-05', ['requested', 'absent', 'absent', 'confirmed', 'seen', 'deleted']],
    ['law-05', ['requested', 'absent', 'seen', 'absent', 'confirmed']],
    ['law-06', ['requested', 'requested']],
    ['law-07', ['requested', 'attempted', 'accepted', 'attemptedByOldOwner']],
    ['law-08', ['requested', 'attempted', 'accepted', 'attempted']],
    ['law-08', ['requested', 'ready', 'registered', 'registered']],
    ['law-08', ['requested', 'withdrawn']],
    ['law-11', ['requested', 'registered']],
    ['law-11', ['requested', 'ready', 'registered', 'deleteRequested']],
    ['law-11', ['requested', 'ready', 'deleteRequested', 'registered']],
    ['law-11', ['requested', 'ready', 'registered', 'publishedEmpty']],
    ['law-11', ['requested', 'ready', 'registered', 'withdrawn', 'published']],
  ] as const)('%s is violated by %j', (law, names) => {
    expect(violated(names)).toContain(law);
  });

  it('law-03 wants an answer to every attempt once everything has ended', () => {
    expect(violated(['requested', 'attempted', 'unknown'], false)).toEqual([]);
    expect(violated(['requested', 'attempted', 'unknown'], true)).toEqual(['law-03']);
  });

  it('law-01 sees a gap in the positions', () => {
    const history = new History();
    for (const name of ['requested', 'attempted', 'accepted'] as const)
      history.append(...(EVENTS[name] as [string, NewEvent]));
    const withGap = history.events.filter(({ position }) => position !== 2);
    expect(checkLaws(withGap, { ended: false }).map(({ law }) => law)).toContain('law-01-the-log-is-the-only-truth');
  });

  it('have names of their own', () => {
    expect(new Set(LAWS.map(({ name }) => name)).size).toBe(LAWS.length);
  });
});
