import { randomBytes, randomInt } from 'node:crypto';
import { hashOf } from '@davit/service-kit';

const ID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 12;
const SECRET_BYTES = 32;
/** Its beginning lets scanners of sources and logs find one that went astray. */
const SECRET = /^davit_([a-z0-9]{12})_[0-9a-f]{64}$/;

/** A key as its user holds it, and what is kept of it. */
export interface MintedKey {
  readonly id: string;
  /** `davit_<keyId>_<secret>`; known here only until it has been shown. */
  readonly secret: string;
  readonly hash: string;
}

/** A new secret of 256 random bits, for a new key or, as its next one, for the key of that id. */
export function mintKey(id = newKeyId()): MintedKey {
  const secret = `davit_${id}_${randomBytes(SECRET_BYTES).toString('hex')}`;
  return { id, secret, hash: hashOf(secret) };
}

/** Id of the key that the text would be the secret of; undefined for what is none. */
export const keyIdIn = (text: string): string | undefined => SECRET.exec(text)?.[1];

const newKeyId = (): string =>
  Array.from({ length: ID_LENGTH }, () => ID_LETTERS.charAt(randomInt(ID_LETTERS.length))).join('');
