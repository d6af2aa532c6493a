import { type Failure, providerFailure } from '../replica/failure.js';
import { type FleetState, type ReplicaState, isSuspect } from '../lifecycle/state.js';
import { NO_FLEET, wasBelieved } from '../lifecycle/evolve-fleet.js';
import { isSeenIllByOthers, reachOf } from '../runtime/observer.js';
import { DEFAULT_LOSS_LIMITS, type LossLimits } from './limits.js';

/** What a decision about giving up replicas that serve rests on. */
export type FleetView = {
  readonly state: FleetState;
  /** Replicas that are ready and seen ill, the whole fleet over. */
  readonly suspects: readonly ReplicaState[];
  /** The prober says that most of what it watches is out of its reach at once: it may be what is ill. */
  readonly observerIll: boolean;
  readonly limits: LossLimits;
};

/** A fleet of which nothing is known: no losses, nobody ill. */
export const QUIET_FLEET: FleetView = {
  state: NO_FLEET,
  suspects: [],
  observerIll: false,
  limits: DEFAULT_LOSS_LIMITS,
};

/** Why a replica that serves would be given up; undefined while it is well, or its end is not proven. */
export function servingFailure(replica: ReplicaState): Failure | undefined {
  const { runtime } = replica;
  const failure = providerFailure(replica);
  if (failure || runtime?.status !== 'unready') return failure;
  return { class: 'transient', reason: `runtime ${runtime.reason ?? 'unready'}`, detail: runtime.detail };
}

/**
 * True for a replica that only an ill prober has seen ill, and only by not reaching it. Its verdicts on many end one after the other,
 * so that the first of them alone would look like a single death.
 */
export const isDoubtful = (replica: ReplicaState, { observerIll }: FleetView, nowMs: number): boolean =>
  observerIll && reachOf(replica.runtime?.reason ?? null) !== 'answered' && !isSeenIllByOthers(replica, nowMs);

/** When the first sign was seen of what is wrong with it now; undefined for a replica that is well. */
export function illSince({ runtime, absence, resource }: ReplicaState): string | undefined {
  const signs = [
    ...(runtime?.status === 'unready' ? [runtime.since] : []),
    ...absence.observedAt.slice(0, 1),
    ...(resource?.phase === 'failed' || resource?.phase === 'stopped' ? [resource.at] : []),
  ];
  return signs.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0];
}

/** True when this replica's illness has been called real. */
export const isBelieved = (state: FleetState, replica: ReplicaState): boolean => {
  const since = illSince(replica);
  return since !== undefined && wasBelieved(state, since);
};

/** Where the fleet stands against its limits. */
export type Standing = {
  /** Losses in the interval. */
  readonly lost: number;
  /** Seen ill now, and not yet called real by a thaw. */
  readonly suspects: readonly ReplicaState[];
  /** Replicas that served at the beginning of the interval, as far as they are not given up for other reasons. */
  readonly serving: number;
  /** So many of them may be lost in one interval. */
  readonly allowed: number;
  /** More are lost or about to be than may be: the observer is the suspect. */
  readonly tooMany: boolean;
};

export function standingOf({ state, suspects, limits }: FleetView, nowMs: number): Standing {
  const lost = state.losses.filter(({ at }) => Date.parse(at) > nowMs - limits.intervalMs).length;
  const doubtful = suspects.filter((replica) => isSuspect(replica) && !isBelieved(state, replica));
  const serving = state.serving + lost;
  const allowed = Math.max(limits.floor, limits.share * serving);
  return { lost, suspects: doubtful, serving, allowed, tooMany: lost + doubtful.length > allowed };
}

/** How long to wait before a frozen fleet, or a replica in it, is looked at again. */
export const recheckMs = ({ intervalMs }: LossLimits): number => Math.min(5_000, Math.max(100, intervalMs / 12));
