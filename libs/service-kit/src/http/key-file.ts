import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError } from '../config/load.js';

const SHORTEST_KEY = 32;

/** What cannot be guessed needs no slow hash: nothing is faster than trying all of its bits. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Compares without telling by its time how far two hashes agree. */
export const isSameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** What follows the word Bearer in the header Authorization; undefined for anything else. */
export const bearerIn = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S{1,16000})$/i.exec(authorization ?? '')?.[1];

/**
 * Hash of the key in a file; undefined where none is named.
 * @param variable that names the file
 * @throws ConfigError when the file cannot be read, or holds what could be guessed
 */
export function keyFileHash(variable: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const key = contentOf(variable, file).trim();
  if (key.length >= SHORTEST_KEY && !/\s/.test(key)) return hashOf(key);
  throw new ConfigError([
    `${variable}: what "${file}" holds is not a key of at least ${SHORTEST_KEY} characters on one line. Make one: openssl rand -hex 32.`,
  ]);
}

function contentOf(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'fault';
    throw new ConfigError([
      `${variable}: "${file}" cannot be read (${reason}). Name a file that holds a key: openssl rand -hex 32.`,
    ]);
  }
}
