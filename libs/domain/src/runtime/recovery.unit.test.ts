import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  MOST_SUCCESSES,
  NEVER_UNREADY,
  RECOVERY_MEMORY_MS,
  type Recovery,
  afterFailure,
  afterSuccess,
  afterUnready,
} from './recovery.js';

/** Good probes until it is back, after so many times unready. */
function needed(times: number, gapMs = 1_000): number {
  let recovery: Recovery = NEVER_UNREADY;
  let nowMs = 0;
  for (let time = 0; time < times; time++) recovery = afterUnready(recovery, (nowMs += gapMs));
  for (let probe = 1; ; probe++) {
    const after = afterSuccess(recovery, nowMs);
    if (after.isBack) return probe;
    recovery = after.recovery;
  }
}

describe('a server that comes back', () => {
  it('is believed at once the first time, and after twice as many good probes each further time', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((times) => needed(times))).toEqual([1, 1, 2, 4, 8, 8, 8]);
  });
  it('is believed at once again when its last fall is long ago', () => {
    expect(needed(3, RECOVERY_MEMORY_MS)).toBe(1);
  });
  it('begins anew with each failed probe', () => {
    const fallen = [1, 2, 3].reduce((recovery, ms) => afterUnready(recovery, ms), NEVER_UNREADY);
    const almost = [1, 2, 3].reduce((recovery) => afterSuccess(recovery, 4).recovery, fallen);
    expect(afterSuccess(almost, 4).isBack).toBe(true);
    expect(afterSuccess(afterFailure(almost), 4).isBack).toBe(false);
  });
  it('flaps a bounded number of times, however it answers', () => {
    const probes = fc.array(fc.boolean(), { minLength: 400, maxLength: 400 });
    fc.assert(
      fc.property(probes, (answers) => {
        let recovery: Recovery = NEVER_UNREADY;
        let isReady = true;
        let falls = 0;
        for (const [index, isGood] of answers.entries()) {
          const nowMs = index * 500;
          if (isGood) {
            const after = afterSuccess(recovery, nowMs);
            recovery = after.recovery;
            isReady ||= after.isBack;
          } else if (isReady) {
            isReady = false;
            falls += 1;
            recovery = afterUnready(recovery, nowMs);
          } else recovery = afterFailure(recovery);
        }
        // From the fifth on, each takes as many good probes as are ever asked for, and one that fails.
        expect(falls).toBeLessThanOrEqual(5 + answers.length / (MOST_SUCCESSES + 1));
      }),
    );
  });
});
