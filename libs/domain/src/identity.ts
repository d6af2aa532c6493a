import { createHash } from 'node:crypto';

/** One life of one replica. A replica that dies is replaced by the next incarnation; none is ever used twice (law 6). */
export type ReplicaIdentity = {
  readonly deployment: string;
  readonly revision: number;
  readonly ordinal: number;
  readonly incarnation: number;
};

export const EXTERNAL_KEY_PREFIX = 'dv-';
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const HASH_CHARACTERS = 20;

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
 * Name of the replica's resource at any provider: prefix and 100 bits of a hash, 23 characters. Short enough that no cloud
 * truncates it (SkyPilot cuts at 35 minus its own suffix), so that distinct replicas cannot collide there.
 * `installation` keeps apart two Davit systems that rent on one account.
 */
export function externalKeyOf(identity: ReplicaIdentity, installation: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([installation, replicaIdOf(identity)]))
    .digest();
  let bits = 0;
  let buffered = 0;
  let text = '';
  for (const byte of digest) {
    buffered = (buffered << 8) | byte;
    bits += 8;
    while (bits >= 5 && text.length < HASH_CHARACTERS) {
      bits -= 5;
      text += BASE32[(buffered >> bits) & 31] ?? '';
    }
    buffered &= (1 << bits) - 1;
  }
  return `${EXTERNAL_KEY_PREFIX}${text}`;
}
