import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type RolloutVerdict, type VerdictBundle } from './bundle.js';
import { observeOutput } from './contract/observe.js';
import { judge, verdictsOver } from './judge.js';
import { DEFAULT_VERDICT_POLICY } from './policy.js';
import { recompute } from './recompute.js';
import {
  MINUTE_MS,
  OUTPUTS,
  SAME_CONTRACT,
  START_MS,
  chatAnswer,
  goodBundle,
  minuteAt,
  minutes,
} from './testing/bundles.js';
import { type Window } from './window.js';

const later = (count: number): number => START_MS + count * MINUTE_MS;
const brokenOf = ({ reasons }: RolloutVerdict): string[] =>
  reasons.filter(({ outcome }) => outcome === 'broken').map(({ rule }) => rule);
const openOf = ({ reasons }: RolloutVerdict): string[] =>
  reasons.filter(({ outcome }) => outcome === 'open').map(({ rule }) => rule);
/** From worst to best. */
const rank = (bundle: VerdictBundle): number => ['reject', 'wait', 'accept'].indexOf(judge(bundle).verdict);

describe('a verdict', () => {
  it('accepts what is proven to be no worse, to keep its objectives and to answer as before', () => {
    const verdict = judge(goodBundle());
    expect(verdict).toMatchObject({ verdict: 'accept', alpha: 0.01, beta: 0.01 });
    expect(verdict.samples).toEqual({ baseline: 9_000, candidate: 9_000 });
    expect(verdict.reasons.every(({ outcome }) => outcome === 'met')).toBe(true);
    expect(verdict.reasons.find(({ rule }) => rule === 'latency-p95-objective')?.figures).toMatchObject({
      limit: 0.05,
      thresholdMs: 2_000,
      requests: 9_000,
      beyond: 0,
    });
  });

  it('is not accepted before the least time, however good it looks', () => {
    const verdict = judge(goodBundle({ candidate: minutes(0, 29), asOfMs: later(29) }));
    expect([verdict.verdict, openOf(verdict)]).toEqual(['wait', ['duration']]);
  });

  it('rejects what is slower than tolerated, and says which quantile', () => {
    const verdict = judge(goodBundle({ candidate: minutes(0, 6, { slower: 1.8 }), asOfMs: later(6) }));
    expect(verdict.verdict).toBe('reject');
    expect(brokenOf(verdict)).toEqual(expect.arrayContaining(['latency-p50-baseline', 'latency-p95-baseline']));
  });

  it('rejects errors beyond the objective and beyond the baseline', () => {
    const verdict = judge(goodBundle({ candidate: minutes(0, 10, { errors: 20 }), asOfMs: later(10) }));
    expect(brokenOf(verdict)).toEqual(expect.arrayContaining(['error-rate-objective', 'error-rate-baseline']));
  });

  it('does not let one window decide, however bad', () => {
    const candidate = [...minutes(0, 4), minuteAt(4, { errors: 300 })];
    expect(judge(goodBundle({ candidate, asOfMs: later(5) })).verdict).toBe('wait');
  });

  it('does not accept a regression in the closing minutes', () => {
    const candidate = [...minutes(0, 27), ...minutes(27, 3, { slower: 1.8 })];
    expect(judge(goodBundle({ candidate })).verdict).not.toBe('accept');
  });

  it('keeps a proven regression after it is gone', () => {
    const candidate = [...minutes(0, 6, { slower: 2 }), ...minutes(6, 40)];
    expect(judge(goodBundle({ candidate, asOfMs: later(46) })).verdict).toBe('reject');
  });

  it('waits with little traffic, and rejects as not proven at the deadline', () => {
    const candidate = minutes(0, 90, { requests: 2 });
    expect(judge(goodBundle({ candidate, asOfMs: later(89) })).verdict).toBe('wait');
    const verdict = judge(goodBundle({ candidate, asOfMs: later(90) }));
    expect([verdict.verdict, brokenOf(verdict)]).toEqual(['reject', ['not-proven']]);
  });

  it('rejects spending beyond the promise, to the last decimal', () => {
    const spending = (amount: string): VerdictBundle =>
      goodBundle({ objectives: { maxHourly: { amount, currency: 'USD' } } });
    expect(judge(spending('1.8')).verdict).toBe('accept');
    expect(brokenOf(judge(spending('1.799999')))).toEqual(['spend-objective']);
    expect(judge(goodBundle({ objectives: { maxHourly: { amount: '9', currency: 'EUR' } } })).verdict).toBe('wait');
  });

  it('rejects a broken output contract at once, and never accepts without one', () => {
    const observed = OUTPUTS.map(({ probe }) => observeOutput(probe, '{"answer":"42"}'));
    const broken = judge(goodBundle({ contract: { ...SAME_CONTRACT, observed }, candidate: [], asOfMs: later(0) }));
    expect(brokenOf(broken)).toEqual(['output-contract']);
    expect(openOf(judge(goodBundle({ contract: null })))).toEqual(['output-contract']);
    const fewer = { ...SAME_CONTRACT, observed: OUTPUTS.slice(1) };
    expect(openOf(judge(goodBundle({ contract: fewer })))).toEqual(['output-contract']);
  });

  it('accepts nothing where nothing is to be proven, or the policy contradicts itself', () => {
    const nothing = goodBundle({ objectives: {}, policy: { ...DEFAULT_VERDICT_POLICY, compare: [] } });
    expect([judge(nothing).verdict, openOf(judge(nothing))]).toEqual(['wait', ['policy']]);
    const absurd = goodBundle({ policy: { ...DEFAULT_VERDICT_POLICY, alpha: 1.5 } });
    expect(openOf(judge(absurd))).toEqual(['policy']);
    expect(openOf(judge(goodBundle({ objectives: { latencyP95Ms: Number.NaN } })))).toEqual(['latency-p95-objective']);
  });

  it('judges latencies given as a sketch, against the candidate where a bucket does not tell', () => {
    const sketched = (window: Window, upToMs: readonly number[]): Window => {
      const list = window.latencies as number[];
      const counts = [...upToMs, Infinity].map(
        (bound, at) => list.filter((ms) => ms <= bound && ms > (upToMs[at - 1] ?? -1)).length,
      );
      return { ...window, latencies: { upToMs, counts } };
    };
    const fine = Array.from({ length: 40 }, (_, index) => 50 * (index + 1));
    const withSketch = (bounds: readonly number[]): VerdictBundle =>
      goodBundle({ candidate: minutes(0, 30).map((window) => sketched(window, bounds)) });
    expect(judge(withSketch(fine)).verdict).toBe('accept');
    expect(judge(withSketch([600, 5_000])).verdict).not.toBe('accept');
  });
});

describe('what is missing', () => {
  const spoils: Record<string, (window: Window) => Window | null> = {
    'no observation': () => null,
    'no traffic': (window) => ({ ...window, requests: 0, ok: 0, errors: 0, latencies: [], queueMs: [] }),
    'errors that are no number': (window) => ({ ...window, errors: Number.NaN }),
    'requests unknown': (window) => ({ ...window, requests: null }),
    'no latencies': (window) => ({ ...window, latencies: null }),
    'latencies that are no numbers': (window) => ({ ...window, latencies: window.queueMs.map(() => Number.NaN) }),
    'counts that contradict each other': (window) => ({ ...window, ok: 1 }),
  };

  it.each(Object.keys(spoils))('is never taken for success: %s', (name) => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(29), { minLength: 4, maxLength: 30 }), (at) => {
        const candidate = minutes(0, 30).map((window, index) =>
          at.includes(index) ? (spoils[name]?.(window) ?? null) : window,
        );
        expect(judge(goodBundle({ candidate })).verdict).not.toBe('accept');
      }),
      { numRuns: 8 },
    );
  });

  it('is unknown, and no failure: few unmeasured latencies neither reject nor hold up', () => {
    const candidate = minutes(0, 30).map((window) => ({
      ...window,
      latencies: (window.latencies as number[]).map((ms, index) => (index % 50 === 0 ? null : ms)),
    }));
    expect(judge(goodBundle({ candidate })).verdict).toBe('accept');
  });

  it('in the baseline leaves nothing to compare with', () => {
    const verdict = judge(goodBundle({ baseline: [] }));
    expect(verdict.verdict).toBe('wait');
    expect(openOf(verdict)).toEqual(
      expect.arrayContaining(['baseline', 'latency-p95-baseline', 'error-rate-baseline']),
    );
  });

  it('of the wait for a worker keeps its objective unproven', () => {
    const candidate = minutes(0, 30).map((window) => ({ ...window, queueMs: [] }));
    expect(openOf(judge(goodBundle({ candidate, objectives: { queueTimeP95Ms: 500 } })))).toEqual([
      'queue-time-p95-objective',
    ]);
    expect(judge(goodBundle({ objectives: { queueTimeP95Ms: 500 } })).verdict).toBe('accept');
  });

  it('windows that overlap are not counted twice', () => {
    const candidate = [...minutes(0, 30), ...minutes(0, 30)];
    expect(judge(goodBundle({ candidate })).samples.candidate).toBe(9_000);
  });
});

describe('whatever the windows', () => {
  const anyMinute = fc.record({
    requests: fc.integer({ min: 20, max: 120 }),
    errorShare: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.1, noNaN: true })),
    slower: fc.double({ min: 0.8, max: 1.6, noNaN: true }),
  });
  const anyMinutes = fc
    .array(anyMinute, { minLength: 30, maxLength: 40 })
    .map((list) =>
      list.map(({ requests, errorShare, slower }, index) =>
        minuteAt(index, { requests, errors: Math.floor(requests * errorShare), slower }),
      ),
    );

  it('their order does not matter', () => {
    fc.assert(
      fc.property(
        anyMinutes.chain((windows) =>
          fc.tuple(fc.constant(windows), fc.shuffledSubarray(windows, { minLength: windows.length })),
        ),
        ([windows, shuffled]) => {
          const asOfMs = later(windows.length);
          const inOrder = judge(goodBundle({ candidate: windows, asOfMs }));
          const anyOrder = judge(goodBundle({ candidate: shuffled, asOfMs }));
          expect(anyOrder).toEqual({ ...inOrder, digest: anyOrder.digest });
        },
      ),
      { numRuns: 15 },
    );
  });

  it('an answer that turns into an error never makes the verdict better', () => {
    fc.assert(
      fc.property(anyMinutes, fc.nat(29), fc.integer({ min: 1, max: 20 }), (candidate, at, more) => {
        const worse = candidate.map((window, index) => (index === at ? failing(window, more) : window));
        const asOfMs = later(candidate.length);
        expect(rank(goodBundle({ candidate: worse, asOfMs }))).toBeLessThanOrEqual(
          rank(goodBundle({ candidate, asOfMs })),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('the course of a rollout says at each instant what its bundle of that instant says', () => {
    fc.assert(
      fc.property(anyMinutes, fc.integer({ min: 1, max: 90 }), (candidate, minute) => {
        const bundle = goodBundle({ candidate, asOfMs: later(minute) });
        const { verdict, reasons } = judge(bundle);
        expect(verdictsOver({ ...bundle, asOfMs: later(90) })(later(minute))).toMatchObject({ verdict, reasons });
      }),
      { numRuns: 20 },
    );
  });
});

/** The slowest answers have failed instead. */
function failing(window: Window, more: number): Window {
  const latencies = window.latencies as number[];
  const kept = latencies.slice(0, Math.max(0, latencies.length - more));
  const errors = (window.requests ?? 0) - kept.length;
  return { ...window, ok: kept.length, errors, latencies: kept, queueMs: window.queueMs.slice(0, kept.length) };
}

describe('a bundle', () => {
  it('read back from text is judged the same, with the same digest, also where numbers were none', () => {
    const candidate = [...minutes(0, 29), { ...minuteAt(29), errors: Number.NaN }];
    const bundle = goodBundle({ candidate });
    const copy = JSON.parse(JSON.stringify(bundle)) as VerdictBundle;
    expect(judge(copy)).toEqual(judge(bundle));
    expect(recompute(copy, judge(bundle)).kind).toBe('same');
  });

  it('with one sample changed has another digest', () => {
    const said = judge(goodBundle());
    const candidate = minutes(0, 30);
    const [first] = candidate;
    if (first === undefined) throw new Error('no window');
    candidate[0] = {
      ...first,
      latencies: [(first.latencies as number[])[0] ?? 0, ...(first.latencies as number[]).slice(1, -1), 1_501],
    };
    const again = recompute(goodBundle({ candidate }), said);
    expect(again).toMatchObject({ kind: 'other-bundle', verdict: { verdict: 'accept' } });
  });

  it('with samples changed that matter has another answer', () => {
    const again = recompute(goodBundle({ candidate: minutes(0, 30, { slower: 1.8 }) }), judge(goodBundle()));
    expect(again).toMatchObject({ kind: 'other-bundle', verdict: { verdict: 'reject' } });
  });

  it('of which something else was said is told apart', () => {
    const said: RolloutVerdict = { ...judge(goodBundle({ candidate: minutes(0, 5) })), verdict: 'accept' };
    expect(recompute(goodBundle({ candidate: minutes(0, 5) }), said)).toMatchObject({
      kind: 'other-answer',
      differs: ['verdict'],
    });
  });
});

it('an answer in another structure is told by its path', () => {
  const observed = OUTPUTS.map(({ probe, text }) => observeOutput(probe, chatAnswer(text ?? '', { choices: 'none' })));
  const { reasons } = judge(goodBundle({ contract: { ...SAME_CONTRACT, observed } }));
  expect(reasons[0]).toMatchObject({ rule: 'output-contract', outcome: 'broken' });
  expect(reasons[0]?.detail).toContain('$.choices is string, was array');
});
