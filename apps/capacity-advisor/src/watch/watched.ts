import type { Placement } from '@davit/contracts';
import { type DeploymentState, type OfferState, fractionOf, offerKeyOf } from '@davit/domain';

/** An offer that some deployment allows. */
export type Watched = {
  readonly key: string;
  /** Without a ceiling: that is its user's affair, and the question is the same. */
  readonly placement: Placement;
  /** The largest that anybody wants on it, so that the answer holds for all. */
  readonly diskGiB: number;
};

/** Every distinct offer that an elastic deployment allows which is not going or gone, by key. */
export function watchedOffers(deployments: readonly DeploymentState[]): readonly Watched[] {
  const offers = new Map<string, Watched>();
  for (const { status, spec } of deployments) {
    const { compute } = spec.spec;
    if (status !== 'active' || compute.mode !== 'elastic') continue;
    for (const placement of compute.placements) {
      const key = offerKeyOf(placement);
      const diskGiB = Math.max(compute.diskGiB, offers.get(key)?.diskGiB ?? 0);
      offers.set(key, { key, placement: { ...placement, maxHourlyPrice: null }, diskGiB });
    }
  }
  return [...offers.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Share of the interval over which the samples of different offers are spread. */
const SPREAD = 0.2;

/** The shortest pause between two samples of one offer. */
export const leastPauseMs = (everyMs: number): number => everyMs * (1 - SPREAD);

/** When an offer is to be sampled again: an interval after the last time, less a little that differs from offer to offer. */
export function dueAtMs(key: string, offer: Pick<OfferState, 'sampledAt'> | undefined, everyMs: number): number {
  const { sampledAt } = offer ?? {};
  if (sampledAt === undefined) return Number.NEGATIVE_INFINITY;
  return Date.parse(sampledAt) + everyMs * (1 - SPREAD * fractionOf(`${key}@${sampledAt}`));
}
