import { type WireRequest } from '../http/wire.js';
import { seal } from '../seal.js';
import { type ModelServerConfig } from './config.js';

/** Whose key came with a request: the server's own, or one that it should never have seen. */
export type KeyShown = 'own' | 'foreign';

export type SealedKey = NonNullable<ModelServerConfig['apiKey']>;

export const sealedKey = (salt: string, key: string): SealedKey => ({ salt, sealed: seal(salt, key) });

export const opens = (lock: SealedKey, key: string | undefined): boolean =>
  key !== undefined && seal(lock.salt, key) === lock.sealed;

/** The key a request shows in any header made for it; undefined when it shows none. */
export function keyIn({ headers }: WireRequest): string | undefined {
  const authorization = headers['authorization'];
  return authorization === undefined ? headers['x-api-key'] : authorization.replace(/^bearer\s+/i, '');
}
