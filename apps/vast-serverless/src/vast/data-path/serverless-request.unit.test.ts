import { describe, expect, test } from '@jest/globals';
import { type HttpOutcome, type HttpRequest, seededRandom, VirtualClock } from '@davit/ports';
import { VastClient } from '../client.js';
import { DEFAULT_VAST_SETTINGS } from '../settings.js';
import { serverlessRequest } from './serverless-request.js';

const SIGNATURE = 'c2lnbmF0dXJlLWNhbmFyeS0wMTIzNDU2Nzg5';
const CA = '-----BEGIN CERTIFICATE-----';
const assigned = (url = 'https://10.0.0.1:4000') => ({
  ...{ endpoint: 'e', url, cost: 242, reqnum: 12_345, signature: SIGNATURE, request_idx: 77, __request_id: 'u' },
});
const waiting = { endpoint: 'e', status: 'Stopped: 1', request_idx: 77, __request_id: 'u' };
type Answer = readonly [status: number, body: unknown] | Extract<HttpOutcome, { kind: 'failure' }>;
const gone = (reason: 'refused' | 'timeout'): Answer => ({ kind: 'failure', reason, detail: '' });

/** Answers of the engine and of workers, in turn; the last stays. */
async function run(engine: readonly Answer[], workers: readonly Answer[], deadlineMs = 120_000) {
  const clock = new VirtualClock();
  const asked: HttpRequest[] = [];
  const counts = { engine: 0, worker: 0 };
  const http = {
    request: (request: HttpRequest): Promise<HttpOutcome> => {
      asked.push(request);
      const kind = request.url.includes('run.vast.ai') ? 'engine' : 'worker';
      const answers = kind === 'engine' ? engine : workers;
      const answer = answers[Math.min(counts[kind]++, answers.length - 1)] ?? gone('refused');
      if ('kind' in answer) return Promise.resolve(answer);
      const [status, body] = answer;
      return Promise.resolve({ kind: 'response', status, headers: {}, body: JSON.stringify(body) });
    },
  };
  const parts = { http, clock, random: seededRandom(3), ca: CA };
  const client = new VastClient({ ...parts, settings: { ...DEFAULT_VAST_SETTINGS, apiKey: 'the-rollout-key' } });
  const promise = serverlessRequest(
    { ...parts, route: client.route },
    { endpoint: 'e', cost: 242, path: '/v1/completions', payload: { prompt: 'hi' }, deadlineMs },
  );
  const startedMs = clock.nowMs();
  const state = { settled: false };
  void promise.then(() => (state.settled = true));
  for (let waited = 0; !state.settled && waited < 1_000_000; waited += 50) await clock.advance(50);
  return { outcome: await promise, asked, tookMs: clock.nowMs() - startedMs };
}

const engineBodies = (asked: readonly HttpRequest[]): unknown[] =>
  asked.filter(({ url }) => url.includes('run.vast.ai')).map(({ body }) => JSON.parse(body ?? '{}') as unknown);

describe('a request to a serverless endpoint', () => {
  test('goes to the worker that was assigned, with what the engine signed, unchanged, and without a key', async () => {
    const { outcome, asked } = await run([[200, assigned()]], [[200, { choices: [] }]]);
    expect(outcome).toMatchObject({
      kind: 'answered',
      status: 200,
      body: '{"choices":[]}',
      queueMs: 0,
      attempts: [{ end: 'answered', workerUrl: 'https://10.0.0.1:4000' }],
    });
    const [route, worker] = asked;
    expect(JSON.parse(route?.body ?? '')).toEqual({ endpoint: 'e', cost: 242, request_idx: 0 });
    expect(worker?.url).toBe('https://10.0.0.1:4000/v1/completions');
    expect(JSON.parse(worker?.body ?? '')).toEqual({
      auth_data: assigned(),
      session_id: null,
      payload: { prompt: 'hi' },
    });
    expect(worker?.headers).not.toHaveProperty('authorization');
    expect([route?.ca, worker?.ca]).toEqual([undefined, CA]);
    expect(JSON.stringify(outcome)).not.toContain(SIGNATURE);
  });

  test('waits for a worker with the number that it was given, whatever the status says', async () => {
    const { outcome, asked } = await run(
      [
        [200, { ...waiting, status: 'Ready' }],
        [200, waiting],
        [200, assigned()],
      ],
      [[200, {}]],
    );
    expect(outcome.kind).toBe('answered');
    expect(outcome.queueMs).toBeGreaterThanOrEqual(1_000);
    expect(engineBodies(asked).map((body) => (body as { request_idx: number }).request_idx)).toEqual([0, 77, 77]);
  });

  test('is patient with an engine that has not learnt of the endpoint', async () => {
    const { outcome } = await run(
      [
        [200, { error_msg: 'endpoint e not known yet' }],
        [200, { endpoint: 'e', status: 'x' }],
        [200, assigned()],
      ],
      [[200, {}]],
    );
    expect(outcome.kind).toBe('answered');
  });

  test.each([
    ['busy', [429, ''] as const],
    ['failing', [500, ''] as const],
    ['timing out by its own word', [408, ''] as const],
    ['not to be reached', gone('refused')],
  ])('a worker that is %s leads back to the engine under the same number', async (_, first) => {
    const { outcome, asked } = await run([[200, assigned()]], [first, [200, {}]]);
    expect(outcome).toMatchObject({ kind: 'answered', routeCalls: 2 });
    expect(engineBodies(asked)[1]).toMatchObject({ request_idx: 77 });
  });

  test.each([
    ['a signature that is not taken', [401, ''] as const, { kind: 'unauthorised', status: 401 }],
    ['a request that is wrong', [422, {}] as const, { kind: 'invalid', status: 422 }],
    ['no answer in time, for the model may still be at work', gone('timeout'), { kind: 'lost', status: null }],
  ])('%s is not tried again', async (_, answer, expected) => {
    const { outcome } = await run([[200, assigned()]], [answer]);
    expect(outcome).toMatchObject({ ...expected, routeCalls: 1 });
  });

  test('ends at its deadline, whether no worker comes or every worker is busy', async () => {
    const never = await run([[200, waiting]], [], 20_000);
    expect(never.outcome).toMatchObject({ kind: 'timeout', queueMs: null });
    expect(never.tookMs).toBeLessThanOrEqual(20_200);
    const busy = await run([[200, assigned()]], [[429, '']], 20_000);
    expect(busy.outcome).toMatchObject({ kind: 'rejected', status: 429 });
    expect(busy.tookMs).toBeLessThanOrEqual(20_200);
  });

  test('is refused with a key that the engine does not take', async () => {
    const { outcome } = await run([[401, { error: 'Authentication failed' }]], []);
    expect(outcome).toMatchObject({ kind: 'refused', routeCalls: 1 });
  });
});
