import type { EventData, RecordedEvent } from '@davit/contracts';

type Created = EventData<'davit.access.key-created'>;

/** An API key as the log has it: the hash of its secret, and of the one before it while both work. */
export type KeyState = {
  readonly id: string;
  readonly name: string;
  readonly role: Created['role'];
  readonly tenants: 'all' | readonly string[];
  readonly secretHash: string;
  readonly previous: { readonly secretHash: string; readonly until: string } | null;
  readonly createdAt: string;
  readonly createdBy: string | null;
  readonly expiresAt: string | null;
  readonly rotatedAt: string | null;
  readonly revokedAt: string | null;
  /** Version of the stream `access/<id>`. */
  readonly version: number;
};

export function evolveKey(state: KeyState | undefined, event: RecordedEvent): KeyState | undefined {
  const { version, time } = event;
  switch (event.type) {
    case 'davit.access.key-created': {
      const { keyId: id, name, role, tenants, secretHash, expiresAt } = event.data;
      const made = { createdAt: time, createdBy: event.actor ?? null, expiresAt };
      return {
        id,
        name,
        role,
        tenants,
        secretHash,
        previous: null,
        ...made,
        rotatedAt: null,
        revokedAt: null,
        version,
      };
    }
    case 'davit.access.key-rotated': {
      const { secretHash, previousUntil: until } = event.data;
      const previous = state && { secretHash: state.secretHash, until };
      return state && { ...state, secretHash, previous: previous ?? null, rotatedAt: time, version };
    }
    case 'davit.access.key-revoked':
      return state && { ...state, previous: null, revokedAt: time, version };
    default:
      return state;
  }
}

export const stateOfKey = (key: KeyState, nowMs: number): 'usable' | 'expired' | 'revoked' => {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'usable';
};

/** Hashes of the secrets that open something at this time. */
export function workingHashes(key: KeyState, nowMs: number): readonly string[] {
  if (stateOfKey(key, nowMs) !== 'usable') return [];
  const { secretHash, previous } = key;
  return previous && Date.parse(previous.until) > nowMs ? [secretHash, previous.secretHash] : [secretHash];
}
