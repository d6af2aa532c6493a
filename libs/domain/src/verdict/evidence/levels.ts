import { type VerdictPolicy } from '../policy.js';

/** Of each error probability, what pays for not knowing the baseline exactly; the rest pays for the candidate. */
const SHARE_OF_BASELINE = 0.25;

/** How much evidence is enough, as natural logarithms. */
export type Levels = {
  readonly accept: { readonly candidate: number; readonly baseline: number };
  readonly reject: { readonly candidate: number; readonly baseline: number };
};

/**
 * An accept needs every claim proven, so a false one needs a false proof of the claim that does not hold: no division by the
 * claims (intersection–union test, Berger 1982, doi:10.1080/00401706.1982.10487790). It may begin its closing part at any of
 * a few instants, and pays for each. A reject needs one claim refuted, and is divided by them.
 */
export function levelsOf(policy: VerdictPolicy, claims: number): Levels {
  const accept = policy.alpha / closingStarts(policy);
  const reject = policy.beta / Math.max(1, claims);
  return {
    accept: {
      candidate: -Math.log(accept * (1 - SHARE_OF_BASELINE)),
      baseline: -Math.log(policy.alpha * SHARE_OF_BASELINE),
    },
    reject: { candidate: -Math.log(reject * (1 - SHARE_OF_BASELINE)), baseline: -Math.log(reject * SHARE_OF_BASELINE) },
  };
}

/** The closing part begins on a grid of half its length, so that few beginnings have to be paid for. */
const gridOf = ({ closingMs }: VerdictPolicy): number => closingMs / 2;

/** Which point of the grid the closing part begins at: the last that leaves it long enough. */
const startOf = (policy: VerdictPolicy, elapsedMs: number): number =>
  Math.max(0, Math.floor((elapsedMs - Math.max(policy.closingMs, policy.closingShare * elapsedMs)) / gridOf(policy)));

const closingStarts = (policy: VerdictPolicy): number =>
  startOf(policy, policy.deadlineMs) - startOf(policy, policy.minDurationMs) + 1;

/** Since when the closing part counts, in milliseconds after the start. */
export const closingStartMs = (policy: VerdictPolicy, elapsedMs: number): number =>
  startOf(policy, elapsedMs) * gridOf(policy);
