import { externalKeyOf } from '../identity.js';

export type RolloutIdentity = { readonly deployment: string; readonly revision: number; readonly attempt: number };

/** `default/qwen3-8b`, 2, 1 → `default/qwen3-8b-2-1`. */
export const rolloutIdOf = ({ deployment, revision, attempt }: RolloutIdentity): string =>
  `${deployment}-${revision}-${attempt}`;

/** The inverse of {@link rolloutIdOf}; undefined for text that is no id of a rollout. */
export function parseRolloutId(id: string): RolloutIdentity | undefined {
  const match = /^(.+)-(\d+)-(\d+)$/.exec(id);
  if (!match) return undefined;
  const [, deployment = '', revision, attempt] = match;
  return { deployment, revision: Number(revision), attempt: Number(attempt) };
}

/** Life 0 belongs to no replica, so that a canary never has the name of one. */
const NO_INCARNATION = 0;

/** Name of the endpoint that proves the candidate; like any other external key, it is used once. */
export const canaryKeyOf = ({ deployment, revision, attempt }: RolloutIdentity, installation: string): string =>
  externalKeyOf({ deployment, revision, ordinal: attempt, incarnation: NO_INCARNATION }, installation);
