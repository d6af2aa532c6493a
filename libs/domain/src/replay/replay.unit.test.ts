import { describe, expect, test } from '@jest/globals';
import { type EventData, type RecordedEvent, type ReplayPolicy, replayPolicy } from '@davit/contracts';
import { type VerdictBundle } from '../verdict/bundle.js';
import { judge } from '../verdict/judge.js';
import { goodBundle, minutes } from '../verdict/testing/bundles.js';
import { retakeRecorded } from './recorded.js';
import { isRetaken } from './retaken.js';
import { retakeVerdict } from './verdict.js';

/** What is written and the outcome under a policy; equal where nothing would be other. */
function outcomes(type: RecordedEvent['type'], data: object, written: unknown): readonly (string | undefined)[] {
  const event = { type, data } as RecordedEvent; // only what decides is there
  const answer = retakeRecorded(event, replayPolicy.parse(written));
  return [answer?.was.outcome, answer?.would.outcome];
}

describe('an end by a budget', () => {
  const over = {
    ...{ of: 'deployment', name: 'default/qwen', limit: '2.00', held: '2.40', currency: 'USD', rate: '0.80' },
    ceiling: 'hourly',
  };
  const ended = (policy: unknown, change: object = {}) =>
    outcomes(
      'davit.replica.drain-requested',
      { replicaId: 'default/qwen-1-0-1', budget: { ...over, ...change } },
      policy,
    );
  const limits = { currency: 'USD', onExceed: 'drain' };
  const END = 'ended by the hourly budget of the deployment';

  test.each([
    ['under the limits that held', {}, {}, END],
    ['under a lower ceiling', { budget: { ...limits, maxHourly: '1.00' } }, {}, END],
    ['under a ceiling that is not passed', { budget: { ...limits, maxHourly: '2.40' } }, {}, 'goes on'],
    ['without a budget', { budget: null }, {}, 'goes on'],
    ['by limits that only refuse', { budget: { ...limits, maxHourly: '1.00', onExceed: 'refuse' } }, {}, 'goes on'],
    ['by limits of another currency', { budget: { ...limits, maxHourly: '1.00', currency: 'EUR' } }, {}, 'goes on'],
    ['by the budget of the tenant, which decided nothing', { tenantBudget: null }, {}, END],
  ])('%s', (_name, policy, change, expected) => {
    expect(ended(policy, change)).toEqual([END, expected]);
  });

  test('of a total comes when it is reached', () => {
    const total = { ceiling: 'total', limit: '10', held: '10' };
    const at = (maxTotal: string) => ended({ budget: { ...limits, maxTotal } }, total)[1];
    expect([at('10'), at('10.01')]).toEqual(['ended by the total budget of the deployment', 'goes on']);
    expect(ended({}, total)[1]).toBe('ended by the total budget of the deployment');
  });

  test('is no decision where another thing ended it', () => {
    expect(outcomes('davit.replica.drain-requested', { replicaId: 'default/qwen-1-0-1' }, {})).toEqual([
      undefined,
      undefined,
    ]);
  });
});

test('a server is still ready where more failed probes are asked for', () => {
  const data = { replicaId: 'default/qwen-1-0-1', consecutiveFailures: 3, reason: 'timeout', detail: 'no answer' };
  const under = (policy: unknown) => outcomes('davit.runtime.became-unready', data, policy)[1];
  expect([under({}), under({ readiness: { minFailures: 3 } })]).toEqual(['unready', 'unready']);
  expect(under({ readiness: { minFailures: 4 } })).toBe('still ready');
});

test('a fleet is not frozen where as many may be lost', () => {
  const data = { lost: 2, suspects: 4, serving: 12, intervalMs: 60_000, replicas: [], detail: '' };
  const under = (policy: unknown) => outcomes('davit.fleet.frozen', data, policy)[1];
  expect([under({}), under({ loss: { share: 0.4 } }), under({ loss: { floor: 5 } })]).toEqual([
    'frozen',
    'frozen',
    'frozen',
  ]);
  expect([under({ loss: { share: 0.5 } }), under({ loss: { floor: 6 } })]).toEqual(['not frozen', 'not frozen']);
});

describe('a verdict', () => {
  const said = (bundle: VerdictBundle): EventData<'davit.rollout.verdict-reached'> => {
    const { verdict, reasons, alpha, beta, samples, digest } = judge(bundle);
    return {
      ...{ rolloutId: 'default/qwen-2-1', verdict, alpha, beta, samples, bundleDigest: digest },
      reasons: reasons.map((one) => ({ ...one, figures: { ...one.figures } })),
      rejectedAlternatives: [],
    };
  };
  const under = (bundle: VerdictBundle, written: ReplayPolicy['verdict'], kept: VerdictBundle | undefined = bundle) => {
    const answer = retakeVerdict(said(bundle), kept, written);
    return isRetaken(answer) ? [answer.was.outcome, answer.would.outcome] : answer.notJudged;
  };

  test('under the policy that held is the same, whatever it was', () => {
    const bundles = [
      goodBundle(),
      goodBundle({ candidate: minutes(0, 30, { slower: 3 }) }),
      goodBundle({ candidate: [] }),
    ];
    for (const bundle of bundles) {
      const { verdict } = judge(bundle);
      expect(under(bundle, undefined)).toEqual([verdict, verdict]);
    }
    expect(new Set(bundles.map((bundle) => judge(bundle).verdict)).size).toBe(3);
  });

  test('is another one where more is asked for, or less', () => {
    expect(under(goodBundle(), { minDuration: 45 * 60_000 })).toEqual(['accept', 'wait']);
    expect(under(goodBundle(), { minRequests: 1_000_000 })).toEqual(['accept', 'wait']);
  });

  test('on what is not kept any more, or is not what was judged, is not given', () => {
    expect(retakeVerdict(said(goodBundle()), undefined, {})).toMatchObject({
      notJudged: expect.stringContaining('not kept'),
    });
    expect(under(goodBundle(), {}, goodBundle({ candidate: [] }))).toMatch('does not lead to the verdict');
  });
});
