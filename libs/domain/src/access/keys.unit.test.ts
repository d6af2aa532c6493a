import { describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from '@davit/contracts';
import { revokeKey, rotateKey } from './decide.js';
import { type KeyState, evolveKey, stateOfKey, workingHashes } from './key-state.js';
import { includes } from './permit.js';

const id = 'abcdefghij12';
const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [string, string, string];
const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();

let position = 0;
/** What the fold reads of an event. */
function event(type: string, seconds: number, data: object): RecordedEvent {
  position += 1;
  const envelope = { type, time: at(seconds), version: position, position, tenant: 'acme', stream: `access/${id}` };
  return { ...envelope, actor: 'root', data: { keyId: id, tenants: ['acme'], ...data } } as unknown as RecordedEvent;
}
const created = (expiresAt: string | null = null): RecordedEvent =>
  event('davit.access.key-created', 0, { name: 'ci', role: 'operator', secretHash: first, expiresAt });
const rotated = (secretHash: string, until: number): RecordedEvent =>
  event('davit.access.key-rotated', 10, { secretHash, previousUntil: at(until) });
const revoked = (): RecordedEvent => event('davit.access.key-revoked', 20, { reason: 'lost' });

function fold(...events: readonly RecordedEvent[]): KeyState {
  const key = events.reduce<KeyState | undefined>(evolveKey, undefined);
  if (!key) throw new Error('the events make a key');
  return key;
}

describe('an API key', () => {
  test('opens with its secret until it expires, the moment itself not counted', () => {
    const key = fold(created(at(100)));
    expect(workingHashes(key, 99_999)).toEqual([first]);
    expect(workingHashes(key, 100_000)).toEqual([]);
    expect(stateOfKey(key, 100_000)).toBe('expired');
  });

  test('that was rotated opens with both secrets while they overlap, then with the new one alone', () => {
    const key = fold(created(), rotated(second, 60));
    expect(workingHashes(key, 59_999)).toEqual([second, first]);
    expect(workingHashes(key, 60_000)).toEqual([second]);
  });

  test('that is rotated twice opens with its last two secrets at most', () => {
    expect(workingHashes(fold(created(), rotated(second, 60), rotated(third, 60)), 11_000)).toEqual([third, second]);
  });

  test('that was revoked opens with none, not even with one that overlapped', () => {
    expect(workingHashes(fold(created(), rotated(second, 60), revoked()), 20_001)).toEqual([]);
  });

  test('gets no other secret once it is revoked or expired', () => {
    const wanted = { secretHash: third, overlapMs: 0 };
    expect(rotateKey(fold(created(), revoked()), wanted, 21_000)).toMatchObject({ code: 'key-revoked' });
    expect(rotateKey(fold(created(at(5))), wanted, 6_000)).toMatchObject({ code: 'key-expired' });
  });

  test('overlaps for as long as was asked', () => {
    const decision = rotateKey(fold(created()), { secretHash: second, overlapMs: 30_000 }, 15_000);
    expect(decision).toMatchObject({ events: [{ data: { previousUntil: at(45), tenants: ['acme'] } }] });
  });

  test('is revoked once: a second time changes nothing and succeeds', () => {
    expect(revokeKey(fold(created()), 'lost')).toMatchObject({ events: [{ data: { reason: 'lost' } }] });
    expect(revokeKey(fold(created(), revoked()), 'again')).toEqual({ outcome: 'accepted', events: [] });
  });
});

describe('what is permitted', () => {
  test.each([
    [{ role: 'admin', tenants: 'all' }, { role: 'admin', tenants: 'all' }, true],
    [{ role: 'admin', tenants: ['a', 'b'] }, { role: 'operator', tenants: ['b'] }, true],
    [{ role: 'operator', tenants: ['a'] }, { role: 'admin', tenants: ['a'] }, false],
    [{ role: 'admin', tenants: ['a'] }, { role: 'viewer', tenants: ['a', 'b'] }, false],
    [{ role: 'admin', tenants: ['a'] }, { role: 'viewer', tenants: 'all' }, false],
  ] as const)('%j includes %j: %s', (permit, wanted, expected) => {
    expect(includes(permit, wanted)).toBe(expected);
  });
});
