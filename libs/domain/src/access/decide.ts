import type { NewEvent } from '@davit/contracts';
import type { Refused } from '../deployment/declare.js';
import { type KeyState, stateOfKey } from './key-state.js';

export type KeyDecision = { readonly outcome: 'accepted'; readonly events: readonly NewEvent[] } | Refused;

/** The key gets another secret; what expired or was revoked gets none. */
export function rotateKey(
  key: KeyState,
  wanted: { readonly secretHash: string; readonly overlapMs: number },
  nowMs: number,
): KeyDecision {
  const state = stateOfKey(key, nowMs);
  if (state !== 'usable') {
    const detail = `the key ${key.id} is ${state}, and opens nothing`;
    return { outcome: 'refused', code: `key-${state}`, detail, remedy: 'Make another one: davit keys create.' };
  }
  const { secretHash, overlapMs } = wanted;
  const previousUntil = new Date(nowMs + overlapMs).toISOString();
  const data = { keyId: key.id, tenants: tenantsOf(key), secretHash, previousUntil };
  return { outcome: 'accepted', events: [{ type: 'davit.access.key-rotated', data }] };
}

/** The key opens nothing any more; revoking it again changes nothing. */
export function revokeKey(key: KeyState, reason: string): KeyDecision {
  if (key.revokedAt !== null) return { outcome: 'accepted', events: [] };
  const data = { keyId: key.id, tenants: tenantsOf(key), reason };
  return { outcome: 'accepted', events: [{ type: 'davit.access.key-revoked', data }] };
}

const tenantsOf = ({ tenants }: KeyState): 'all' | string[] => (tenants === 'all' ? tenants : [...tenants]);
