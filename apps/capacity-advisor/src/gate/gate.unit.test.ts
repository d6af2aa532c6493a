import { type HttpClient, type HttpOutcome, VirtualClock, sleep } from '@davit/ports';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AdviceFailure } from '../advisors/advisor.js';
import { Breaker } from './breaker.js';
import { quietMs, quotasOf, retryAfterMs } from './hints.js';
import { type Pace, Pacer } from './pacer.js';
import { type GateAnswer, ProviderGate } from './provider-gate.js';

const answered = (status: number, headers: Record<string, string> = {}, body = ''): HttpOutcome => ({
  kind: 'response',
  status,
  headers,
  body,
});

describe('what a provider says of its limits', () => {
  const nowMs = Date.UTC(2026, 0, 1);

  it('is read from Retry-After as seconds or as a date, and bounded', () => {
    expect(retryAfterMs('12', nowMs)).toBe(12_000);
    expect(retryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', nowMs)).toBe(30_000);
    expect(retryAfterMs('Wed, 31 Dec 2025 00:00:30 GMT', nowMs)).toBe(0);
    expect(retryAfterMs('999999999', nowMs)).toBe(3_600_000);
    expect(retryAfterMs('soon', nowMs)).toBeUndefined();
    expect(retryAfterMs(undefined, nowMs)).toBeUndefined();
  });

  it.each<[string, Record<string, string>, string, number | undefined]>([
    ['Retry-After before all others', { 'retry-after': '2' }, '{"retry_after":9}', 2_000],
    ['retry_after in the body', {}, '{"error":"HTTPTooManyRequests","retry_after":3,"limit":5}', 3_000],
    [
      'windows with nothing left, the longest',
      { ratelimit: '"minute";r=0;t=12, "hour";r=0;t=90, "day";r=5;t=9999' },
      '',
      90_000,
    ],
    ['a threshold in plain words', {}, 'API requests too frequent: endpoint threshold=4.0', 4_000],
    ['a threshold in a document', {}, '{"detail":"API requests too frequent endpoint threshold=6.5"}', 6_500],
    ['no hint at all', {}, 'API requests too frequent', undefined],
    ['a hint that is none', { 'retry-after': 'soon', ratelimit: 'r=0' }, '<html>', undefined],
  ])('is taken after a 429 from %s', (_what, headers, body, ms) => {
    expect(quietMs(answered(429, headers, body), nowMs)).toBe(ms);
  });

  it('is read from RateLimit for every window', () => {
    expect(quotasOf({ ratelimit: '"minute";r=7;t=12, "hour";r=2800;t=1812' })).toEqual([
      { left: 7, resetMs: 12_000 },
      { left: 2_800, resetMs: 1_812_000 },
    ]);
    expect(quotasOf({})).toEqual([]);
  });
});

describe('turns under a documented limit', () => {
  it('never pass it in any window, whenever questions come', async () => {
    const paces: (Pace & { limit: number; windowMs: number })[] = [
      { burst: 30, everyMs: 2_000, limit: 60, windowMs: 60_000 },
      { burst: 1, everyMs: 6_000, limit: 10, windowMs: 60_000 },
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paces),
        fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 }),
        async ({ limit, windowMs, ...pace }, gaps) => {
          const clock = new VirtualClock();
          const pacer = new Pacer(clock, pace);
          const sent: number[] = [];
          for (const gap of gaps) {
            await clock.advance(gap);
            void pacer.turn(10_000).then((turn) => turn === 'now' && sent.push(clock.monotonicMs()));
          }
          await clock.advance(20_000);
          for (const [index, start] of sent.entries()) {
            const inWindow = sent.slice(index).filter((at) => at < start + windowMs).length;
            expect(inWindow).toBeLessThanOrEqual(limit);
          }
          expect(sent.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('are waited for within patience, and given up at once beyond it', async () => {
    const clock = new VirtualClock();
    const pacer = new Pacer(clock, { burst: 1, everyMs: 6_000 });
    const turns: (string | number)[] = [];
    for (let asked = 0; asked < 3; asked += 1) void pacer.turn(10_000).then((turn) => turns.push(turn));
    await clock.advance(0);
    expect(turns).toEqual(['now', 12_000]);
    await clock.advance(6_000);
    expect(turns).toEqual(['now', 12_000, 'now']);
  });

  it('come one at a time after a rest that the provider asked for', async () => {
    const clock = new VirtualClock();
    const pacer = new Pacer(clock, { burst: 10, everyMs: 2_000 });
    pacer.hold(60_000);
    expect(await pacer.turn(10_000)).toBe(60_000);
    await clock.advance(60_000);
    expect(await pacer.turn(0)).toBe('now');
    expect(await pacer.turn(0)).toBe(2_000);
  });

  it('are no more than the provider still counts', async () => {
    const clock = new VirtualClock();
    const pacer = new Pacer(clock, { burst: 10, everyMs: 2_000 });
    pacer.atMost(2);
    expect([await pacer.turn(0), await pacer.turn(0), await pacer.turn(0)]).toEqual(['now', 'now', 2_000]);
  });
});

describe('a provider that does not answer', () => {
  const failing = (clock: VirtualClock, times: number): Breaker => {
    const breaker = new Breaker(clock, { outagesToOpen: 3, restMs: 1_000 });
    for (let time = 0; time < times; time += 1) {
      breaker.sent();
      breaker.failed();
    }
    return breaker;
  };

  it('is left alone after several outages in a row, and asked once when it has rested', async () => {
    const clock = new VirtualClock();
    expect(failing(clock, 2).closed()).toBeUndefined();
    const breaker = failing(clock, 3);
    expect(breaker.closed()).toContain('in a row failed');
    await clock.advance(1_000);
    expect(breaker.closed()).toBeUndefined();
    breaker.sent();
    expect(breaker.closed()).toContain('one question is out');
    breaker.failed();
    expect(breaker.closed()).toContain('in a row failed');
    await clock.advance(1_000);
    breaker.sent();
    breaker.answered();
    expect(breaker.closed()).toBeUndefined();
  });

  it('is forgiven once an answer came', () => {
    const clock = new VirtualClock();
    const breaker = failing(clock, 2);
    breaker.sent();
    breaker.answered();
    breaker.sent();
    breaker.failed();
    expect(breaker.closed()).toBeUndefined();
  });
});

describe('the gate before a provider', () => {
  const rig = (reply: () => HttpOutcome, judge: () => AdviceFailure | undefined = () => undefined) => {
    const clock = new VirtualClock();
    let sent = 0;
    const http: HttpClient = {
      async request() {
        sent += 1;
        await sleep(clock, 100);
        return reply();
      },
    };
    const gate = new ProviderGate(http, clock, { pace: { burst: 100, everyMs: 1_000 }, cacheMs: 20_000 });
    const answers: GateAnswer[] = [];
    const ask = (url = 'https://x.example/', body?: string): void =>
      void gate
        .ask({ method: 'POST', url, timeoutMs: 1_000, ...(body === undefined ? {} : { body }) }, judge)
        .then((answer) => answers.push(answer));
    return { clock, gate, ask, answers, sent: () => sent };
  };

  it('lets any number of equal questions at once cost one, and keeps the time of the answer', async () => {
    const { clock, ask, answers, sent } = rig(() => answered(200));
    ask();
    ask();
    await clock.advance(100);
    await clock.advance(19_999);
    ask();
    await clock.advance(0);
    expect(sent()).toBe(1);
    expect(new Set(answers.map((answer) => answer.kind === 'exchanged' && answer.receivedAtMs)).size).toBe(1);
    await clock.advance(1);
    ask();
    await clock.advance(0);
    expect(sent()).toBe(2);
  });

  it('tells questions apart by address and body', async () => {
    const { clock, ask, sent } = rig(() => answered(200));
    for (const [url, body] of [['a'], ['b'], ['a', '1'], ['a', '2'], ['a', '1']] as const)
      ask(`https://${url}.example`, body);
    await clock.advance(0);
    expect(sent()).toBe(4);
  });

  it('keeps no answer that is an outage or a limit, and asks nobody while it is closed', async () => {
    const { clock, ask, answers, sent } = rig(
      () => answered(500),
      () => 'outage',
    );
    for (let time = 0; time < 5; time += 1) {
      ask();
      await clock.advance(200);
    }
    expect(sent()).toBe(3);
    expect(answers.slice(3)).toEqual([
      expect.objectContaining({ kind: 'closed', failure: 'outage' }),
      expect.objectContaining({ kind: 'closed', failure: 'outage' }),
    ]);
    await clock.advance(15_000);
    ask('https://one.example');
    ask('https://two.example');
    await clock.advance(200);
    expect(sent()).toBe(4);
  });

  it('rests as long as the limit says, and as long as the default where it does not say', async () => {
    for (const [headers, restMs] of [
      [{ 'retry-after': '100' }, 100_000],
      [{}, 15_000],
    ] as const) {
      const { clock, ask, answers, sent } = rig(
        () => answered(429, headers),
        () => 'rate-limited',
      );
      ask();
      await clock.advance(100);
      ask();
      await clock.advance(0);
      expect(answers[1]).toMatchObject({ kind: 'closed', failure: 'rate-limited' });
      await clock.advance(restMs);
      ask();
      await clock.advance(0);
      expect(sent()).toBe(2);
    }
  });

  it('asks no more once the provider counts nothing left, though it answered', async () => {
    const { clock, ask, answers, sent } = rig(() => answered(200, { ratelimit: '"minute";r=0;t=30' }));
    ask('https://one.example');
    await clock.advance(100);
    ask('https://two.example');
    await clock.advance(0);
    expect(answers[1]).toMatchObject({ kind: 'closed', failure: 'rate-limited' });
    expect(sent()).toBe(1);
  });

  it('is not blocked for ever by a client that throws', async () => {
    const clock = new VirtualClock();
    let sent = 0;
    const http: HttpClient = {
      request: () => {
        sent += 1;
        return Promise.reject(new Error('defect'));
      },
    };
    const gate = new ProviderGate(http, clock, { pace: { burst: 9, everyMs: 1_000 }, cacheMs: 20_000 });
    const request = { method: 'GET', url: 'https://x.example/', timeoutMs: 1 } as const;
    for (let time = 0; time < 2; time += 1) await expect(gate.ask(request, () => undefined)).rejects.toThrow('defect');
    expect(sent).toBe(2);
  });
});
