import { type UsableWindow, type SortedWindows, sortWindows } from '../counts/usable.js';
import { METRICS } from '../metrics.js';
import { type VerdictBundle } from '../bundle.js';
import { type Claim, type Line, against, claimCount, claimsOf } from './claim.js';
import { type Levels, levelsOf } from './levels.js';
import { type Count, type Question, type Regression, type Support, regressionsOf, supportOf } from './process.js';

/** A claim with what each window of the candidate says to it, in order of time, and what that amounts to. */
export type CountedClaim = Claim & {
  readonly counts: readonly Count[];
  readonly support: Support;
  readonly regressions: readonly Regression[];
};

/** What a bundle holds, counted once; the verdict at any instant is read from it. */
export type Evidence = {
  readonly bundle: VerdictBundle;
  readonly levels: Levels;
  readonly baseline: SortedWindows;
  readonly candidate: SortedWindows;
  readonly claims: readonly CountedClaim[];
};

export function evidenceOf(bundle: VerdictBundle): Evidence {
  const { policy, objectives } = bundle;
  const ended = bundle.baseline.filter((window) => !(window !== null && window.toMs > bundle.asOfMs));
  const baseline = sortWindows(ended, policy.maxUnknownShare);
  const candidate = sortWindows(
    bundle.candidate.map((window) => (window !== null && window.fromMs < bundle.startedAtMs ? null : window)),
    policy.maxUnknownShare,
  );
  const levels = levelsOf(policy, claimCount(METRICS, objectives, policy));
  const claims = claimsOf(METRICS, baseline.usable, { objectives, policy, levels });
  return {
    bundle,
    levels,
    baseline,
    candidate,
    claims: claims.map((claim) => counted(claim, candidate.usable, levels, policy.mostOfOneWindow)),
  };
}

function counted(claim: Claim, windows: readonly UsableWindow[], levels: Levels, share: number): CountedClaim {
  const countsAt = (line: Line | null, end: 'atLeast' | 'atMost'): readonly Count[] =>
    line === null
      ? []
      : windows.map((window) => ({ count: against(window, claim.metric, line)[end], of: window.requests }));
  const question = (line: Line | null, needed: number): Question => ({
    limit: line?.limit ?? 0,
    mostOfOneWindow: needed * share,
  });
  // What was not measured helps neither side: for an accept it counts against the candidate, for a reject it does not.
  const counts = countsAt(claim.accept, 'atMost');
  return {
    ...claim,
    counts,
    support: supportOf(counts, question(claim.accept, levels.accept.candidate)),
    regressions: regressionsOf(countsAt(claim.reject, 'atLeast'), question(claim.reject, levels.reject.candidate)),
  };
}
