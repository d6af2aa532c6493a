import { createHash } from 'node:crypto';

/** One life of one replica. A replica that dies is replaced by the next incarnation; none is ever used twice (law 6). */
export type ReplicaIdentity = {
  readonly deployment: string;
  readonly revision: number;
  readonly ordinal: number;
  readonly incarnation: number;
};

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const TAG_CHARACTERS = 5;
const HASH_CHARACTERS = 17;

/** `default/qwen3-8b`, 1, 0, 2 → `default/qwen3-8b-1-0-2`. */
export const replicaIdOf = ({ deployment, revision, ordinal, incarnation }: ReplicaIdentity): string =>
  `${deployment}-${revision}-${ordinal}-${incarnation}`;

/** The inverse of {@link replicaIdOf}; undefined for text that is no replica id. */
export function parseReplicaId(id: string): ReplicaIdentity | undefined {
  const match = /^(.+)-(\d+)-(\d+)-(\d+)$/.exec(id);
  if (!match) return undefined;
  const [, deployment = '', revision, ordinal, incarnation] = match;
  return { deployment, revision: Number(revision), ordinal: Number(ordinal), incarnation: Number(incarnation) };
}

/**
 * What every name of one installation begins with, for example `dv-k3fqa-`. Two Davit systems that rent on one account see
 * each other's things in every inventory and must never take them for their own orphans.
 */
export const externalKeyPrefix = (installation: string): string =>
  `dv-${base32Of(JSON.stringify(['installation', installation]), TAG_CHARACTERS)}-`;

/**
 * Name of the replica's resource at any provider: the installation's prefix and 85 bits of a hash, 26 characters in all.
 * Short enough that no cloud truncates it (SkyPilot cuts at 35 minus its own suffix of 9), so that distinct replicas cannot
 * collide there.
 */
export const externalKeyOf = (identity: ReplicaIdentity, installation: string): string =>
  `${externalKeyPrefix(installation)}${base32Of(JSON.stringify([installation, replicaIdOf(identity)]), HASH_CHARACTERS)}`;

/**
 * The key that a name at a provider goes on from, `<key>-…`; undefined for any other name. All keys are of one length, so
 * none of them begins another.
 */
export const externalKeyIn = (name: string): string | undefined => KEY_OF_A_NAME.exec(name)?.[1];

const KEY_OF_A_NAME = new RegExp(`^(dv-[${BASE32}]{${TAG_CHARACTERS}}-[${BASE32}]{${HASH_CHARACTERS}})-`);

/** The first bits of the SHA-256 of a text, five to a character. */
function base32Of(text: string, characters: number): string {
  let bits = 0;
  let buffered = 0;
  let result = '';
  for (const byte of createHash('sha256').update(text).digest()) {
    buffered = (buffered << 8) | byte;
    bits += 8;
    while (bits >= 5 && result.length < characters) {
      bits -= 5;
      result += BASE32[(buffered >> bits) & 31] ?? '';
    }
    buffered &= (1 << bits) - 1;
  }
  return result;
}
