import { describe, expect, it, test } from '@jest/globals';
import { parseDeployment } from './parse.js';
import { elastic, problemsOf, serverless } from './testing/manifests.js';

const EVIDENCE = {
  strategy: 'evidence',
  objectives: { latencyP95: '2s', errorRate: 0.01, maxHourly: '6.00' },
  load: { requestsPerSecond: 8, prompts: 'qwen3-8b.jsonl', maxSpend: '3.00' },
  canary: { maxSpend: '2.00' },
};
const evidence = (changes: object = {}, workers: object = {}) =>
  serverless(workers, { rollout: { ...EVIDENCE, ...changes } });

describe('a rollout on evidence', () => {
  it('writes out every default, asks for approval unless told not to, and carries its currency with each amount', () => {
    const parsed = parseDeployment(evidence());
    expect(parsed.ok && parsed.deployment.spec.rollout).toEqual({
      strategy: 'evidence',
      drainDeadlineMs: 30_000,
      evidence: {
        objectives: { latencyP95Ms: 2_000, errorRate: 0.01, maxHourly: { amount: '6.00', currency: 'USD' } },
        approval: 'required',
        approvalDeadlineMs: 86_400_000,
        load: {
          requestsPerSecond: 8,
          prompts: 'qwen3-8b.jsonl',
          rampDurationMs: 300_000,
          maxRequests: 100_000,
          maxDurationMs: 3_600_000,
          maxSpend: { amount: '3.00', currency: 'USD' },
        },
        canary: {
          maxWorkers: 2,
          maxSpend: { amount: '2.00', currency: 'USD' },
          deadlineMs: 3_600_000,
          removalDeadlineMs: 900_000,
        },
        acceptance: {
          alpha: 0.01,
          beta: 0.02,
          minimumSamples: 500,
          deadlineMs: 3_600_000,
          convergeDeadlineMs: 3_600_000,
          tolerated: { latency: 0.1, errorRate: 0.005 },
        },
        onQueueBreach: 'pause',
      },
    });
  });

  it('leaves other strategies as they were written down before', () => {
    const parsed = parseDeployment(serverless());
    expect(parsed.ok && parsed.deployment.spec.rollout).toEqual({ strategy: 'surge', drainDeadlineMs: 30_000 });
  });

  test.each([
    [evidence({ objectives: undefined }), 'spec.rollout.objectives', /is missing/],
    [evidence({ load: undefined }), 'spec.rollout.load', /is missing/],
    [evidence({ canary: undefined }), 'spec.rollout.canary', /is missing/],
    [evidence({ objectives: { concurrency: 4 } }), 'spec.rollout.objectives', /no candidate could be judged/],
    [
      evidence({ objectives: { latencyP50: '3s', latencyP99: '2s' } }),
      'spec.rollout.objectives.latencyP99',
      /2000 ms is less than latencyP50 \(3000 ms\)/,
    ],
    [
      evidence({ load: { ...EVIDENCE.load, rampDuration: '30m', maxDuration: '1h' } }),
      'spec.rollout.load.maxDuration',
      /less than three ramps of 1800000 ms/,
    ],
    [
      evidence({ canary: { maxSpend: '1', maxWorkers: 9 } }),
      'spec.rollout.canary.maxWorkers',
      /9 is more than .*\(4\)/,
    ],
    [
      evidence({ canary: { maxSpend: '1', maxWorkers: 1 } }),
      'spec.rollout.canary.maxWorkers',
      /is 1, .* over and over/,
    ],
    [
      evidence({ acceptance: { minimumSamples: 100_000 } }),
      'spec.rollout.acceptance.deadline',
      /too short for 100000 samples .*12500 s/,
    ],
    [evidence({ load: { ...EVIDENCE.load, prompts: '../etc/passwd' } }), 'spec.rollout.load.prompts', /is not a file/],
    [evidence({ onQueueBreach: 'panic' }), 'spec.rollout.onQueueBreach', /"panic" is not one of/],
    [elastic({ rollout: EVIDENCE }), 'spec.rollout.strategy', /contradicts mode "elastic"/],
    [serverless({}, { rollout: { approval: 'none' } }), 'spec.rollout.approval', /no meaning with strategy "surge"/],
    [
      serverless({}, { rollout: EVIDENCE, budget: { maxHourly: '4', currency: 'EUR' } }),
      'spec.rollout.currency',
      /"USD" differs from spec.budget.currency \("EUR"\)/,
    ],
  ])('a mistake names field, value and remedy (%#)', (input, path, message) => {
    const problems = problemsOf(input);
    expect(problems).toContainEqual({
      path,
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(/\w/),
    });
  });
});
