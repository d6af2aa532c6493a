import type { UnreadyReason } from '@davit/contracts';
import { DEFAULT_LOSS_LIMITS, type LossLimits } from '../fleet/limits.js';
import type { ReplicaState } from '../lifecycle/state.js';
import { freshReports } from './traffic.js';

/** The alarm that is up while a prober holds verdicts because its own way out is the suspect. */
export const OBSERVER_ALARM = { alarm: 'observer-ill', about: 'runtime-prober' } as const;

/** What the last probe of a server that works says of the way between it and the prober. */
export type Reach = 'answered' | 'refused' | 'unreachable';

/** Anything that a server answers shows that it was reached, however wrong the answer is. */
export function reachOf(reason: UnreadyReason | null): Reach {
  if (reason === 'refused') return 'refused';
  return reason === 'timeout' || reason === 'other' ? 'unreachable' : 'answered';
}

/** How many of the servers that worked were reached by their last probe. */
export type ReachCounts = Readonly<Record<Reach, number>>;

export type ObserverLimits = Pick<LossLimits, 'floor' | 'share'> & {
  /** So long is a verdict held at most; what nobody has contradicted by then is taken for what it is. */
  readonly holdMs: number;
};
export const DEFAULT_OBSERVER_LIMITS: ObserverLimits = {
  floor: DEFAULT_LOSS_LIMITS.floor,
  share: DEFAULT_LOSS_LIMITS.share,
  holdMs: 5 * 60_000,
};

/** More servers are out of reach at once than is believed (law 12): the prober's own way out is the suspect. */
export function isObserverIll(
  { answered, refused, unreachable }: ReachCounts,
  { floor, share }: ObserverLimits,
): boolean {
  return refused + unreachable > Math.max(floor, share * (answered + refused + unreachable));
}

/**
 * True for a verdict that an ill observer would reach as well, and that is therefore held. A refusal counts where others
 * answer: they are the contrast. What a gateway or the provider says of the replica does not come through the prober.
 */
export function isWeak(
  reach: Reach,
  counts: ReachCounts,
  replica: Pick<ReplicaState, 'traffic' | 'resource' | 'absence'>,
  limits: ObserverLimits,
  nowMs: number,
): boolean {
  if (reach === 'answered' || !isObserverIll(counts, limits)) return false;
  const { answered, refused, unreachable } = counts;
  if (reach === 'refused' && answered >= Math.max(1, limits.share * (answered + refused + unreachable))) return false;
  return !isSeenIllByOthers(replica, nowMs);
}

/** A gateway or the provider says so as well: neither looks through the prober. */
export const isSeenIllByOthers = (
  { traffic, resource, absence }: Pick<ReplicaState, 'traffic' | 'resource' | 'absence'>,
  nowMs: number,
): boolean =>
  freshReports(traffic, nowMs).length > 0 ||
  resource?.phase === 'failed' ||
  resource?.phase === 'stopped' ||
  absence.observedAt.length > 0;
