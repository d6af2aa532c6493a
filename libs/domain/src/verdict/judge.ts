import { digestOf } from '../canonical.js';
import { type RolloutVerdict, type VerdictBundle, type VerdictReason } from './bundle.js';
import { type Evidence, evidenceOf } from './evidence/evidence.js';
import { type Look, lookAt } from './evidence/look.js';
import { claimReason } from './rules/claim.js';
import { contractReason } from './rules/contract.js';
import { observationReasons, requestsOf } from './rules/observed.js';
import { policyProblems, policyReasons } from './rules/policy.js';
import { minutes, reason } from './rules/reason.js';
import { spendReasons } from './rules/spend.js';

/**
 * Accept, reject or wait, from a bundle alone. It may be asked as often as one likes: `alpha` and `beta` hold over all looks
 * together, as the method is sequential (docs/explanation/verdicts.md).
 *
 * Accept: all is proven. Reject: something is proven bad, or the deadline has come and something is not proven. Otherwise wait.
 */
export function judge(bundle: VerdictBundle): RolloutVerdict {
  const evidence = evidenceOf(bundle);
  const look = lookAt(evidence, bundle.asOfMs);
  const { verdict, reasons } = decide(evidence, look);
  return {
    verdict,
    reasons,
    alpha: bundle.policy.alpha,
    beta: bundle.policy.beta,
    samples: { baseline: requestsOf(evidence.baseline.usable), candidate: requestsOf(look.windows) },
    digest: digestOf(bundle),
  };
}

/** What is said at one instant. */
export type Said = Pick<RolloutVerdict, 'verdict' | 'reasons'> & { readonly candidate: number };

/** What would have been said at any instant, from one counting: the course of a rollout, for a receipt or a plot. */
export function verdictsOver(bundle: VerdictBundle): (asOfMs: number) => Said {
  const isFrozen = bundle.baseline.every((window) => window === null || window.toMs <= bundle.startedAtMs);
  const counted = evidenceOf(bundle);
  return (asOfMs) => {
    const evidence = isFrozen ? counted : evidenceOf({ ...bundle, asOfMs });
    const look = lookAt(evidence, asOfMs);
    return { ...decide(evidence, look), candidate: requestsOf(look.windows) };
  };
}

function decide(evidence: Evidence, look: Look): Pick<RolloutVerdict, 'verdict' | 'reasons'> {
  const reasons = reasonsOf(evidence, look);
  const open = reasons.filter(({ outcome }) => outcome === 'open');
  if (reasons.some(({ outcome }) => outcome === 'broken')) return { verdict: 'reject', reasons };
  if (open.length === 0) return { verdict: 'accept', reasons };
  if (!look.isOver) return { verdict: 'wait', reasons };
  const { deadlineMs } = evidence.bundle.policy;
  const detail = `not proven within ${minutes(deadlineMs)}: ${open.map(({ rule }) => rule).join(', ')}`;
  return { verdict: 'reject', reasons: [reason('not-proven', 'broken', detail, { deadlineMs }), ...reasons] };
}

const GRAVITY: Readonly<Record<VerdictReason['outcome'], number>> = { broken: 0, open: 1, met: 2 };

function reasonsOf(evidence: Evidence, look: Look): readonly VerdictReason[] {
  const { bundle, claims, levels } = evidence;
  const { policy } = bundle;
  const isSound = policyProblems(policy).length === 0;
  const reasons = [
    ...policyReasons(policy, claims.length),
    contractReason(bundle.contract),
    // A policy that contradicts itself has no error rate to keep.
    ...(isSound ? claims.map((claim) => claimReason(claim, look, levels, policy)) : []),
    ...spendReasons(evidence, look),
    ...observationReasons(evidence, look),
  ];
  return reasons.sort((a, b) => GRAVITY[a.outcome] - GRAVITY[b.outcome]);
}
