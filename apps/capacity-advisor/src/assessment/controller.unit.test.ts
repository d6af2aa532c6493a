import { type NewEvent, stream } from '@davit/contracts';
import { type HttpClient, type HttpOutcome, silentLogger, sleep } from '@davit/ports';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '../settings.js';
import { REPLICA, RESOURCE, Stage, declared, requested } from '@davit/stage';
import { answerAssess } from './answer.js';
import { capacityAdvisorControllers, createAssessor } from '../index.js';

const discovery = (attempt: number, outcome: 'absent' | 'present' | 'unknown', ordinal = 0): NewEvent => ({
  type: 'davit.resource.discovered',
  data: {
    externalKey: 'dv-test',
    replicaId: REPLICA.replace('-1-0-1', `-1-${ordinal}-1`),
    adapter: 'skypilot',
    attempt,
    outcome,
    detail: 'x',
  },
});
const lookFor = (attempt: number, ordinal = 0): NewEvent => ({
  type: 'davit.replica.discovery-requested',
  data: { replicaId: REPLICA.replace('-1-0-1', `-1-${ordinal}-1`), attempt },
});

const ladder = {
  compute: {
    mode: 'elastic',
    placements: [
      { cloud: 'runpod', accelerator: 'L40S:1' },
      { cloud: 'runpod', accelerator: 'L40S:1', region: 'RO' },
      { cloud: 'runpod', accelerator: 'H100:2' },
      { cloud: 'lambda', accelerator: 'H100:1' },
    ],
  },
};

describe('assessments of a replica that is about to be rented', () => {
  let stage: Stage;
  let asked: string[];
  let reply: (url: string) => HttpOutcome;

  beforeEach(async () => {
    stage = new Stage('capacity-advisor');
    asked = [];
    reply = (url) => catalogue(url.includes('L40S') ? 'LOW' : 'HIGH', url);
    await stage.given(stream.deployment('default/qwen'), declared(ladder));
  });

  const catalogue = (availability: string, url: string): HttpOutcome => ({
    kind: 'response',
    status: 200,
    headers: {},
    body: JSON.stringify({
      id: decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''),
      secure: true,
      price: { secure: 0.86 },
      maxCount: { secure: 8 },
      availability,
    }),
  });

  const http: HttpClient = {
    async request({ url, headers }) {
      asked.push(url);
      expect(url).not.toContain('canary');
      expect(headers).toMatchObject({ authorization: 'Bearer canary' });
      expect(headers?.['user-agent']).toBeTruthy();
      await sleep(stage.clock, 200);
      return reply(url);
    },
  };
  const assessor = () =>
    createAssessor({
      http,
      clock: stage.clock,
      logger: silentLogger,
      settings: {
        ...DEFAULT_SETTINGS,
        runpod: { ...DEFAULT_SETTINGS.runpod, baseUrl: 'https://runpod.example', apiKey: 'canary' },
      },
    });
  const start = (instanceId?: string) => stage.start(capacityAdvisorControllers(assessor(), 0), instanceId);
  const ask = async (ordinal = 0, attempt = 1): Promise<void> => {
    const id = REPLICA.replace('-1-0-1', `-1-${ordinal}-1`);
    if (attempt === 1) await stage.given(stream.replica(id), requested(ordinal));
    await stage.given(stream.replica(id), lookFor(attempt, ordinal));
    await stage.given(`${RESOURCE}${ordinal}`, discovery(attempt, 'absent', ordinal));
  };
  const assessed = async () =>
    (await stage.written('capacity')).flatMap((event) => (event.type === 'davit.capacity.assessed' ? [event] : []));

  it('tell a signal for every rung, with price, scope, tenant and the intent they serve', async () => {
    start();
    await ask();
    await stage.clock.advance(500);
    const events = await assessed();
    const byRung = events.toSorted((a, b) => a.data.rung - b.data.rung);
    expect(
      byRung.map(({ stream: name, data: { rung, signal } }) => [
        name,
        rung,
        signal.state,
        signal.scope,
        signal.price?.amount,
      ]),
    ).toEqual([
      ['capacity/runpod:L40S:1', 0, 'constrained', 'global', '0.86'],
      ['capacity/runpod:L40S:1', 1, 'constrained', 'region', '0.86'],
      ['capacity/runpod:H100:2', 2, 'available', 'global', '1.72'],
      ['capacity/lambda:H100:1', 3, 'unknown', 'none', undefined],
    ]);
    expect(events[0]).toMatchObject({
      tenant: 'default',
      correlationid: 'intent-1',
      data: { replicaId: REPLICA, attempt: 1 },
    });
    expect(byRung[3]?.data.signal).toMatchObject({ source: 'none' });
    expect((await stage.replica(REPLICA))?.assessments).toHaveProperty('3');
  });

  it('are asked for at once, and once for replicas that ask the same', async () => {
    start();
    await Promise.all([ask(0), ask(1), ask(2)]);
    await stage.clock.advance(210);
    expect(asked).toHaveLength(3);
    expect(await assessed()).toHaveLength(12);
  });

  it('come once: neither a restart nor another look adds any', async () => {
    const stop = start();
    await ask();
    await stage.clock.advance(500);
    await stop();
    start('two');
    await stage.clock.advance(120_000);
    expect(await assessed()).toHaveLength(4);
  });

  it('tell a price beside them once, however many replicas ask, until it is another', async () => {
    start();
    await Promise.all([ask(0), ask(1), ask(2)]);
    await stage.clock.advance(500);
    const quoted = async () =>
      (await stage.written('capacity')).flatMap((event) =>
        event.type === 'davit.capacity.price-quoted' ? [[event.data.placement.region, event.data.price.amount]] : [],
      );
    expect(await quoted()).toEqual(
      expect.arrayContaining([
        [null, '0.86'],
        ['RO', '0.86'],
        [null, '1.72'],
      ]),
    );
    expect(await quoted()).toHaveLength(3);
    await stage.clock.advance(60_000);
    await ask(0, 2);
    await stage.clock.advance(500);
    expect(await quoted()).toHaveLength(3);
  });

  it('come anew for the next discovery', async () => {
    start();
    await ask();
    await stage.clock.advance(500);
    await ask(0, 2);
    await stage.clock.advance(500);
    expect((await assessed()).map(({ data }) => data.attempt)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
  });

  it.each(['present', 'unknown'] as const)('are not made when the discovery found %s', async (outcome) => {
    start();
    await stage.given(stream.replica(REPLICA), requested(), lookFor(1));
    await stage.given(RESOURCE, discovery(1, outcome));
    await stage.clock.advance(60_000);
    expect(asked).toEqual([]);
    expect(await stage.written('capacity')).toEqual([]);
  });

  it('are not told for a replica that stopped waiting while the question was out', async () => {
    start();
    await ask();
    await stage.clock.advance(50);
    expect(asked.length).toBeGreaterThan(0);
    await stage.given(stream.replica(REPLICA), {
      type: 'davit.replica.delete-requested',
      data: { replicaId: REPLICA, reason: 'the deployment is deleted' },
    });
    await stage.clock.advance(60_000);
    expect(await stage.written('capacity')).toEqual([]);
  });

  it('are unknown while RunPod is down, and the outage is told once', async () => {
    reply = () => ({ kind: 'failure', reason: 'timeout', detail: 'x' });
    start();
    await ask(0);
    await ask(1);
    await stage.clock.advance(500);
    expect(new Set((await assessed()).map(({ data }) => data.signal.state))).toEqual(new Set(['unknown']));
    const failures = (await stage.written('capacity')).filter(({ type }) => type === 'davit.capacity.advice-failed');
    expect(failures).toHaveLength(1);
    expect(failures[0]?.data).toMatchObject({ source: 'runpod-v2' });
  });

  it('honour a rate limit: no question before its time, and unknown meanwhile', async () => {
    reply = () => ({ kind: 'response', status: 429, headers: { 'retry-after': '100' }, body: '{}' });
    start();
    await ask();
    await stage.clock.advance(500);
    const before = asked.length;
    reply = (url) => catalogue('HIGH', url);
    await stage.clock.advance(60_000);
    await ask(1);
    await stage.clock.advance(1_000);
    expect(asked).toHaveLength(before);
    expect(
      (await assessed()).filter(({ data }) => data.replicaId.endsWith('-1-1-1') && data.signal.state !== 'unknown'),
    ).toEqual([]);
    await stage.clock.advance(60_000);
    await ask(2);
    await stage.clock.advance(500);
    expect(asked.length).toBeGreaterThan(before);
  });

  it('answer a planner from the same cache, recording nothing', async () => {
    const shared = assessor();
    const placements = [
      { cloud: 'runpod', region: null, accelerator: { name: 'L40S', count: 1 }, spot: false, maxHourlyPrice: null },
    ];
    const first = answerAssess({ placements }, shared);
    await stage.clock.advance(200);
    expect(await first).toMatchObject({ answer: { signals: [{ rung: 0, signal: { state: 'constrained' } }] } });
    await answerAssess({ placements }, shared);
    expect(asked).toHaveLength(1);
    expect(await answerAssess({ placements: [], more: 1 }, shared)).toHaveProperty('problems');
    expect(await answerAssess(null, shared)).toHaveProperty('problems');
  });
});
