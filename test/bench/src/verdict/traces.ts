import {
  type ContractEvidence,
  DEFAULT_CONTRACT_POLICY,
  DEFAULT_VERDICT_POLICY,
  type Objectives,
  type VerdictBundle,
  type VerdictPolicy,
  observeOutput,
} from '@davit/domain';
import { type Random, seededRandom } from '@davit/ports';
import { type Service, WINDOW_MS, windowsOf } from './course.js';
import { type Kind, KINDS } from './kinds.js';
import { type Label } from './plan.js';

/** A rollout whose outcome is known, since it was made up. */
export type Trace = {
  readonly kind: Kind;
  readonly label: Label;
  readonly bundle: VerdictBundle;
};

const START_MS = Date.UTC(2026, 0, 1);
const BASELINE_WINDOWS = 30;
/** A 95th percentile of a log-normal latency lies so many sigmas above the median. */
const Z95 = 1.645;

const answer = (content: string): string =>
  JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { completion_tokens: 7 },
  });
const outputs = ['The sky is blue by day.', 'Two and two are four.', 'Paris is the capital of France.'].map(
  (text, index) => observeOutput(`probe-${index}`, answer(text)),
);
const CONTRACT: ContractEvidence = { policy: DEFAULT_CONTRACT_POLICY, recorded: outputs, observed: outputs };

const between = (random: Random, low: number, high: number): number => low + (high - low) * random.next();

/** Some promise more than others; all that is promised the baseline keeps with room to spare. */
function objectivesFor(random: Random, service: Service): Objectives {
  const p95 = service.medianMs * Math.exp(Z95 * service.sigma);
  return {
    ...(random.next() < 0.6 ? { latencyP95Ms: Math.round(p95 * between(random, 1.5, 2.5)) } : {}),
    ...(random.next() < 0.6 ? { errorRate: between(random, 0.02, 0.04) } : {}),
    ...(random.next() < 0.3
      ? { queueTimeP95Ms: Math.round(service.queueMedianMs * 2.3 * between(random, 1.6, 3)) }
      : {}),
    ...(random.next() < 0.3 ? { maxHourly: { amount: '2.50', currency: 'USD' } } : {}),
  };
}

const serviceFor = (random: Random, noise: { readonly sigma: number; readonly windowSigma: number }): Service => ({
  requestsPerSecond: between(random, 3, 8),
  medianMs: between(random, 200, 2_000),
  ...noise,
  errorRate: between(random, 0, 0.003),
  queueMedianMs: between(random, 100, 500),
});

/** One trace of a kind; the same seed gives the same. */
export function traceOf(kind: Kind, seed: number, policy: VerdictPolicy = DEFAULT_VERDICT_POLICY): Trace {
  const random = seededRandom(seed);
  const plan = KINDS[kind](random, policy);
  const service = { ...serviceFor(random, plan.noise), ...plan.service };
  const spend = { amount: '0.03', currency: 'USD' };
  const baseline = windowsOf(random, service, {
    ...{ fromMs: START_MS - BASELINE_WINDOWS * WINDOW_MS, count: BASELINE_WINDOWS, spend },
  });
  const count = Math.ceil(policy.deadlineMs / WINDOW_MS);
  const candidate = windowsOf(random, service, { fromMs: START_MS, count, spend }, plan.effect);
  const bundle: VerdictBundle = {
    version: 1,
    identities: { baseline: { template: 'old' }, candidate: { template: 'new' } },
    policy,
    objectives: objectivesFor(random, service),
    ...plan.spoil({ baseline, candidate }),
    startedAtMs: START_MS,
    asOfMs: START_MS + policy.deadlineMs,
    contract: CONTRACT,
  };
  return { kind, label: plan.label, bundle };
}

/** @param each traces of every kind */
export const tracesOf = (seed: number, each: number): readonly Trace[] =>
  (Object.keys(KINDS) as Kind[]).flatMap((kind, place) =>
    Array.from({ length: each }, (_, index) => traceOf(kind, seed * 100_003 + place * 1_009 + index)),
  );
