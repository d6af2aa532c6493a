import type { DeploymentSpec } from './deployment.js';
import type { EvidencePolicy, RolloutObjectives } from './evidence-policy.js';
import { type RolloutInput, defaultAcceptance } from './rollout.js';

const APPROVAL_DEADLINE_MS = 24 * 3_600_000;

/** Writes out the defaults of `spec.rollout`, after it was found without mistakes. */
export function normaliseRollout(input: RolloutInput): DeploymentSpec['rollout'] {
  const { strategy, drainDeadline: drainDeadlineMs } = input;
  const evidence = strategy === 'evidence' ? evidenceOf(input) : undefined;
  return { strategy, drainDeadlineMs, ...(evidence ? { evidence } : {}) };
}

function evidenceOf(input: RolloutInput): EvidencePolicy | undefined {
  const { objectives, load, canary, currency = 'USD', acceptance = defaultAcceptance() } = input;
  if (!objectives || !load || !canary) return undefined;
  const money = (amount: string) => ({ amount, currency });
  return {
    objectives: objectivesOf(objectives, money),
    approval: input.approval ?? 'required',
    approvalDeadlineMs: input.approvalDeadline ?? APPROVAL_DEADLINE_MS,
    load: {
      requestsPerSecond: load.requestsPerSecond,
      prompts: load.prompts,
      rampDurationMs: load.rampDuration,
      maxRequests: load.maxRequests,
      maxDurationMs: load.maxDuration,
      maxSpend: money(load.maxSpend),
    },
    canary: {
      maxWorkers: canary.maxWorkers,
      maxSpend: money(canary.maxSpend),
      deadlineMs: canary.deadline,
      removalDeadlineMs: canary.removalDeadline,
    },
    acceptance: {
      alpha: acceptance.alpha,
      beta: acceptance.beta,
      minimumSamples: acceptance.minimumSamples,
      deadlineMs: acceptance.deadline,
      convergeDeadlineMs: acceptance.convergeDeadline,
      tolerated: acceptance.tolerated,
    },
    onQueueBreach: input.onQueueBreach ?? 'pause',
  };
}

function objectivesOf(
  {
    latencyP50,
    latencyP95,
    latencyP99,
    errorRate,
    queueTimeP95,
    concurrency,
    maxHourly,
  }: NonNullable<RolloutInput['objectives']>,
  money: (amount: string) => { amount: string; currency: string },
): RolloutObjectives {
  return {
    ...(latencyP50 === undefined ? {} : { latencyP50Ms: latencyP50 }),
    ...(latencyP95 === undefined ? {} : { latencyP95Ms: latencyP95 }),
    ...(latencyP99 === undefined ? {} : { latencyP99Ms: latencyP99 }),
    ...(errorRate === undefined ? {} : { errorRate }),
    ...(queueTimeP95 === undefined ? {} : { queueTimeP95Ms: queueTimeP95 }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(maxHourly === undefined ? {} : { maxHourly: money(maxHourly) }),
  };
}
