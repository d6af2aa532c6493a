import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sampleOf, samplesToWindows, summarise, type SentRequest } from './account.js';
import { capReached } from './caps.js';
import { type RampRecord, convergenceOf } from './convergence.js';
import { DEFAULT_RAMPS, dueTimes, plannedRequests, rampProfile } from './profile.js';

const usd = (amount: string) => ({ amount, currency: 'USD' });

describe('a profile of ramps', () => {
  const profile = rampProfile({ ...DEFAULT_RAMPS, expectedRequestsPerSecond: 5 });

  it('goes up to twice what is expected and back down, three times', () => {
    const peaks = profile.filter(({ leg }) => leg === 'peak');
    expect(peaks.map(({ ramp, requestsPerSecond }) => [ramp, requestsPerSecond])).toEqual(
      [1, 2, 3].map((ramp) => [ramp, 10]),
    );
    const first = profile.filter(({ ramp }) => ramp === 1).map(({ requestsPerSecond }) => requestsPerSecond);
    expect(first).toEqual([2, 4, 6, 8, 10, 8, 6, 4, 2]);
  });

  it('leaves no time between its steps', () => {
    expect(profile.slice(1).map(({ fromMs }) => fromMs)).toEqual(profile.slice(0, -1).map(({ toMs }) => toMs));
  });

  it('sends as many requests as planned, in order, whichever way they are spaced', () => {
    const even = [...dueTimes(profile)];
    expect(Math.abs(even.length - plannedRequests(profile))).toBeLessThanOrEqual(1);
    let state = 1;
    const uniform = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const random = [...dueTimes(profile, uniform)];
    expect(Math.abs(random.length / plannedRequests(profile) - 1)).toBeLessThan(0.05);
    for (const times of [even, random]) expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('keeps the rate of each step', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 20, noNaN: true }),
        fc.integer({ min: 1, max: 5 }),
        (rate, stepsPerLeg) => {
          const steps = rampProfile({ ...DEFAULT_RAMPS, expectedRequestsPerSecond: rate, stepsPerLeg, ramps: 1 });
          const times = [...dueTimes(steps)];
          for (const { fromMs, toMs, requestsPerSecond } of steps) {
            const sent = times.filter((at) => at >= fromMs && at < toMs).length;
            expect(Math.abs(sent - (requestsPerSecond * (toMs - fromMs)) / 1_000)).toBeLessThanOrEqual(1.01);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('is refused for a rate that is none', () => {
    expect(() => rampProfile({ ...DEFAULT_RAMPS, expectedRequestsPerSecond: Number.NaN })).toThrow(RangeError);
  });
});

describe('caps', () => {
  const caps = { maxRequests: 100, maxDurationMs: 60_000, maxSpend: usd('1.00') };
  const use = { requests: 10, elapsedMs: 1_000, spend: usd('0.10'), spendAgeMs: 0 };

  it.each([
    [{}, undefined],
    [{ requests: 100 }, 'requests'],
    [{ elapsedMs: 60_000 }, 'time'],
    [{ elapsedMs: Number.NaN }, 'time'],
    [{ spend: usd('1.00') }, 'money'],
    [{ spend: usd('0.999999') }, undefined],
    [{ spend: null, spendAgeMs: 60_000 }, undefined],
    [{ spend: null, spendAgeMs: 300_000 }, 'money'],
    [{ spendAgeMs: 300_000 }, 'money'],
  ])('%j', (fields, cap) => {
    const answer = capReached({ ...use, ...fields }, caps);
    expect(answer.kind === 'reached' ? answer.cap : undefined).toBe(cap);
  });
});

describe('the latency of a request', () => {
  const request = (scheduledAtMs: number, sentAtMs: number, answeredAtMs: number | null): SentRequest => ({
    ...{
      scheduledAtMs,
      sentAtMs,
      answeredAtMs,
      queueMs: null,
      workerId: null,
      workersRevision: null,
      outputTokens: null,
    },
    outcome: answeredAtMs === null ? 'lost' : 'ok',
  });

  it('counts from when it was due, so that a server that stalls the driver does not hide', () => {
    // One request a second; the server stalls for ten seconds, and the driver sends what was due meanwhile afterwards.
    const stalled = Array.from({ length: 10 }, (_, at) => sampleOf(request(at * 1_000, 10_000, 10_100)));
    expect(summarise(stalled).latencyMs).toEqual({ p50: 5_100, p95: 10_100, p99: 10_100 });
    expect(summarise(stalled).mostSendDelayMs).toBe(10_000);
  });

  it('is endless for a request without an answer, and unknown where a quantile falls there', () => {
    const samples = Array.from({ length: 100 }, (_, at) => sampleOf(request(at, at, at < 94 ? at + 50 : null)));
    const { latencyMs, outcomes, due } = summarise(samples);
    expect([latencyMs, outcomes.lost, due]).toEqual([{ p50: 50, p95: null, p99: null }, 6, 100]);
    expect(summarise([]).latencyMs).toEqual({ p50: null, p95: null, p99: null });
  });

  it('goes into the window in which it was due, with every request in one window', () => {
    const samples = [0, 999, 1_000, 2_500].map((at) => sampleOf(request(at, at, at === 999 ? null : at + 4_000)));
    const span = { fromMs: 0, toMs: 4_000, windowMs: 1_000 };
    const windows = samplesToWindows(samples, span, () => ({ workers: {}, spend: null }));
    expect(windows.map(({ requests, ok, errors }) => [requests, ok, errors])).toEqual([
      [2, 1, 1],
      [1, 1, 0],
      [1, 1, 0],
      [0, 0, 0],
    ]);
    expect(windows[0]?.latencies).toEqual([4_000]);
  });
});

describe('ramps converge', () => {
  const worker = (workerId: string, perf = 1_000, amount = '0.40') => ({
    workerId,
    gpu: 'RTX_4090',
    perf,
    hourly: usd(amount),
  });
  const ramp = (fields: Partial<RampRecord> = {}): RampRecord => ({
    ramp: 2,
    workers: [worker('1'), worker('2')],
    ...{ peakWorkers: 4, rotated: [], queueP95AtPeakMs: 900 },
    ...fields,
  });
  const outcomesOf = (last: Partial<RampRecord>): string[] =>
    convergenceOf([ramp(), ramp({ ramp: 3, ...last })], 1_000)
      .criteria.filter(({ outcome }) => outcome !== 'met')
      .map(({ name, outcome }) => `${name} ${outcome}`);

  it('when two in a row are alike, whatever the order in which they are given', () => {
    expect(outcomesOf({})).toEqual([]);
    const wild = ramp({ ramp: 1, peakWorkers: 9 });
    expect(convergenceOf([ramp({ ramp: 3 }), wild, ramp()], 1_000).converged).toBe(true);
  });

  it.each<[Partial<RampRecord>, string]>([
    [{ workers: [worker('1'), { ...worker('2'), gpu: 'A100' }] }, 'gpu-classes missed'],
    [{ workers: [worker('1', 900), worker('2', 900)] }, 'perf-per-price missed'],
    [{ workers: [worker('1', 1_000, '0.45'), worker('2', 1_000, '0.45')] }, 'perf-per-price missed'],
    [{ workers: [worker('1'), { ...worker('2'), hourly: null }] }, 'perf-per-price unknown'],
    [{ workers: [worker('1'), worker('2', Number.NaN)] }, 'perf-per-price unknown'],
    [{ peakWorkers: 6 }, 'peak-workers missed'],
    [{ rotated: ['7'] }, 'rotation missed'],
    [{ queueP95AtPeakMs: 1_000 }, 'queue-time missed'],
    [{ queueP95AtPeakMs: null }, 'queue-time unknown'],
  ])('not with %j', (fields, outcome) => {
    expect(outcomesOf(fields)).toEqual([outcome]);
  });

  it('never with a single ramp', () => {
    expect(convergenceOf([ramp()], 1_000).converged).toBe(false);
  });
});
