import { type VerdictReason } from '../bundle.js';
import { type VerdictPolicy } from '../policy.js';
import { reason } from './reason.js';

const isProbability = (value: number): boolean => value > 0 && value < 1;

/** What is wrong with a policy: with any of it nothing can be accepted. */
export function policyProblems(policy: VerdictPolicy): readonly string[] {
  const { tolerance, minRequests } = policy;
  const factors = [tolerance.latencyP50, tolerance.latencyP95, tolerance.latencyP99, tolerance.queueTimeP95];
  const rules: readonly (readonly [boolean, string])[] = [
    [isProbability(policy.alpha) && isProbability(policy.beta), 'alpha and beta lie between 0 and 1'],
    [policy.closingMs > 0, 'closingMs is more than 0'],
    [policy.closingMs <= policy.minDurationMs, 'closingMs is at most minDurationMs'],
    [policy.closingShare >= 0 && policy.closingShare < 1, 'closingShare lies between 0 and 1'],
    [policy.minDurationMs <= policy.deadlineMs, 'minDurationMs is at most deadlineMs'],
    [Number.isFinite(policy.deadlineMs), 'deadlineMs is finite'],
    [minRequests.baseline >= 1 && minRequests.candidate >= 1 && policy.minWindows >= 1, 'minima are at least 1'],
    [policy.minCoverage > 0 && policy.minCoverage <= 1, 'minCoverage lies between 0 and 1'],
    [policy.maxUnknownShare >= 0 && policy.maxUnknownShare < 1, 'maxUnknownShare lies between 0 and 1'],
    [factors.every((factor) => factor >= 1 && Number.isFinite(factor)), 'tolerated factors are at least 1'],
    [tolerance.queueTimeMs >= 0 && tolerance.errorRate >= 0, 'tolerated additions are at least 0'],
    [policy.mostOfOneWindow > 0 && policy.mostOfOneWindow <= 1, 'mostOfOneWindow lies between 0 and 1'],
    [policy.suspicion > 1, 'suspicion is more than 1'],
  ];
  return rules.flatMap(([holds, rule]) => (holds ? [] : [rule]));
}

/** @param claims how many claims stand to be proven: an accept that proves nothing is none */
export function policyReasons(policy: VerdictPolicy, claims: number): readonly VerdictReason[] {
  const problems = policyProblems(policy);
  const all = claims === 0 ? [...problems, 'there is something to prove: an objective, or a comparison'] : problems;
  return all.length === 0 ? [] : [reason('policy', 'open', `the policy does not hold that ${all.join('; ')}`)];
}
