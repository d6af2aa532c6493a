import { describe, expect, it } from '@jest/globals';
import { VAST_FAULT_KINDS, vastFaultRule } from './defects.js';
import { CHAT, VastTest } from './testing.js';

describe('faults of birth', () => {
  it('slow-load: a worker comes later by its factor', async () => {
    const comesAfter = async (factor: number): Promise<number> => {
      const test = new VastTest();
      test.vast.arm({ kind: 'slow-load', factor });
      const { endpoint } = await test.serve();
      await test.clock.advance(200);
      let ms = 0;
      for (; (await test.statuses(endpoint))[0] !== 'idle' && ms < 60_000; ms += 100) await test.clock.advance(100);
      return ms;
    };
    const [usual, slow] = [await comesAfter(1), await comesAfter(5)];
    expect(slow - usual).toBeGreaterThanOrEqual(4 * (500 + 800) - 200);
  });

  it('never-loads: times out, goes through error and reboot, and is replaced after the third time', async () => {
    const test = new VastTest();
    test.vast.arm({ kind: 'never-loads' });
    const { endpoint, group } = await test.serve();
    await test.clock.advance(1_000);
    const [first] = await test.workers(endpoint);
    await test.clock.advance(19_500);
    expect(await test.statuses(endpoint)).toEqual(['model_loading']);
    await test.clock.advance(50_000);
    const [second] = await test.workers(endpoint);
    expect(second?.['id']).not.toBe(first?.['id']);
    expect(test.world.ledger.report()).toMatchObject({ running: 1, everCreated: 2 });
    const { info1 } = (await test.run('/get_workergroup_logs/', { id: group })) as { info1: string };
    expect(info1.match(new RegExp(`worker ${String(first?.['id'])} timed out loading after 20s`, 'g'))).toHaveLength(3);
  });

  it('a template that was loaded before times out sooner', async () => {
    const test = new VastTest({ failuresToDestroy: 1 });
    const { endpoint } = await test.serving();
    test.vast.arm({ kind: 'never-loads' });
    for (const machine of test.world.cloud.running()) await test.world.cloud.end(machine, 'killed');
    await test.clock.advance(2_000);
    const [worker] = await test.workers(endpoint);
    await test.clock.advance(8_500);
    expect((await test.workers(endpoint)).map(({ id }) => id)).not.toContain(worker?.['id']);
  });

  it('no-offers: no worker ever, and the log says why', async () => {
    const test = new VastTest();
    test.vast.arm({ kind: 'no-offers' });
    const { endpoint, group } = await test.serve();
    await test.clock.advance(30_000);
    expect(test.world.ledger.everCreated()).toEqual([]);
    expect(await test.run('/get_workergroup_logs/', { id: group })).toMatchObject({
      info1: expect.stringContaining('no offer matches'),
    });
    test.vast.defects.clear();
    await test.clock.advance(6_000);
    expect(await test.statuses(endpoint)).toEqual(['idle']);
  });

  it('host-vanishes: the worker is replaced by one with another id, once', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serving();
    const [before] = await test.workers(endpoint);
    test.vast.arm({ kind: 'host-vanishes' });
    await test.clock.advance(6_000);
    const [after, ...more] = await test.workers(endpoint);
    expect(more).toEqual([]);
    expect(after).toMatchObject({ status: 'idle' });
    expect(after?.['id']).not.toBe(before?.['id']);
    expect(test.vast.defects.list()).toEqual([]);
  });

  it('flap: with cold = max = 1 the engine destroys what it has and rents again', async () => {
    const test = new VastTest();
    test.vast.arm({ kind: 'flap' });
    await test.serve({ cold_workers: 1, max_workers: 1 });
    await test.clock.advance(20_000);
    expect(test.world.ledger.everCreated().length).toBeGreaterThan(3);
    const steady = new VastTest();
    steady.vast.arm({ kind: 'flap' });
    await steady.serve({ cold_workers: 1, max_workers: 2 });
    await steady.clock.advance(20_000);
    expect(steady.world.ledger.everCreated()).toHaveLength(1);
  });
});

describe('faults of workers that say idle', () => {
  it.each([
    [{ kind: 'unreachable' }, 'refused'],
    [{ kind: 'false-idle' }, 500],
    [{ kind: 'signature-refused' }, 401],
    [{ kind: 'worker-busy' }, 429],
    [{ kind: 'errors', every: 1 }, 500],
  ] as const)('%j: a call gets %s', async (fault, expected) => {
    const test = new VastTest();
    const { endpoint } = await test.serving();
    const end = test.vast.arm(fault);
    expect(await test.callStatus(await test.route())).toBe(expected);
    expect(await test.statuses(endpoint)).toEqual(['idle']);
    end();
    expect(await test.callStatus(await test.route())).toBe(200);
  });

  it('errors: every so many answers', async () => {
    const test = new VastTest();
    await test.serving();
    test.vast.arm({ kind: 'errors', every: 3 });
    const statuses = [];
    for (let call = 0; call < 6; call += 1) statuses.push(await test.callStatus(await test.route()));
    expect(statuses).toEqual([200, 200, 500, 200, 200, 500]);
  });

  it('stranded: a stopped worker does not start again, and the request waits', async () => {
    const test = new VastTest();
    const { endpoint, group } = await test.serving({ inactivity_timeout: 1 });
    await test.clock.advance(5_000);
    test.vast.arm({ kind: 'stranded' });
    const { request_idx } = await test.route();
    await test.clock.advance(2_900);
    expect(await test.statuses(endpoint)).toEqual(['starting']);
    expect(await test.route({ request_idx })).not.toHaveProperty('url');
    await test.clock.advance(400);
    expect(await test.run('/get_workergroup_logs/', { id: group })).toMatchObject({
      info1: expect.stringContaining('timed out starting after 3s'),
    });
  });

  it('reports-lost: a busy worker is taken for unused and stopped in its work', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serving({ min_load: 0, cold_workers: 1 });
    const call = test.begin(await test.route(), { ...CHAT, max_tokens: 8_000 });
    test.vast.arm({ kind: 'reports-lost' });
    await test.clock.advance(500);
    expect((await test.statuses(endpoint))[0]).toMatch(/^stop/);
    await test.clock.advance(20_000);
    expect(call.status).not.toBe(200);
  });
});

describe('regressions of one candidate', () => {
  async function twoTemplates(): Promise<{ test: VastTest; hash: string }> {
    const test = new VastTest();
    const serving = await test.serving({ cold_workers: 1, max_workers: 1 });
    const { id, hash_id: hash } = await test.template();
    await test.put(serving, { id });
    return { test, hash };
  }
  const timeOf = async (test: VastTest): Promise<number> => {
    const call = test.begin(await test.route());
    let ms = 0;
    for (; call.status === undefined && ms < 10_000; ms += 10) await test.clock.advance(10);
    return ms;
  };

  it('latency: answers of that template take longer, those of others do not', async () => {
    const { test, hash } = await twoTemplates();
    test.vast.arm({ kind: 'latency', ms: 900, on: { template: hash } });
    expect(await timeOf(test)).toBeLessThan(200);
    await test.clock.advance(6_000);
    expect(test.running()).toEqual([hash]);
    expect(await timeOf(test)).toBeGreaterThanOrEqual(900);
  });

  it('latency may grow from the moment it is armed', async () => {
    const test = new VastTest();
    await test.serving();
    test.vast.arm({ kind: 'latency', ms: 1_000, rampMs: 60_000 });
    expect(await timeOf(test)).toBeLessThan(200);
    await test.clock.advance(60_000);
    expect(await timeOf(test)).toBeGreaterThanOrEqual(1_000);
  });

  it('perf: a request takes its workload at the lower throughput, while the first benchmark stays in the list', async () => {
    const { test, hash } = await twoTemplates();
    test.vast.arm({ kind: 'perf', factor: 0.1, on: { template: hash } });
    await test.clock.advance(6_000);
    expect(await timeOf(test)).toBeGreaterThanOrEqual(1_000);
    const [endpoint] = test.vast.store.endpoints.keys();
    const [worker] = (await test.workers(endpoint ?? 0)) as unknown as { measured_perf: number }[];
    expect(worker?.measured_perf).toBeGreaterThan(700);
  });

  it.each([
    [undefined, (body: Answer) => expect([body.choices, body.outputs?.length]).toEqual([undefined, 1])],
    ['schema', (body: Answer) => expect([body.choices, body.outputs?.length]).toEqual([undefined, 1])],
    ['empty', (body: Answer) => expect(body.choices?.[0]?.message.content).toBe('')],
    ['model', (body: Answer) => expect(body.model).toBe('another/model')],
    ['text', (body: Answer) => expect(body.choices?.[0]?.message.content).toMatch(/^\.revres/)],
  ] as const)('wrong-output %s is a 200', async (how, check) => {
    const test = new VastTest();
    await test.serving();
    test.vast.arm(how === undefined ? { kind: 'wrong-output' } : { kind: 'wrong-output', how });
    const answer = await test.call(await test.route());
    if (typeof answer === 'string') throw new Error(answer);
    expect(answer.status).toBe(200);
    check(JSON.parse(answer.body) as Answer);
  });

  it('wrong-output reaches into streams', async () => {
    const test = new VastTest();
    await test.serving();
    test.vast.arm({ kind: 'wrong-output', how: 'model' });
    const answer = await test.call(await test.route(), { ...CHAT, stream: true });
    if (typeof answer === 'string') throw new Error(answer);
    const events = answer.body.split('\n\n').filter((line) => line.startsWith('data: {'));
    expect(events.length).toBeGreaterThan(3);
    for (const event of events) expect(event).toContain('"model":"another/model"');
  });
});

interface Answer {
  readonly model: string;
  readonly choices?: readonly { readonly message: { readonly content: string } }[];
  readonly outputs?: readonly unknown[];
}

describe('faults of the account and the hosts', () => {
  it('scope-missing: even the key of the account is refused, by name', async () => {
    const test = new VastTest();
    test.vast.arm({ kind: 'scope-missing', scope: 'user_write' });
    expect(await test.ask('POST', '/template/', { name: 'x' })).toMatchObject({
      status: 403,
      msg: 'Your key lacks the `user_write` permission group',
    });
    expect(await test.ask('GET', '/template/')).toMatchObject({ status: 200 });
  });

  it('no-credit: workers stop, nothing is rented, a new workergroup is refused', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serving();
    test.vast.arm({ kind: 'no-credit' });
    await test.clock.advance(1_000);
    expect(await test.statuses(endpoint)).toEqual(['stopped']);
    expect(await test.ask('POST', '/workergroups/', {})).toMatchObject({ status: 403, error: 'insufficient_credit' });
    expect(await test.ask('GET', '/users/current/')).toMatchObject({ credit: 0 });
  });

  it('logs-wiped: logs are empty', async () => {
    const test = new VastTest();
    const { group } = await test.serving();
    test.vast.arm({ kind: 'logs-wiped' });
    expect(await test.run('/get_workergroup_logs/', { id: group })).toEqual({
      info0: '',
      info1: '',
      trace: '',
      debug: '',
    });
  });

  it('clock-skew: loaded_at is off by so much', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serving();
    const loadedAt = async (): Promise<number> => Number((await test.workers(endpoint))[0]?.['loaded_at']);
    const before = await loadedAt();
    test.vast.arm({ kind: 'clock-skew', ms: -60_000 });
    expect(await loadedAt()).toBe(before - 60);
  });

  it.each([
    [{ kind: 'status-after', status: 502 }, 502],
    [{ kind: 'lost-reply' }, 'reset'],
    [{ kind: 'hang' }, 'hang'],
  ] as const)('%j: the endpoint is made although the answer says nothing of it', async (effect, expected) => {
    const test = new VastTest();
    test.world.faults.add({ service: 'vast-console', verb: 'POST /api/v0/endptjobs/', effect });
    const answer = await test.http('POST', 'https://console.vast.ai/api/v0/endptjobs/', test.world.keys.vast, {});
    expect(typeof answer === 'string' ? answer : answer.status).toBe(expected);
    expect(test.vast.store.endpoints.size).toBe(1);
  });

  it('single calls of workers can be hit like those of any service, and are in the journal', async () => {
    const test = new VastTest();
    await test.serving();
    test.world.faults.add({ service: 'vast-worker', nth: 2, effect: { kind: 'status', status: 503 } });
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push(await test.callStatus(await test.route()));
    expect(statuses).toEqual([200, 503, 200]);
    expect(test.world.calls.all().filter(({ service }) => service === 'vast-worker')).toMatchObject([
      { status: 200, keyId: null, keyInBody: false },
      { status: 503 },
      { status: 200 },
    ]);
  });
});

describe('aims of faults', () => {
  it('"workers" hits so many and always the same', async () => {
    const test = new VastTest();
    await test.serving({ cold_workers: 3, max_workers: 3, min_load: 2_000 });
    test.vast.arm({ kind: 'false-idle', workers: 1 });
    const statuses = [];
    for (let call = 0; call < 9; call += 1) statuses.push(await test.callStatus(await test.route()));
    expect(statuses.filter((status) => status === 500)).toHaveLength(3);
    expect(test.vast.defects.list()).toMatchObject([{ kind: 'false-idle', hit: [expect.any(Number)] }]);
  });

  it.each([
    [{ worker: -1 }, 200],
    [{ workergroup: -1 }, 200],
    [{ endpoint: 'other' }, 200],
    [{ gpu: 'H100' }, 200],
    [{ template: 'other' }, 200],
    [{ gpu: 'RTXA5000', template: 'vLLM (serverless)' }, 500],
  ])('%j: %i', async (on, expected) => {
    const test = new VastTest();
    await test.serving();
    test.vast.arm({ kind: 'false-idle', on });
    expect(await test.callStatus(await test.route())).toBe(expected);
  });

  it('a rule is checked for its kind and its fields', () => {
    expect(vastFaultRule({ kind: 'nothing' })).toContain(VAST_FAULT_KINDS.join(', '));
    expect(vastFaultRule({ kind: 'latency' })).toBe('a fault "latency" needs "ms"');
    expect(vastFaultRule({ kind: 'latency', ms: 1 })).toEqual({ kind: 'latency', ms: 1 });
  });
});
