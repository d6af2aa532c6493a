import { stockSignal } from '@davit/contracts';
import {
  type HttpClient,
  type HttpOutcome,
  type HttpRequest,
  type Logger,
  VirtualClock,
  silentLogger,
} from '@davit/ports';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CapacityAdvisorSettings, DEFAULT_SETTINGS } from '../settings.js';
import type { Advice, StockAdvisor, StockQuestion } from './advisor.js';
import { type GoldenTable, bodyOf, goldenTable, outcomeOf, questionOf } from './testing/golden.js';
import { liveAdvisors } from './wire.js';

const CANARY = 'canary-7f3e9a1c5b';

const PROVIDERS = [
  ['runpod', 'v2', 'runpod-v2.json'],
  ['runpod', 'graphql', 'runpod-graphql.json'],
  ['vast', 'v2', 'vast.json'],
] as const;

const settingsWith = (api: 'v2' | 'graphql', apiKey: string | undefined): CapacityAdvisorSettings => ({
  ...DEFAULT_SETTINGS,
  runpod: { ...DEFAULT_SETTINGS.runpod, api, apiKey },
  vast: { ...DEFAULT_SETTINGS.vast, apiKey },
});

/** One advisor before a provider that answers what it is told to. */
function rig(cloud: string, api: 'v2' | 'graphql', apiKey: string | null = CANARY) {
  const clock = new VirtualClock();
  const requests: HttpRequest[] = [];
  const logged: unknown[] = [];
  let reply: HttpOutcome = { kind: 'failure', reason: 'other', detail: 'nothing was set' };
  const note = (...words: unknown[]): void => void logged.push(words);
  const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
  const before = (replyOf: () => HttpOutcome): StockAdvisor => {
    const http: HttpClient = {
      request(request) {
        requests.push(request);
        return Promise.resolve(replyOf());
      },
    };
    const advisor = liveAdvisors({ http, clock, logger }, settingsWith(api, apiKey ?? undefined)).get(cloud);
    if (!advisor) throw new Error(`no advisor for ${cloud}`);
    return advisor;
  };
  const fresh = (): StockAdvisor => before(() => reply);
  /** A new advisor each time: answers are judged alone, without cache or breaker. */
  const advise = (outcome: HttpOutcome, question: StockQuestion): Promise<Advice> =>
    before(() => outcome).advise(question);
  return { clock, requests, logged, fresh, advise, answers: (outcome: HttpOutcome) => void (reply = outcome) };
}

const answered = (status: number, body: string): HttpOutcome => ({ kind: 'response', status, headers: {}, body });

describe.each(PROVIDERS)('the advisor of %s (%s)', (cloud, api, file) => {
  const table: GoldenTable = goldenTable(file);
  const wellFormed = bodyOf(table, { row: '', expect: {} });
  const question = questionOf(cloud, { diskGiB: 100 });

  it('states what was asked, in whose words the answer came, and when it stops to say anything', async () => {
    const { advise, clock } = rig(cloud, api);
    await clock.advance(12_345);
    const { signal, failure } = await advise(answered(200, wellFormed), question);
    expect(failure).toBeUndefined();
    expect(stockSignal.parse(signal)).toMatchObject({
      state: 'available',
      asked: { count: 1, region: null, market: 'on-demand', diskGiB: 100 },
      observedAt: new Date(clock.nowMs()).toISOString(),
      expiresAt: new Date(clock.nowMs() + DEFAULT_SETTINGS.lifetimeMs).toISOString(),
    });
    expect(Object.keys(signal.raw ?? {}).length).toBeGreaterThan(0);
    expect(signal.price).toMatchObject({
      kind: 'quoted',
      unit: 'instance-hour',
      currency: 'USD',
      market: 'on-demand',
      source: signal.source,
      observedAt: signal.observedAt,
      staleAfter: signal.expiresAt,
    });
  });

  it('asks once, with a name, with the key in the header and nowhere else, and creates nothing', async () => {
    const { advise, requests } = rig(cloud, api);
    await advise(answered(200, wellFormed), question);
    expect(requests).toHaveLength(1);
    const [{ method, url, headers = {}, body = '' } = { method: '', url: '' }] = requests;
    expect(headers).toMatchObject({ authorization: `Bearer ${CANARY}` });
    expect(headers['user-agent']).toMatch(/^davit/);
    expect(url + body).not.toContain(CANARY);
    expect(['GET /v2/catalog/gpus/NVIDIA%20L40S', 'POST /graphql', 'POST /api/v0/bundles/']).toContain(
      `${method} ${new URL(url).pathname}`,
    );
    expect(body).not.toMatch(/mutation|podFindAndDeploy|podRent/);
  });

  it('lets the key into no signal, event, error or log, even where the provider sends it back', async () => {
    const { advise, logged } = rig(cloud, api);
    const echo = `${'x'.repeat(30)} ${CANARY}`;
    const echoes = [
      ...table.rows.map((golden) => outcomeOf(table, golden)),
      ...[/"(HIGH|High)"/g, /"(L40S|NVIDIA L40S)"/g, /"(Texas, US|EU-RO-1)"/g].map((word) =>
        answered(200, wellFormed.replaceAll(word, JSON.stringify(echo))),
      ),
      ...[200, 400, 401, 403, 404, 429, 500].map((status) =>
        answered(status, JSON.stringify({ error: echo, detail: echo })),
      ),
      ...[200, 403, 502].map((status) => answered(status, `<html>${echo}</html>`)),
      answered(200, JSON.stringify({ errors: [{ message: echo, extensions: { code: echo } }], data: null })),
    ];
    for (const outcome of echoes) {
      const advice = await advise(outcome, question);
      for (let from = 0; from + 6 <= CANARY.length; from += 1) {
        expect(JSON.stringify(advice)).not.toContain(CANARY.slice(from, from + 6));
      }
    }
    expect(JSON.stringify(logged)).not.toContain(CANARY);
    expect(logged.length).toBeGreaterThan(0);
  });

  it('law-04: an answer cut off anywhere is unknown', async () => {
    const { advise } = rig(cloud, api);
    const whole = wellFormed.trimEnd();
    const advices = await Promise.all(
      Array.from({ length: whole.length }, (_, length) => advise(answered(200, whole.slice(0, length)), question)),
    );
    expect(new Set(advices.map(({ signal, failure }) => `${signal.state} ${failure}`))).toEqual(
      new Set(['unknown unreadable-answer']),
    );
  });

  it('law-04: no status but 200 is anything but unknown, whatever body comes with it', async () => {
    const { advise } = rig(cloud, api);
    const statuses = fc.integer({ min: 100, max: 599 }).filter((status) => status !== 200);
    const bodies = fc.oneof(fc.constant(wellFormed), fc.json(), fc.string(), fc.constant('{"offers":[]}'));
    await fc.assert(
      fc.asyncProperty(statuses, bodies, async (status, body) => {
        const { signal } = await advise(answered(status, body), question);
        expect(signal).toMatchObject({ state: 'unknown', price: null, scope: 'none' });
      }),
    );
  });

  it('law-04: no body but a well-formed one is anything but unknown', async () => {
    const { advise } = rig(cloud, api);
    const noise = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify({ data: value })),
      fc.jsonValue().map((value) => JSON.stringify({ data: { gpuTypes: [value] } })),
      fc.array(fc.jsonValue(), { minLength: 1 }).map((offers) => JSON.stringify({ offers })),
      fc.jsonValue().map((value) => JSON.stringify({ id: 'NVIDIA L40S', availability: value })),
      fc.constantFrom('null', '[]', '{}', '""', '0', 'true', '<html></html>', '{"data":{"gpuTypes":null}}'),
    );
    await fc.assert(
      fc.asyncProperty(noise, async (body) => {
        const { signal } = await advise(answered(200, body), question);
        expect(signal).toMatchObject({ state: 'unknown', price: null });
      }),
      { numRuns: 300 },
    );
  });

  it('law-04: every way to give no answer is unknown, with a failure', async () => {
    const { advise } = rig(cloud, api);
    for (const reason of ['refused', 'timeout', 'reset', 'dns', 'tls', 'too-large', 'other'] as const) {
      const { signal, failure } = await advise({ kind: 'failure', reason, detail: CANARY }, question);
      expect({ state: signal.state, failure }).toEqual({ state: 'unknown', failure: 'outage' });
    }
  });

  it('law-04: a kept answer keeps the time of its observation, and so its end', async () => {
    const { clock, fresh, answers, requests } = rig(cloud, api);
    const advisor = fresh();
    answers(answered(200, wellFormed));
    const first = await advisor.advise(question);
    await clock.advance(DEFAULT_SETTINGS.cacheMs - 1);
    const second = await advisor.advise(question);
    expect(second).toEqual(first);
    expect(requests).toHaveLength(1);
  });

  it('law-04: keeps no answer for longer than it says anything', async () => {
    const clock = new VirtualClock();
    let requests = 0;
    const http: HttpClient = {
      request: () => {
        requests += 1;
        return Promise.resolve(answered(200, wellFormed));
      },
    };
    const settings = { ...settingsWith(api, CANARY), cacheMs: 300_000, lifetimeMs: 30_000 };
    const advisor = liveAdvisors({ http, clock, logger: silentLogger }, settings).get(cloud);
    await advisor?.advise(question);
    await clock.advance(30_000);
    const late = await advisor?.advise(question);
    expect(requests).toBe(2);
    expect(Date.parse(late?.signal.expiresAt ?? '')).toBeGreaterThan(clock.nowMs());
  });

  it('gives equal questions one answer, whatever their price ceilings', async () => {
    const { fresh, answers, requests } = rig(cloud, api);
    const advisor = fresh();
    answers(answered(200, wellFormed));
    await Promise.all(
      ['1', '2', null].map((maxHourlyPrice) =>
        advisor.advise({ ...question, placement: { ...question.placement, maxHourlyPrice } }),
      ),
    );
    expect(requests).toHaveLength(1);
  });

  it('reads an answer once, however many questions it serves', async () => {
    const { fresh, answers } = rig(cloud, api);
    let reads = 0;
    const advisor = fresh();
    answers({
      ...answered(200, ''),
      get body() {
        reads += 1;
        return wellFormed;
      },
    });
    await advisor.advise(question);
    const once = reads;
    for (const maxHourlyPrice of ['1', '2', '3']) {
      const { signal } = await advisor.advise({ ...question, placement: { ...question.placement, maxHourlyPrice } });
      expect(signal.state).toBe('available');
    }
    expect(reads).toBe(once);
  });

  it('does not ask about what the cloud has no name for, and names what is near', async () => {
    const { fresh, requests } = rig(cloud, api);
    const { signal, failure } = await fresh().advise(questionOf(cloud, { accelerator: 'L40X:1' }));
    expect(signal).toMatchObject({ state: 'unknown', detail: expect.stringMatching(/near names known for \w+: L40/) });
    expect(failure).toBeUndefined();
    expect(requests).toEqual([]);
  });

  it('without a key asks only where no key is needed, and then sends none', async () => {
    const { advise, requests } = rig(cloud, api, null);
    const { signal, failure } = await advise(answered(200, wellFormed), question);
    if (api === 'graphql') {
      expect(signal.state).toBe('available');
      expect(requests[0]?.headers).not.toHaveProperty('authorization');
    } else {
      expect(signal.state).toBe('unknown');
      expect(failure).toBe('no-credentials');
      expect(requests).toEqual([]);
    }
  });

  it('says in which market a machine that may be interrupted was sought', async () => {
    const { advise } = rig(cloud, api);
    const { signal } = await advise(answered(200, wellFormed), questionOf(cloud, { spot: true }));
    expect(signal.asked?.market).toBe(cloud === 'vast' ? 'bid' : 'spot');
    if (signal.price) expect(signal.price.market).toBe(signal.asked?.market);
  });
});

describe('the ways to providers', () => {
  it('are apart: a provider that is down closes no other', async () => {
    const clock = new VirtualClock();
    const hosts: string[] = [];
    const http: HttpClient = {
      request({ url }) {
        hosts.push(new URL(url).host);
        return Promise.resolve({ kind: 'failure', reason: 'refused', detail: 'x' });
      },
    };
    const advisors = liveAdvisors({ http, clock, logger: silentLogger }, settingsWith('v2', CANARY));
    for (let time = 0; time < 5; time += 1) {
      await advisors.get('runpod')?.advise(questionOf('runpod', { region: `R${String.fromCharCode(65 + time)}` }));
    }
    await advisors.get('vast')?.advise(questionOf('vast'));
    expect(hosts.filter((host) => host === 'api.runpod.io')).toHaveLength(3);
    expect(hosts.filter((host) => host === 'console.vast.ai')).toHaveLength(1);
  });

  it('answer sixty-four placements of one card in any place of RunPod with one question a country', async () => {
    const clock = new VirtualClock();
    const urls: string[] = [];
    const body = bodyOf(goldenTable('runpod-v2.json'), { row: '', expect: {} });
    const http: HttpClient = {
      request({ url }) {
        urls.push(url);
        return Promise.resolve(answered(200, body));
      },
    };
    const advisor = liveAdvisors({ http, clock, logger: silentLogger }, settingsWith('v2', CANARY)).get('runpod');
    const regions = ['', 'EU-RO-1', 'US-TX-3', 'US-KS-2', 'RO', 'US'];
    if (!advisor) throw new Error('no advisor for runpod');
    const questions = Array.from({ length: 64 }, (_, at) => regions[at % regions.length] ?? '').map((region) =>
      questionOf('runpod', region === '' ? {} : { region }),
    );
    const all = await Promise.all(questions.map((question) => advisor.advise(question)));
    expect(urls).toHaveLength(3);
    expect(new Set(all.map(({ signal }) => signal.scope))).toEqual(new Set(['global', 'zone', 'region']));
  });
});
