import type { LoadStep } from '@davit/domain';
import { describe, expect, test } from '@jest/globals';
import { type LoadQuestion, type LoadRun, runLoad } from './run-load.js';
import { chatAnswer, LoadRig, prompt, reply, reset, TARGET } from './testing/load-rig.js';

const usd = (amount: string) => ({ amount, currency: 'USD' });
const CAPS = { maxRequests: 10_000, maxDurationMs: 3_600_000, maxSpend: usd('10') };
const step = (requestsPerSecond: number, fromMs: number, toMs: number): LoadStep => ({
  ...{ ramp: 1, leg: 'up', requestsPerSecond, fromMs, toMs },
});

function question(more: Partial<LoadQuestion> = {}): LoadQuestion {
  return {
    ...{ target: TARGET, prompts: [prompt('a'), prompt('b')], deadlineMs: 60_000, caps: CAPS, arrivals: 'even' },
    steps: [step(2, 0, 10_000)],
    ...more,
  };
}

const run = (rig: LoadRig, more: Partial<LoadQuestion> = {}): Promise<LoadRun> =>
  rig.drive(runLoad(rig.parts, question(more)));
const outcomes = ({ requests }: LoadRun): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome, errorKind } of requests) {
    const name = errorKind ?? outcome;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

describe('load by a profile', () => {
  test('is sent when it is due, and each step says what it came to', async () => {
    const rig = new LoadRig();
    rig.worker();
    rig.worker();
    const load = await run(rig, { steps: [step(2, 0, 10_000), step(4, 10_000, 20_000)] });
    expect(load.stopped).toBeNull();
    expect(load.steps.map(({ window }) => [window.sent, window.ok, window.latency.p95Ms])).toEqual([
      [20, 20, 200],
      [40, 40, 200],
    ]);
    expect(load.steps[0]?.window).toMatchObject({ workers: { idle: 2 }, queueTime: { p95Ms: 0 }, errors: {} });
    expect(new Set(load.requests.map(({ workerId }) => workerId))).toEqual(new Set(['1', '2']));
    expect(load.requests[0]).toMatchObject({ outputTokens: 8, outcome: 'ok' });
  });

  test('steps that end between two milliseconds hold the very requests that their told times give', async () => {
    const rig = new LoadRig();
    rig.worker();
    const steps = Array.from({ length: 30 }, (_, index) => step(300, (index * 1_000) / 9, ((index + 1) * 1_000) / 9));
    const load = await run(rig, { steps });
    const counted = load.steps.map(({ window: { from, to } }) => {
      const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
      return load.requests.filter(({ scheduledAtMs }) => scheduledAtMs >= fromMs && scheduledAtMs < toMs).length;
    });
    expect(counted).toEqual(load.steps.map(({ window }) => window.sent));
  });

  test('costs what the workers cost, as decimals: two of 0.36 an hour for ten seconds', async () => {
    const rig = new LoadRig();
    rig.worker();
    rig.worker();
    const { steps } = await run(rig);
    expect(steps[0]?.window.spend).toEqual(usd('0.002000000'));
  });

  test('of a worker without a price costs what nobody knows', async () => {
    const rig = new LoadRig();
    rig.worker({ hourly: 'null' });
    const { steps, spend } = await run(rig);
    expect(steps[0]?.window.spend).toBeNull();
    expect(spend.estimated).toBeNull();
  });

  test('goes on while the server stalls, and counts from when each request was due', async () => {
    const rig = new LoadRig();
    const stall = { untilMs: rig.clock.nowMs() + 8_000 };
    rig.worker({
      answer: () =>
        rig.after(Math.max(100, stall.untilMs - rig.clock.nowMs()), reply(200, { choices: [{ text: 'x' }] })),
    });
    const { requests } = await run(rig, { maxInFlight: 2 });
    const latencies = requests.map(({ latencyMs }) => latencyMs ?? -1);
    // The first was due at 250 ms, and all that were due meanwhile waited for the same end.
    expect(latencies.slice(0, 3)).toEqual([7_750, 7_250, 6_850]);
    expect(requests.filter(({ scheduledAtMs, sentAtMs }) => sentAtMs > scheduledAtMs).length).toBeGreaterThan(10);
    expect(requests).toHaveLength(20);
    expect(latencies.filter((ms) => ms > 1_000).length).toBeGreaterThan(12);
  });

  test('gives a request that had to wait for room no more time for that', async () => {
    const rig = new LoadRig();
    rig.worker({ answer: () => rig.after(1_300, reply(200, chatAnswer())) });
    const load = await run(rig, { maxInFlight: 1, deadlineMs: 3_000, steps: [step(4, 0, 10_000)] });
    const { ok = 0, 'worker-timeout': late = 0 } = outcomes(load);
    expect(ok + late).toBe(40);
    expect(late).toBeGreaterThan(20);
    expect(load.requests.every(({ endedAtMs, scheduledAtMs }) => endedAtMs - scheduledAtMs <= 3_000)).toBe(true);
    expect(load.steps[0]?.window).toMatchObject({ sent: 40, ok, latency: { p95Ms: null } });
  });
});

describe('a request of the load', () => {
  test.each([
    [401, { 'worker-401': 20 }, 'error'],
    [422, { 'worker-422': 20 }, 'error'],
  ])('that a worker answers with %d is not tried again', async (status, expected, outcome) => {
    const rig = new LoadRig();
    rig.worker({ answer: () => Promise.resolve(reply(status)) });
    const load = await run(rig);
    expect(outcomes(load)).toEqual(expected);
    expect(load.requests.every((request) => request.outcome === outcome && request.attempts.length === 1)).toBe(true);
  });

  test('goes to another worker when one is busy, under its number, and counts once', async () => {
    const rig = new LoadRig();
    rig.worker({ answer: () => Promise.resolve(reply(429)) });
    rig.worker();
    const load = await run(rig);
    expect(outcomes(load)).toEqual({ ok: 20 });
    expect(load.requests.some(({ attempts }) => attempts.length > 1)).toBe(true);
    expect(load.requests.every(({ workerId }) => workerId === '2')).toBe(true);
    const waited = load.requests.filter(({ attempts }) => attempts.length > 1);
    expect(waited.every(({ queueMs, latencyMs }) => (queueMs ?? 0) >= 1_000 && (latencyMs ?? 0) > (queueMs ?? 0))).toBe(
      true,
    );
    const asked = rig.requests.filter(({ url }) => url.endsWith('/route/'));
    expect(asked.filter(({ body }) => body?.includes('"request_idx":0') === true)).toHaveLength(20);
  });

  test('is rejected when every worker stays busy until its time is over', async () => {
    const rig = new LoadRig();
    rig.worker({ answer: () => Promise.resolve(reply(429)) });
    const load = await run(rig, { deadlineMs: 5_000 });
    expect(outcomes(load)).toEqual({ 'worker-429': 20 });
    expect(load.requests[0]).toMatchObject({ outcome: 'rejected', queueMs: null, latencyMs: null });
  });

  test('is counted lost by its worker where that vanished under it, though another served it after all', async () => {
    const rig = new LoadRig();
    const first = rig.worker({ answer: () => rig.after(500, reset) });
    rig.worker();
    rig.at(5_000, () => (first.status = 'destroying'));
    const load = await run(rig);
    expect(outcomes(load)).toEqual({ ok: 20 });
    const lost = load.requests.flatMap(({ attempts }) => attempts).filter(({ end }) => end === 'lost');
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.every(({ workerId }) => workerId === '1')).toBe(true);
  });

  test('to a worker that is never to be reached times out, and was lost by nobody', async () => {
    const rig = new LoadRig();
    rig.worker({ isListening: false });
    const load = await run(rig, { deadlineMs: 4_000 });
    expect(outcomes(load)).toEqual({ unreachable: 20 });
    expect(load.requests.flatMap(({ attempts }) => attempts).every(({ end }) => end === 'unreachable')).toBe(true);
  });

  test('waits for an engine that does not know the endpoint yet', async () => {
    const rig = new LoadRig();
    rig.worker();
    rig.isKnown = false;
    rig.at(4_000, () => (rig.isKnown = true));
    expect(outcomes(await run(rig))).toEqual({ ok: 20 });
  });

  test('with an answer that no client can read has failed, whatever its status', async () => {
    const rig = new LoadRig();
    rig.worker({ answer: () => Promise.resolve(reply(200, { outputs: [] })) });
    expect(outcomes(await run(rig))).toEqual({ 'answer-unreadable': 20 });
  });
});

describe('load ends before its profile', () => {
  const endedAfterMs = ({ startedAtMs, endedAtMs }: LoadRun): number => endedAtMs - startedAtMs;

  test('when its requests are used up, those before counted, and waits for those under way', async () => {
    const rig = new LoadRig();
    rig.worker({ answer: () => rig.after(5_000, reply(200, { choices: [{ text: 'x' }] })) });
    const before = { requests: 4, elapsedMs: 0, spend: usd('0') };
    const load = await run(rig, { caps: { ...CAPS, maxRequests: 10 }, before });
    expect(load).toMatchObject({ stopped: { reason: 'cap-requests' }, unfinished: 0 });
    expect(outcomes(load)).toEqual({ ok: 6 });
  });

  test('when its time is up, whatever is under way', async () => {
    const rig = new LoadRig();
    rig.worker({ answer: () => new Promise(() => undefined) });
    const load = await run(rig, { caps: { ...CAPS, maxDurationMs: 3_000 } });
    expect(load).toMatchObject({ stopped: { reason: 'cap-time' }, unfinished: 6, requests: [] });
    expect(endedAfterMs(load)).toBeLessThanOrEqual(4_000);
  });

  test('when the money is spent, that of the ramps before included', async () => {
    const rig = new LoadRig();
    rig.worker({ hourly: '3600' });
    const before = { requests: 0, elapsedMs: 0, spend: usd('6') };
    const load = await run(rig, { caps: { ...CAPS, maxSpend: usd('10') }, before, steps: [step(2, 0, 60_000)] });
    expect(load.stopped).toMatchObject({ reason: 'cap-spend' });
    expect(endedAfterMs(load)).toBeLessThanOrEqual(5_000);
  });

  test('when nobody can tell for five minutes what it costs', async () => {
    const rig = new LoadRig();
    rig.worker();
    rig.listsWorkers = false;
    const load = await run(rig, { steps: [step(0.5, 0, 900_000)] });
    expect(load.stopped).toMatchObject({ reason: 'cap-spend', detail: expect.stringContaining('not been known') });
    expect(load.steps[0]?.window.workers).toEqual({ 'not-observed': 0 });
  });

  test.each([
    ['an operator orders it', 'ordered'],
    ['its service ends', 'interrupted'],
  ])('within a second when %s, between two requests that are far apart', async (_, reason) => {
    const rig = new LoadRig();
    rig.worker({ answer: () => new Promise(() => undefined) });
    const order = { words: null as string | null, atMs: 0 };
    const controller = new AbortController();
    rig.at(20_000, () => {
      order.atMs = rig.clock.nowMs();
      if (reason === 'ordered') order.words = 'an operator aborted it';
      else controller.abort();
    });
    const load = await run(rig, {
      steps: [step(0.05, 0, 600_000)],
      ordered: () => Promise.resolve(order.words),
      signal: controller.signal,
    });
    expect(load.stopped?.reason).toBe(reason);
    expect(load).toMatchObject({ unfinished: 1, requests: [] });
    expect(load.endedAtMs - order.atMs).toBeLessThanOrEqual(1_000);
    const count = rig.requests.length;
    await rig.clock.advance(120_000);
    expect(rig.requests).toHaveLength(count);
  });

  test('when nothing but failures comes back', async () => {
    const rig = new LoadRig();
    rig.worker({ answer: () => Promise.resolve(reply(401)) });
    const load = await run(rig, { mostFailuresInARow: 5 });
    expect(load.stopped).toMatchObject({ reason: 'errors', detail: '5 requests in a row failed' });
  });

  test('in good order when it is told that it is enough', async () => {
    const rig = new LoadRig();
    rig.worker({ answer: () => rig.after(3_000, reply(200, { choices: [{ text: 'x' }] })) });
    const enough = new AbortController();
    rig.at(5_100, () => enough.abort());
    const load = await run(rig, { finish: enough.signal });
    expect(load).toMatchObject({ stopped: null, unfinished: 0, unsent: 0 });
    expect(outcomes(load)).toEqual({ ok: 10 });
  });
});
