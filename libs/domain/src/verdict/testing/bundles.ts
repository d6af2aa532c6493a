import { type VerdictBundle } from '../bundle.js';
import { type ContractEvidence, DEFAULT_CONTRACT_POLICY } from '../contract/observation.js';
import { observeOutput } from '../contract/observe.js';
import { DEFAULT_VERDICT_POLICY } from '../policy.js';
import { type Window } from '../window.js';

export const MINUTE_MS = 60_000;
export const START_MS = 1_800_000_000_000;

export const chatAnswer = (content: string, fields: object = {}): string =>
  JSON.stringify({
    object: 'chat.completion',
    model: 'qwen3-8b',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 7 },
    ...fields,
  });

export const OUTPUTS = ['The sky is blue by day.', 'Two and two are four.', 'Paris is the capital of France.'].map(
  (text, index) => observeOutput(`probe-${index}`, chatAnswer(text)),
);

export const SAME_CONTRACT: ContractEvidence = {
  policy: DEFAULT_CONTRACT_POLICY,
  recorded: OUTPUTS,
  observed: OUTPUTS,
};

/** A minute with so many requests, whose latencies spread evenly around a second: 500 ms to 1.5 s times the factor. */
export function minuteAt(
  index: number,
  { requests = 300, errors = 0, slower = 1 }: { requests?: number; errors?: number; slower?: number } = {},
): Window {
  const ok = requests - errors;
  const fromMs = START_MS + index * MINUTE_MS;
  const latencies = Array.from({ length: ok }, (_, at) => Math.round(slower * (500 + (1_000 * (at + 0.5)) / ok)));
  const common = { workers: { idle: 2 }, spend: { amount: '0.03', currency: 'USD' } };
  return {
    fromMs,
    toMs: fromMs + MINUTE_MS,
    requests,
    ok,
    errors,
    latencies,
    queueMs: latencies.map(() => 100),
    ...common,
  };
}

export const minutes = (from: number, count: number, about: Parameters<typeof minuteAt>[1] = {}): Window[] =>
  Array.from({ length: count }, (_, index) => minuteAt(from + index, about));

/** A candidate as good as its baseline, looked at after half an hour. */
export const goodBundle = (fields: Partial<VerdictBundle> = {}): VerdictBundle => ({
  version: 1,
  identities: { baseline: { revision: '1' }, candidate: { revision: '2' } },
  policy: DEFAULT_VERDICT_POLICY,
  objectives: { latencyP95Ms: 2_000, errorRate: 0.02 },
  baseline: minutes(-30, 30),
  candidate: minutes(0, 30),
  startedAtMs: START_MS,
  asOfMs: START_MS + 30 * MINUTE_MS,
  contract: SAME_CONTRACT,
  ...fields,
});
