import { type Bus, request } from '@davit/bus';
import { type NewEvent, stream, subjects, trafficAnswer } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import { isoTime, silentLogger } from '@davit/ports';
import { type RunningService, createService, tokens } from '@davit/service-kit';
import { KEY, REPLICA, RESOURCE, declared, requested } from '@davit/stage';
import { type NatsBroker, type TestDatabase, createDatabase, eventually, startNats } from '@davit/test-support';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppModule } from './app.module.js';

/** Nobody listens there. */
const URL_OF_REPLICA = 'http://127.0.0.1:9';

describe('runtime-prober as a service', () => {
  let database: TestDatabase;
  let broker: NatsBroker;
  let service: RunningService;
  let log: EventLog;

  beforeAll(async () => {
    [database, broker] = await Promise.all([createDatabase(), startNats()]);
    const environment = { DATABASE_URL: database.url, NATS_URL: broker.url };
    service = await createService(AppModule, 'runtime-prober', { environment, logger: silentLogger });
    await service.ready;
    log = service.app.get<EventLog>(tokens.EVENT_LOG);
    await given(stream.deployment(KEY), declared());
    await given(stream.replica(REPLICA), requested(), {
      type: 'davit.replica.launch-requested',
      data: { replicaId: REPLICA, attempt: 1, deadlineAt: isoTime(Date.now() + 3_600_000) },
    });
    await given(RESOURCE, {
      type: 'davit.resource.observed',
      data: {
        ...{ externalKey: 'dv-test', replicaId: REPLICA, adapter: 'skypilot', phase: 'up', url: URL_OF_REPLICA },
        ...{ providerId: 'm-1', price: null, class: null, detail: 'x' },
      },
    });
    await eventually(async () => (await runtimeEvents()).some(({ type }) => type === 'davit.runtime.probing-started'));
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await Promise.all([database.drop(), broker.dispose()]);
  }, 60_000);

  const given = (name: string, ...events: readonly [NewEvent, ...NewEvent[]]) =>
    log.append([{ stream: name, expectedVersion: 'any', events }], { tenant: 'default', service: 'test' });
  const runtimeEvents = () => log.readStream(stream.runtime(REPLICA));
  const report = (reporter: string, change: object = {}) => ({
    reporter,
    window: { from: isoTime(Date.now() - 5_000), to: isoTime(Date.now()) },
    targets: [
      { url: URL_OF_REPLICA, requests: 8, refused: 8, timeouts: 0, status5xx: 0 },
      { replica: `${KEY}-9-9-9`, requests: 1, refused: 1, timeouts: 0, status5xx: 0 },
    ],
    ...change,
  });
  const post = (body: unknown): Promise<Response> =>
    fetch(`${service.url}/v1/traffic-reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const overBus = (body: unknown) =>
    request(service.app.get<Bus>(tokens.BUS), subjects.rpc('runtime-prober', 'report-traffic'), body, {
      timeoutMs: 5_000,
      reply: trafficAnswer,
    });
  const TAKEN = [
    { replica: REPLICA, outcome: 'recorded' },
    { replica: `${KEY}-9-9-9`, outcome: 'unknown' },
  ];

  it('takes what gateways report over HTTP, by address or name, and answers for each target', async () => {
    const response = await post(report('over-http'));
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ targets: TAKEN });
    expect((await runtimeEvents()).at(-1)).toMatchObject({
      type: 'davit.runtime.traffic-failed',
      data: { replicaId: REPLICA, reporter: 'over-http', requests: 8, refused: 8 },
    });
  });

  it('takes the same over the bus', async () => {
    expect(await overBus(report('over-bus'))).toMatchObject({ outcome: 'answered', body: { targets: TAKEN } });
    expect((await runtimeEvents()).at(-1)).toMatchObject({ data: { reporter: 'over-bus' } });
  });

  it('refuses a report that is not valid with field, value and remedy, on both ways', async () => {
    const response = await post(report('a gateway'));
    expect([response.status, response.headers.get('content-type')]).toEqual([
      422,
      expect.stringContaining('application/problem+json'),
    ]);
    const errors = [
      { path: 'reporter', message: '"a gateway" is not a name', remedy: expect.stringMatching(/^Write/) },
    ];
    expect(await response.json()).toMatchObject({ code: 'invalid-report', status: 422, errors });
    expect(await overBus(report('a gateway'))).toMatchObject({
      problem: { code: 'invalid-report', status: 422, errors: [{ path: 'reporter' }] },
    });
  });
});
