import { describe, expect, test } from '@jest/globals';
import type { OrphanState, ReplicaState } from '../lifecycle/state.js';
import { claimOf, type SeenThing } from './claim.js';

const thing = (providerId: string | null): SeenThing => ({
  externalKey: 'dv-abcde-aaaaaaaaaaaaaaaaa',
  phase: 'up',
  providerId,
  source: 'test',
  price: null,
  detail: '',
});

/** Only what the claim reads. */
const owner = (status: ReplicaState['status'], providerId: string | null, changes: object = {}): ReplicaState =>
  ({
    id: 'default/qwen-1-0-1',
    status,
    everReady: true,
    resource: { providerId, url: null },
    absence: { observedAt: [], confirmedAt: null, released: false },
    ...changes,
  }) as unknown as ReplicaState;

const known = { status: 'quarantined' } as OrphanState;

const whose = (
  seen: string | null,
  all: readonly (string | null)[],
  replica: ReplicaState | undefined,
  orphan?: OrphanState,
): string => {
  const things = all.map(thing);
  const claim = claimOf(things[all.indexOf(seen)] ?? thing(seen), things, replica, orphan);
  return claim.whose === 'nobody' ? claim.reason : claim.whose;
};

describe('whose a thing at a provider is', () => {
  test.each([
    ['nobody asked for the name', 'a', ['a'], undefined, undefined, 'no-owner'],
    ['it is the recorded one', 'a', ['a', 'b'], owner('ready', 'a'), undefined, 'owner'],
    ['the recorded one stands beside it', 'b', ['a', 'b'], owner('ready', 'a'), undefined, 'duplicate'],
    [
      'the recorded one stands beside it, of another kind',
      'c:1',
      ['a', 'c:1'],
      owner('ready', 'a'),
      undefined,
      'duplicate',
    ],
    ['the recorded one is not to be seen', 'b', ['b'], owner('ready', 'a'), undefined, 'unclear'],
    ['the recorded one has gone since it was told apart', 'b', ['b'], owner('deleting', 'a'), known, 'duplicate'],
    ['nothing is recorded and it is the only one', 'a', ['a'], owner('launching', null), undefined, 'owner'],
    ['nothing is recorded and there are two', 'a', ['a', 'b'], owner('ready', null), undefined, 'unclear'],
    ['it has no identity, beside the recorded one', null, ['a', null], owner('ready', 'a'), undefined, 'unclear'],
    ['it has no identity and is the only one', null, [null], owner('ready', 'a'), known, 'owner'],
    ['the replica starts', 'b', ['a', 'b'], owner('launching', 'a', { everReady: false }), undefined, 'unclear'],
    ['the owner is gone and had another', 'b', ['b'], owner('deleted', 'a'), undefined, 'owner-gone'],
    ['the owner is gone and had this very one', 'a', ['a'], owner('deleted', 'a'), undefined, 'proven-gone'],
    ['the owner is gone and nobody knows what it had', 'a', ['a'], owner('deleted', null), undefined, 'proven-gone'],
    [
      'the owner is gone, and the identities cannot be compared',
      'c:1',
      ['c:1'],
      owner('deleted', 'a'),
      undefined,
      'proven-gone',
    ],
    ['the owner let it go', 'a', ['a'], owner('deleted', 'a', { absence: { released: true } }), undefined, 'unclear'],
  ] as const)('when %s', (_, seen, all, replica, orphan, expected) => {
    expect(whose(seen, all, replica, orphan)).toBe(expected);
  });
});
