import type { EventData, ReplayPolicy } from '@davit/contracts';
import type { RolloutVerdict, VerdictBundle } from '../verdict/bundle.js';
import { judge } from '../verdict/judge.js';
import type { VerdictPolicy } from '../verdict/policy.js';
import type { NotRetaken, Retaken } from './retaken.js';

type Reached = EventData<'davit.rollout.verdict-reached'>;

/** The verdict on the very bundle that was judged, under another policy. A bundle that does not lead to what was said is not judged. */
export function retakeVerdict(
  { rolloutId, verdict: said, bundleDigest, reasons }: Reached,
  bundle: VerdictBundle | undefined,
  policy: ReplayPolicy['verdict'],
): Retaken | NotRetaken {
  if (!bundle) return { notJudged: `what it was judged from (${bundleDigest.slice(0, 12)}) is not kept any more` };
  const real = judge(bundle);
  if (real.digest !== bundleDigest || real.verdict !== said)
    return { notJudged: `what is kept as ${bundleDigest.slice(0, 12)} does not lead to the verdict` };
  const other = judge({ ...bundle, policy: policyOf(bundle.policy, policy) });
  const [first] = reasons;
  return {
    kind: 'verdict',
    about: { kind: 'rollout', name: rolloutId },
    was: { outcome: said, reason: first ? `${first.rule}: ${first.detail}` : '' },
    would: { outcome: other.verdict, reason: reasonOf(other) },
    evidence: other.reasons.map(({ rule, outcome, detail }) => ({ name: rule, value: `${outcome}: ${detail}` })),
    alternatives: [],
  };
}

function reasonOf({ reasons: [first] }: RolloutVerdict): string {
  return first ? `${first.rule}: ${first.detail}` : '';
}

function policyOf(real: VerdictPolicy, other: ReplayPolicy['verdict']): VerdictPolicy {
  const {
    minDurationMs,
    deadlineMs,
    minRequests,
    latencyP50,
    latencyP95,
    latencyP99,
    queueTimeP95,
    errorRate,
    ...rates
  } = withMs(other ?? {});
  const tolerance = { latencyP50, latencyP95, latencyP99, queueTimeP95, errorRate };
  return {
    ...real,
    ...given({ ...rates, minDurationMs, deadlineMs }),
    ...(minRequests === undefined ? {} : { minRequests: { baseline: minRequests, candidate: minRequests } }),
    tolerance: { ...real.tolerance, ...given(tolerance) },
  };
}

/** What is left out is as it was. */
const given = <Value extends object>(values: Value): Given<Value> =>
  // Only members that are there are kept.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Value>;

type Given<Value> = { readonly [Key in keyof Value]?: Exclude<Value[Key], undefined> };

function withMs({ minDuration, deadline, ...rest }: NonNullable<ReplayPolicy['verdict']>) {
  return { ...rest, minDurationMs: minDuration, deadlineMs: deadline };
}
