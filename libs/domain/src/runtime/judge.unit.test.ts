import type { UnreadyReason } from '@davit/contracts';
import { unreadyReason } from '@davit/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type FailedProbe, NO_FAILURES, type ProbeMemory, judgeFailure } from './judge.js';
import { MOST_TRAFFIC_POINTS } from './weights.js';

const DEADLINE_MS = 90_000;

const failed = (reason: UnreadyReason, nowMs: number, rest: Partial<FailedProbe> = {}): FailedProbe => ({
  ...{ reason, nowMs, slow: reason === 'timeout', progressed: false, trafficPoints: 0 },
  ...rest,
});

/** Probes that fail in a row until the verdict; the number of them. */
function probesUntilUnready(reason: UnreadyReason, rest: Partial<FailedProbe> = {}, most = 50): number {
  let memory: ProbeMemory = NO_FAILURES;
  for (let probe = 1; probe <= most; probe++) {
    const judged = judgeFailure(memory, failed(reason, probe * 500, rest), DEADLINE_MS);
    if (judged.verdict === 'unready') return probe;
    memory = judged.memory;
  }
  return Number.POSITIVE_INFINITY;
}

describe('the verdict on a model server', () => {
  it('takes three refusals, five time-outs, two looks at a dead engine or a sleeping one, and one at a hang', () => {
    const taken = (reasons: readonly UnreadyReason[]) => reasons.map((reason) => probesUntilUnready(reason));
    expect(taken(['refused', 'timeout', 'engine-dead', 'asleep', 'hung', 'model-mismatch'])).toEqual([
      3, 5, 2, 2, 1, 1,
    ]);
  });

  it('is never reached on time-outs while tokens flow: slow is not dead', () => {
    expect(probesUntilUnready('timeout', { progressed: true }, 1_000)).toBe(Number.POSITIVE_INFINITY);
    expect(probesUntilUnready('inference-failed', { progressed: true, slow: true }, 1_000)).toBe(Infinity);
  });

  it('is reached on refusals and on a hang whatever the counters did before', () => {
    expect(probesUntilUnready('refused', { progressed: true })).toBe(3);
    expect(probesUntilUnready('hung', { progressed: true, slow: true })).toBe(1);
  });

  it('comes sooner with what gateways report, and after one slow answer not even then', () => {
    expect(probesUntilUnready('refused', { trafficPoints: 20 })).toBe(2);
    expect(probesUntilUnready('timeout', { trafficPoints: 1_000 })).toBeGreaterThan(1);
  });

  it('comes at the health deadline at the latest', () => {
    const first = judgeFailure(NO_FAILURES, failed('timeout', 0), DEADLINE_MS);
    expect(first.verdict).toBe('wait');
    expect(judgeFailure(first.memory, failed('timeout', DEADLINE_MS), DEADLINE_MS).verdict).toBe('unready');
  });
});

describe('the verdict on a model server, whatever it does', () => {
  const reason = fc.constantFrom<UnreadyReason>(...unreadyReason.options);
  const probe = fc.record({
    reason,
    slow: fc.boolean(),
    progressed: fc.boolean(),
    trafficPoints: fc.double({ min: 0, max: MOST_TRAFFIC_POINTS, noNaN: true }),
    gapMs: fc.integer({ min: 1, max: 10_000 }),
  });

  it('is never unready on a single slow answer, whatever gateways say', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.double({ min: 0, max: 1e9, noNaN: true }), (progressed, trafficPoints) => {
        const judged = judgeFailure(NO_FAILURES, failed('timeout', 1, { progressed, trafficPoints }), DEADLINE_MS);
        expect(judged.verdict).toBe('wait');
      }),
    );
  });

  it('is always unready within three refusals in a row, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(probe, { maxLength: 30 }), (before) => {
        let memory: ProbeMemory = NO_FAILURES;
        let nowMs = 0;
        for (const { gapMs, ...rest } of before)
          memory = judgeFailure(memory, { ...rest, nowMs: (nowMs += gapMs) }, DEADLINE_MS).memory;
        const verdicts = [1, 2, 3].map(() => {
          const judged = judgeFailure(memory, failed('refused', (nowMs += 500)), DEADLINE_MS);
          memory = judged.memory;
          return judged.verdict;
        });
        expect(verdicts).toContain('unready');
      }),
    );
  });

  it('only grows stronger with more evidence of the same kind, and with what gateways add', () => {
    fc.assert(
      fc.property(reason, fc.nat(40), fc.nat(40), (of, few, more) => {
        const probes = (points: number) => probesUntilUnready(of, { trafficPoints: points });
        expect(probes(few + more)).toBeLessThanOrEqual(probes(few));
      }),
    );
  });
});
