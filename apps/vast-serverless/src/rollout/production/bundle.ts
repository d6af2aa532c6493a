import type { EvidencePolicy } from '@davit/contracts';
import {
  type ContractEvidence,
  DEFAULT_VERDICT_POLICY,
  type VerdictBundle,
  type VerdictPolicy,
  type Window,
} from '@davit/domain';
import type { Turn } from '../turn.js';

/** How a verdict is reached, from what was declared; what was not is by default. Times follow the time that there is. */
export function verdictPolicyOf({ acceptance }: EvidencePolicy): VerdictPolicy {
  const { alpha, beta, minimumSamples, deadlineMs, tolerated } = acceptance;
  const latency = 1 + tolerated.latency;
  return {
    ...DEFAULT_VERDICT_POLICY,
    ...{ alpha, beta, deadlineMs },
    minDurationMs: Math.floor(deadlineMs / 3),
    closingMs: Math.floor(deadlineMs / 9),
    minRequests: { baseline: minimumSamples, candidate: minimumSamples },
    tolerance: {
      ...DEFAULT_VERDICT_POLICY.tolerance,
      ...{ latencyP50: latency, latencyP95: latency, latencyP99: latency, errorRate: tolerated.errorRate },
    },
  };
}

export interface Compared {
  readonly baseline: readonly (Window | null)[];
  readonly candidate: readonly (Window | null)[];
  readonly startedAtMs: number;
  readonly contract: ContractEvidence | null;
}

/** Everything that a verdict rests on. */
export function bundleOf({ state, plan, nowMs }: Turn, compared: Compared): VerdictBundle {
  const identity = (revision: number, template: { templateId: number; templateHash: string } | null) => ({
    ...{ revision: String(revision), templateId: String(template?.templateId ?? '') },
    templateHash: template?.templateHash ?? '',
  });
  return {
    version: 1,
    identities: {
      baseline: identity(state.fromRevision, plan.rollback),
      candidate: identity(state.revision, state.template),
    },
    policy: verdictPolicyOf(plan.policy),
    objectives: plan.policy.objectives,
    ...compared,
    asOfMs: nowMs,
  };
}
