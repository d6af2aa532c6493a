import { describe, expect, test } from '@jest/globals';
import type { EventData } from '@davit/contracts';
import { eventAt } from '../../testing/event.js';
import { evidenceOf, latencyObjectives } from './evidence.js';

const rolloutId = 'default/qwen-2-1';
type Window = EventData<'davit.rollout.baseline-recorded'>['windows'][number];
const window = (p95Ms: number | null, sent: number, ok: number): Window => ({
  ...{
    from: '2026-11-30T16:00:00.000Z',
    to: '2026-11-30T16:00:06.000Z',
    sent,
    ok,
    errors: {},
    workers: {},
    spend: null,
  },
  latency: { p50Ms: 90, p95Ms, p99Ms: 300 },
  queueTime: { p50Ms: 1, p95Ms: 12, p99Ms: 20 },
});

describe('what a rollout has shown', () => {
  const events = [
    eventAt(1, 1, 'davit.rollout.load-profile-run', {
      ...{ rolloutId, ramp: 1, steps: [{ requestsPerSecond: 8, window: window(200, 50, 48) }] },
    }),
    eventAt(2, 2, 'davit.rollout.baseline-recorded', { rolloutId, windows: [window(null, 0, 0)] }),
    eventAt(3, 3, 'davit.rollout.baseline-recorded', { rolloutId: 'default/other-1-1', windows: [window(1, 1, 1)] }),
    eventAt(4, 4, 'davit.rollout.verdict-reached', { rolloutId, verdict: 'wait' }),
    eventAt(5, 5, 'davit.rollout.verdict-reached', { rolloutId, verdict: 'accept' }),
  ];

  test('is every step of its ramps, every window of production and every verdict, its own alone', () => {
    const { ramps, baseline, verdicts, bounds } = evidenceOf(events, rolloutId);
    expect(ramps).toEqual([
      { name: '1.1', requestsPerSecond: 8, p50: 90, p95: 200, p99: 300, queueP95: 12, errorPercent: 4 },
    ]);
    expect(baseline).toMatchObject([{ name: '1', p95: null, errorPercent: null }]);
    expect(verdicts.map(({ verdict }) => verdict.verdict)).toEqual(['wait', 'accept']);
    expect(bounds).toBeNull();
  });

  test('stands against what was promised, and nothing else', () => {
    expect(latencyObjectives({ latencyP95Ms: 1_000 })).toEqual([{ y: 1_000, label: 'p95 promised 1000 ms' }]);
    expect(latencyObjectives(undefined)).toEqual([]);
  });
});
