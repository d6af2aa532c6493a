import type { KeyView } from '@davit/contracts';
import { type KeyState, stateOfKey } from '@davit/domain';

/** A key as it is shown: neither its secret nor the hash of it. */
export function keyView(key: KeyState, position: number, nowMs: number): KeyView {
  const { id, name, role, tenants, createdAt, createdBy, expiresAt, rotatedAt, revokedAt, previous } = key;
  const overlaps = previous !== null && Date.parse(previous.until) > nowMs;
  return {
    ...{ id, name, role, createdAt, createdBy, expiresAt, rotatedAt, revokedAt, position },
    tenants: tenants === 'all' ? tenants : [...tenants],
    state: stateOfKey(key, nowMs),
    previousUntil: overlaps ? previous.until : null,
  };
}
