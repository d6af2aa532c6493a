import { describe, expect, test } from '@jest/globals';
import type { OrphanState, ReplicaState } from '../lifecycle/state.js';
import type { SeenThing } from './claim.js';
import {
  decideHidden,
  decideMissing,
  decideSighting,
  nextLookMs,
  type OrphanDecision,
  type OrphanPolicy,
  type OrphanRules,
  reapDueMs,
} from './decide.js';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const iso = (offsetMs: number): string => new Date(NOW + offsetMs).toISOString();
const RULES: OrphanRules = {
  policy: 'auto',
  quarantineMs: 900_000,
  youngMs: 30_000,
  absenceSpacingMs: 20_000,
  deleteRetryMs: 60_000,
};
const SCOPE = { adapter: 'skypilot', category: 'resource' } as const;
const KEY = 'dv-abcde-aaaaaaaaaaaaaaaaa';

const thing = (providerId: string | null): SeenThing => ({
  externalKey: KEY,
  phase: 'up',
  providerId,
  source: 'cloud',
  price: null,
  detail: 'pod',
});

/** Only what the decision reads. */
const owner = (status: ReplicaState['status'], changes: object = {}): ReplicaState =>
  ({
    id: 'default/qwen-1-0-1',
    externalKey: KEY,
    tenant: 'acme',
    status,
    everReady: true,
    resource: { providerId: 'a', url: 'http://10.0.0.1:8000' },
    absence: { observedAt: [], confirmedAt: status === 'deleted' ? iso(-60_000) : null, released: false },
    versions: { replica: 5, resource: 7, runtime: 1 },
    ...changes,
  }) as unknown as ReplicaState;

const orphan = (changes: Partial<OrphanState> = {}): OrphanState => ({
  key: `skypilot:${KEY}@b`,
  tenant: 'acme',
  externalKey: KEY,
  adapter: 'skypilot',
  category: 'resource',
  providerId: 'b',
  replicaId: null,
  reason: 'no-owner',
  policy: 'auto',
  status: 'quarantined',
  foundAt: iso(-1_000_000),
  quarantinedUntil: iso(-100_000),
  price: null,
  approved: null,
  deletion: null,
  absence: { observedAt: [], confirmedAt: null, released: false },
  detail: '',
  version: 3,
  ...changes,
});

const asked = (outcome: 'attempted' | 'accepted', sinceMs: number) =>
  ({
    status: 'reaping',
    deletion: { attempt: 1, outcome, since: iso(sinceMs), class: null, detail: '' },
    attempts: 1,
  }) as const;
const approved = { approved: { intentId: '1', at: iso(-200_000) } };

const sighting = (changes: Partial<Parameters<typeof decideSighting>[0]> = {}) => ({
  scope: SCOPE,
  thing: thing('b'),
  namesakes: [thing('b')],
  owner: undefined,
  known: undefined,
  firstSeenMs: NOW - 60_000,
  alarmed: false,
  frozen: false,
  rules: RULES,
  nowMs: NOW,
  ...changes,
});

/** Facts by name, each with the stream it is written to. */
function told(decision: OrphanDecision): string {
  if (decision.do !== 'append') return decision.do;
  return decision.writes
    .map(({ stream, events }) => {
      const where = stream === 'fleet/alarms' ? '' : stream.includes('@') ? '@' : 'owner ';
      return `${where}${events.map(({ type }) => type.replace(/^davit\.\w+\./, '')).join('+')}`;
    })
    .join(', ');
}

const live = owner('ready');
const both = [thing('a'), thing('b')];

describe('a thing that an inventory shows', () => {
  test.each([
    ['of nobody is found, and an alarm says so', {}, '@orphan-found, alarm-raised'],
    ['of nobody is found without a second alarm', { alarmed: true }, '@orphan-found'],
    ['of nobody is left alone while it is young', { firstSeenMs: NOW - 29_999 }, 'nothing'],
    ['beside the recorded one is found', { owner: live, namesakes: both }, '@orphan-found, alarm-raised'],
    ['in the place of the recorded one is left alone', { owner: live }, 'nothing'],
    ['that is the recorded one is left alone', { owner: live, thing: thing('a'), namesakes: both }, 'nothing'],
    ['of an owner that is gone and had another is found', { owner: owner('deleted') }, '@orphan-found, alarm-raised'],
    [
      'that was proven gone opens the deletion of its owner again',
      { owner: owner('deleted'), thing: thing('a'), namesakes: [thing('a')] },
      'owner observed+drifted',
    ],
    [
      'that opened it again opens it once',
      {
        owner: owner('deleted', { absence: { observedAt: [], confirmedAt: null, released: false } }),
        thing: thing('a'),
        namesakes: [thing('a')],
      },
      'nothing',
    ],
    ['that was let go is left alone', { owner: owner('deleted', { absence: { released: true } }) }, 'nothing'],
    ['in quarantine is left alone', { known: orphan({ quarantinedUntil: iso(1) }) }, 'nothing'],
    ['after its quarantine is reaped', { known: orphan() }, 'reap'],
    ['is not reaped while the fleet is frozen', { known: orphan(), frozen: true }, 'nothing'],
    ['is not reaped without an approval', { known: orphan({ policy: 'approve' }) }, 'nothing'],
    ['is reaped with an approval', { known: orphan({ policy: 'approve', ...approved }) }, 'reap'],
    [
      'is not reaped before the end of its quarantine, approved or not',
      { known: orphan({ policy: 'approve', ...approved, quarantinedUntil: iso(1) }) },
      'nothing',
    ],
    ['is never reaped where it is only reported', { known: orphan({ policy: 'report', ...approved }) }, 'nothing'],
    ['is not asked for again at once', { known: orphan(asked('accepted', -59_999)) }, 'nothing'],
    ['is asked for again when nothing came of it', { known: orphan(asked('accepted', -60_000)) }, 'reap'],
    [
      'that was not seen before is seen again, and not reaped in the same breath',
      { known: orphan({ absence: { observedAt: [iso(-5_000)], confirmedAt: null, released: false } }) },
      '@observed',
    ],
    [
      'whose owner has turned up is no orphan any more',
      { known: orphan(), owner: owner('ready', { resource: { providerId: 'b' } }), alarmed: true },
      '@orphan-cleared, alarm-cleared',
    ],
    [
      'whose owner turns up while its deletion is unanswered leaves no attempt without an outcome',
      { known: orphan(asked('attempted', -1_000)), owner: owner('ready', { resource: { providerId: 'b' } }) },
      '@delete-unknown+orphan-cleared',
    ],
    ['that was cleared is found anew', { known: orphan({ status: 'cleared' }) }, '@orphan-found, alarm-raised'],
    [
      'that came back from proven absence is found anew',
      { known: orphan({ status: 'gone' }) },
      '@orphan-found, alarm-raised',
    ],
  ] as const)('%s', (_, changes, expected) => {
    expect(told(decideSighting(sighting(changes)))).toBe(expected);
  });

  test('reopens its owner only where nothing was written to it since', () => {
    const decision = decideSighting(sighting({ owner: owner('deleted'), thing: thing('a'), namesakes: [thing('a')] }));
    expect(decision).toMatchObject({
      tenant: 'acme',
      writes: [{ stream: `resource/${KEY}`, expectedVersion: 7, events: [{ data: { providerId: 'a' } }, {}] }],
    });
  });

  test('is told with its reason, its quarantine and the policy, and with attempts that go on', () => {
    const found = decideSighting(sighting({ owner: live, namesakes: both }));
    expect(found).toMatchObject({
      writes: [
        {
          expectedVersion: 0,
          events: [{ data: { reason: 'duplicate', quarantinedUntil: iso(900_000), policy: 'auto', providerId: 'b' } }],
        },
        {},
      ],
    });
    expect(decideSighting(sighting({ known: orphan({ ...asked('accepted', -60_000), attempts: 4 }) }))).toMatchObject({
      do: 'reap',
      attempt: 5,
    });
  });
});

describe('whether an orphan may be deleted', () => {
  const policies: readonly OrphanPolicy[] = ['report', 'approve', 'auto'];
  /** What was announced, what holds now, and what it takes. */
  const expected = {
    report: { report: 'never', approve: 'never', auto: 'never' },
    approve: { report: 'never', approve: 'approval', auto: 'approval' },
    auto: { report: 'never', approve: 'approval', auto: 'time' },
  } as const;
  test.each(policies.flatMap((then) => policies.map((now) => [then, now] as const)))(
    'is what the more careful of two policies says: announced with %s, %s now',
    (then, now) => {
      const due = (known: OrphanState) => reapDueMs(known, { ...RULES, policy: now });
      const quarantineEnd = NOW - 100_000;
      const needs = expected[then][now];
      expect(due(orphan({ policy: then }))).toBe(needs === 'time' ? quarantineEnd : null);
      expect(due(orphan({ policy: then, ...approved }))).toBe(needs === 'never' ? null : quarantineEnd);
    },
  );
});

describe('a thing with the name of a replica that is gone', () => {
  const rules = { ...RULES, policy: 'approve' } as const;
  const policyOf = (decision: OrphanDecision): unknown => {
    const data = decision.do === 'append' ? decision.writes[0].events[0].data : {};
    return 'policy' in data ? data.policy : undefined;
  };
  test('needs no approval: its deletion was asked for already; only a policy that reports alone keeps it', () => {
    expect(policyOf(decideSighting(sighting({ owner: owner('deleted'), rules })))).toBe('auto');
    expect(policyOf(decideSighting(sighting({ rules })))).toBe('approve');
    const known = orphan({ reason: 'owner-gone', policy: 'auto' });
    expect(reapDueMs(known, rules)).toBe(Date.parse(known.quarantinedUntil));
    expect(reapDueMs(known, { ...RULES, policy: 'report' })).toBeNull();
  });
});

describe('an orphan that an inventory does not show', () => {
  const missing = (known: OrphanState, changes: { readonly alarmed?: boolean } = {}) =>
    told(
      decideMissing({
        ...{ scope: SCOPE, orphan: known, inventory: { rows: 2, sources: ['cloud'] } },
        ...{ alarmed: false, rules: RULES, nowMs: NOW, ...changes },
      }),
    );
  const absent = (agoMs: number) => ({
    absence: { observedAt: [iso(-agoMs)], confirmedAt: null, released: false },
  });
  test.each([
    ['is absent once', orphan(asked('accepted', -1_000)), '@absence-observed'],
    ['is not absent twice in a moment', orphan({ ...asked('accepted', -1_000), ...absent(19_999) }), 'nothing'],
    [
      'is proven gone by a second, spaced one after its deletion',
      orphan({ ...asked('accepted', -1_000), ...absent(20_000) }),
      '@absence-observed+absence-confirmed',
    ],
    ['went away by itself where nobody deleted it', orphan(absent(20_000)), '@orphan-cleared'],
    ["is nobody's concern once it was cleared", orphan({ status: 'cleared' }), 'nothing'],
    ["is nobody's concern once it is gone", orphan({ status: 'gone' }), 'nothing'],
  ])('%s', (_, known, expected) => expect(missing(known)).toBe(expected));

  test('takes its alarm with it', () => {
    const gone = orphan({ ...asked('accepted', -1_000), ...absent(20_000) });
    expect(missing(gone, { alarmed: true })).toBe('@absence-observed+absence-confirmed, alarm-cleared');
    expect(missing(orphan(absent(20_000)), { alarmed: true })).toBe('@orphan-cleared, alarm-cleared');
  });

  test('is there all the same where another row may show it: what was begun of its absence begins anew', () => {
    const hidden = (known: OrphanState) => told(decideHidden({ scope: SCOPE, orphan: known, thing: thing('b') }));
    expect(hidden(orphan({ ...asked('accepted', -1_000), ...absent(20_000) }))).toBe('@observed');
    expect(hidden(orphan(asked('accepted', -1_000)))).toBe('nothing');
    expect(hidden(orphan({ status: 'gone', ...absent(20_000) }))).toBe('nothing');
  });
});

describe('when an orphan needs the next inventory', () => {
  test.each([
    ['at the end of its quarantine', orphan(), NOW - 100_000],
    ['never while it waits for an approval', orphan({ policy: 'approve' }), null],
    ['soon after its deletion', orphan(asked('accepted', 0)), NOW + 20_000],
    [
      'for the second sight of its absence',
      orphan({ absence: { observedAt: [iso(-1_000)], confirmedAt: null, released: false } }),
      NOW + 19_000,
    ],
    ['never once it is gone', orphan({ status: 'gone' }), null],
  ])('%s', (_, known, expected) => expect(nextLookMs(known, RULES)).toBe(expected));
});
