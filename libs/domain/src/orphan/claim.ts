import type { HourlyPrice, ResourcePhase } from '@davit/contracts';
import type { OrphanState, ReplicaState } from '../lifecycle/state.js';

/** A row of a provider's inventory: something that carries the name of a replica of this installation. */
export type SeenThing = {
  readonly externalKey: string;
  readonly phase: Exclude<ResourcePhase, 'unknown'>;
  /** What tells two things of one name apart. */
  readonly providerId: string | null;
  /** Who showed it. */
  readonly source: string;
  readonly price: HourlyPrice | null;
  readonly detail: string;
};

/** Whose a thing is, as far as the log and one inventory can tell. */
export type Claim =
  | { readonly whose: 'owner' }
  /** It may be its owner's. Nothing may be done to it. */
  | { readonly whose: 'unclear' }
  /** It is what its owner was proven to be rid of. */
  | { readonly whose: 'proven-gone'; readonly owner: ReplicaState }
  | {
      readonly whose: 'nobody';
      readonly reason: OrphanState['reason'];
      readonly owner: ReplicaState | undefined;
      readonly detail: string;
    };

/**
 * Tells whose a thing is. Only two identities that are known and differ tell two things apart; whatever is not known keeps
 * the thing its owner's (law 4).
 */
export function claimOf(
  thing: SeenThing,
  /** Everything of this name that the same inventory shows. */
  namesakes: readonly SeenThing[],
  /** The replica whose name it carries. */
  owner: ReplicaState | undefined,
  known: OrphanState | undefined,
): Claim {
  if (!owner) {
    return { whose: 'nobody', reason: 'no-owner', owner, detail: 'the log never asked for a thing of this name' };
  }
  const { id, status, absence } = owner;
  const recorded = owner.resource?.providerId ?? null;
  if (absence.released) return { whose: 'unclear' };
  if (status === 'deleted') {
    const detail = `${id} is gone, and had ${recorded ?? 'none'}`;
    return differ(thing.providerId, recorded)
      ? { whose: 'nobody', reason: 'owner-gone', owner, detail }
      : { whose: 'proven-gone', owner };
  }
  if (thing.providerId === null || recorded === null) {
    return namesakes.length === 1 ? { whose: 'owner' } : { whose: 'unclear' };
  }
  if (thing.providerId === recorded) return { whose: 'owner' };
  if (isStarting(owner)) return { whose: 'unclear' };
  // An inventory lists each thing once, and a thing that was told apart stays another one when the recorded one goes.
  const isTold = namesakes.some(({ providerId }) => providerId === recorded) || isOpenOrphan(known);
  return isTold
    ? { whose: 'nobody', reason: 'duplicate', owner, detail: `${id} has ${recorded}` }
    : { whose: 'unclear' };
}

/** True when both are known, are identities of one kind (`<kind>:<id>`), and are not the same. */
const differ = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one !== other && kindOf(one) === kindOf(other);

const kindOf = (identity: string): string => identity.slice(0, Math.max(0, identity.indexOf(':')));

/** While it starts, a provider may give it one identity after another: a launch that moves on to the next region does. */
const isStarting = ({ status, everReady, resource }: ReplicaState): boolean =>
  (status === 'requested' || status === 'deferred' || status === 'launching') &&
  !everReady &&
  (resource?.url ?? null) === null;

/** Found, and neither cleared nor gone. */
export const isOpenOrphan = (orphan: OrphanState | undefined): orphan is OrphanState =>
  orphan?.status === 'quarantined' || orphan?.status === 'reaping';
