import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bus } from '@davit/bus';
import { type NewEvent, ROUTES_BUCKET, WITHHELD_KEY, routeCacheKey, routeView, stream } from '@davit/contracts';
import type { EventLog, Leases } from '@davit/event-log';
import { silentLogger } from '@davit/ports';
import { type RunningService, createService, tokens } from '@davit/service-kit';
import { type NatsBroker, type TestDatabase, createDatabase, eventually, startNats } from '@davit/test-support';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppModule } from './app.module.js';
import { KEY, REPLICA, declared, requested } from '@davit/stage';

const idOf = (ordinal: number): string => `${KEY}-1-${ordinal}-1`;

describe('router-registry as a service', () => {
  let database: TestDatabase;
  let broker: NatsBroker;
  let service: RunningService;

  const start = async (): Promise<void> => {
    const environment = { DATABASE_URL: database.url, NATS_URL: broker.url };
    service = await createService(AppModule, 'router-registry', { environment, logger: silentLogger });
    await service.ready;
  };
  beforeAll(async () => {
    [database, broker] = await Promise.all([createDatabase(), startNats()]);
    await start();
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await Promise.all([database.drop(), broker.dispose()]);
  }, 60_000);

  const get = async (path: string): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(service.url + path);
    return { status: response.status, body: await response.json() };
  };
  const given = async (name: string, ...events: readonly [NewEvent, ...NewEvent[]]): Promise<void> => {
    const log = service.app.get<EventLog>(tokens.EVENT_LOG);
    await log.append([{ stream: name, expectedVersion: 'any', events }], { tenant: 'default', service: 'test' });
  };

  const urlOf = (ordinal: number): string => `http://10.0.0.${ordinal + 1}:8000`;
  const prove = (ordinal: number): Promise<void> => {
    const data = { replicaId: idOf(ordinal), url: urlOf(ordinal), servedModel: 'qwen' };
    const evidence = { healthMs: 1, modelsMs: 1, inferenceMs: 1 };
    return given(stream.runtime(data.replicaId), { type: 'davit.runtime.became-ready', data: { ...data, evidence } });
  };
  const serve = async (ordinal: number): Promise<void> => {
    const data = { replicaId: idOf(ordinal), url: urlOf(ordinal), servedModel: 'qwen' };
    await given(stream.replica(data.replicaId), requested(ordinal), {
      type: 'davit.replica.launch-requested',
      data: { replicaId: data.replicaId, attempt: 1, deadlineAt: '2026-01-01T00:30:00.000Z' },
    });
    await prove(ordinal);
    await given(stream.replica(data.replicaId), { type: 'davit.replica.ready', data });
  };

  it('answers readers without their key with 401 where one is set, and supervisors all the same', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'davit-reader-'));
    const key = 'r'.repeat(40);
    const file = path.join(folder, 'reader.key');
    await writeFile(file, `${key}\n`);
    const environment = { DATABASE_URL: database.url, NATS_URL: broker.url, DAVIT_READER_KEY_FILE: file };
    const locked = await createService(AppModule, 'router-registry', { environment, logger: silentLogger });
    try {
      await locked.ready;
      const ask = (place: string, authorization?: string): Promise<Response> =>
        fetch(locked.url + place, authorization === undefined ? {} : { headers: { authorization } });
      for (const place of ['/v1/exports/http_sd', '/v1/routes', '/v1/exports/files/nginx']) {
        expect((await ask(place)).status).toBe(401);
        expect((await ask(place, `Bearer ${key}x`)).status).toBe(401);
        expect((await ask(place, `Bearer ${key}`)).status).toBe(200);
      }
      expect(await (await ask('/v1/routes')).json()).toMatchObject({ code: 'unauthenticated' });
      for (const place of ['/livez', '/readyz', '/metrics']) expect((await ask(place)).status).toBe(200);
    } finally {
      await locked.stop();
      await rm(folder, { recursive: true });
    }
  }, 30_000);

  it('shows no route where none was published, which is not the same as an empty one', async () => {
    expect(await get('/v1/routes')).toMatchObject({ status: 200, body: { routes: [] } });
    expect(await get('/v1/routes/default/qwen')).toMatchObject({ status: 404, body: { code: 'not-found' } });
    expect(await get('/v1/routes?tenant=No%20Name')).toMatchObject({ status: 400, body: { code: 'invalid-query' } });
  });

  it('shows a proven replica as the present snapshot, and the same after a restart', async () => {
    await given(stream.deployment(KEY), declared());
    await serve(0);
    const url = urlOf(0);
    const snapshot = await eventually(async () => {
      const { status, body } = await get('/v1/routes/default/qwen');
      expect(status).toBe(200);
      return body;
    });
    expect(snapshot).toMatchObject({
      alias: 'default/qwen',
      model: 'qwen',
      snapshot: 1,
      targets: [{ replica: REPLICA, url }],
    });
    const published = (await service.app.get<EventLog>(tokens.EVENT_LOG).readStream(stream.route('default/qwen'))).at(
      -1,
    );
    expect(published?.data).toHaveProperty('digest', (snapshot as { digest: string }).digest); // matched above
    expect(await get('/v1/routes?tenant=default')).toMatchObject({ body: { routes: [snapshot] } });

    const bucket = await service.app.get<Bus>(tokens.BUS).connection.jetstream().views.kv(ROUTES_BUCKET);
    const cached = await eventually(async () => (await bucket.get(routeCacheKey('default/qwen')))?.json());
    expect(cached).toEqual(snapshot);

    await service.stop();
    await start();
    expect((await get('/v1/routes/default/qwen')).body).toEqual(snapshot);
  }, 60_000);

  it('answers for a name with slashes that are percent-encoded, and says how to ask where they are not', async () => {
    const long = `Qwen/${'q'.repeat(85)}:8B/v1.0`;
    const alias = `default/${long}`;
    await given(stream.route(alias), {
      type: 'davit.route.snapshot-published',
      data: { alias, snapshot: 1, targets: [], digest: '0'.repeat(64) },
    });
    const encoded = `/v1/routes/default/${encodeURIComponent(long)}`;
    const found = await eventually(async () => {
      const answer = await get(encoded);
      expect(answer.status).toBe(200);
      return answer.body;
    });
    expect(found).toMatchObject({ alias, tenant: 'default', model: long, snapshot: 1 });
    expect((await get(encoded.toLowerCase())).status).toBe(404);
    expect(await get(`/v1/routes/default/${long}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid-path', errors: [{ path: 'model', remedy: `Ask for ${encoded}.` }] },
    });
    expect(await get('/v1/routes/default/50%')).toMatchObject({ status: 400 });
    expect((await get(`/v1/routes/default/${'q'.repeat(301)}`)).status).toBe(414);
  });

  it('sends what a reader has already only as a number, and compressed to who takes that', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${service.url}/v1/exports/files/nginx`, { headers });
    const first = await ask({ 'accept-encoding': 'identity' });
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    expect(first.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const second = await ask({ 'if-none-match': tag });
    expect([second.status, await second.text(), second.headers.get('etag')]).toEqual([304, '', tag]);
    expect((await ask({ 'if-none-match': '"of-another-time"' })).status).toBe(200);
  });

  it('tells the same routes to Prometheus, Envoy, LiteLLM and whoever reads files', async () => {
    const answers = await Promise.all(
      ['http_sd', 'litellm'].map(async (format) => (await get(`/v1/exports/${format}`)).body),
    );
    expect(answers).toMatchObject([
      [{ targets: ['10.0.0.1:8000'], labels: { __meta_davit_replica: REPLICA, __meta_davit_state: 'serving' } }],
      { model_list: [{ model_name: 'default/qwen', litellm_params: { api_base: 'http://10.0.0.1:8000/v1' } }] },
    ]);
    const discover = (kind: string, body: object) =>
      fetch(`${service.url}/v3/discovery:${kind}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const endpoints = await (await discover('endpoints', { resource_names: ['default-qwen'] })).json();
    expect(endpoints).toMatchObject({ resources: [{ cluster_name: 'default-qwen' }] });
    expect(await (await discover('clusters', { resource_names: ['default-qwen'] })).json()).toMatchObject({
      resources: [{ name: 'default-qwen', type: 'EDS' }],
    });
    expect((await discover('secrets', {})).status).toBe(404);
    expect((await discover('endpoints', { resource_names: 'all' })).status).toBe(400);
    const file = await fetch(`${service.url}/v1/exports/files/haproxy`);
    expect(await file.text()).toContain('10.0.0.1:8000 weight 26');
    expect((await get('/v1/exports/files/apache')).status).toBe(404);
  });

  it('law-11: tells every reader, also those that hold the whole snapshot, what is withheld while nobody can withdraw it', async () => {
    const alias = 'default/qwen';
    const bucket = await service.app.get<Bus>(tokens.BUS).connection.jetstream().views.kv(ROUTES_BUCKET);
    const held = async (key: string): Promise<unknown> => (await bucket.get(key))?.json();
    await serve(1);
    const whole = await eventually(async () => {
      const snapshot = routeView.parse(await held(routeCacheKey(alias)));
      expect(snapshot.targets).toHaveLength(2);
      return snapshot;
    });
    // Whoever holds this decides, and hangs.
    const leases = service.app.get<Leases>(tokens.LEASES);
    const lease = await eventually(() => leases.acquire(`router-registry/routes/${alias}`, 'one that hangs', 60_000));
    await given(stream.runtime(REPLICA), {
      type: 'davit.runtime.became-unready',
      data: { replicaId: REPLICA, url: urlOf(0), reason: 'refused', detail: 'x', consecutiveFailures: 3 },
    });
    await eventually(async () => String(await held(WITHHELD_KEY)) === alias, { timeoutMs: 20_000 });
    const rest = routeView.parse(await held(routeCacheKey(alias)));
    expect(rest).toMatchObject({ snapshot: whole.snapshot, withheld: 1, targets: [{ replica: idOf(1) }] });
    expect(rest.position).toBeGreaterThan(whole.position);
    expect(await get(`/v1/routes/${alias}`)).toMatchObject({
      status: 200,
      body: { withheld: 1, targets: rest.targets },
    });
    const labels = { __meta_davit_replica: idOf(1) };
    expect(await get('/v1/exports/http_sd')).toMatchObject({ status: 200, body: [{ labels }] });
    await prove(0);
    await eventually(async () => String(await held(WITHHELD_KEY)) === '');
    const again = routeView.parse(await held(routeCacheKey(alias)));
    expect(again).toEqual({ ...whole, position: again.position });
    expect(again.position).toBeGreaterThan(rest.position);
    await leases.release(lease);
  }, 60_000);

  it('fills the cache of the bus again after the broker lost everything', async () => {
    await broker.wipe();
    await eventually(
      async () => {
        const bucket = await service.app.get<Bus>(tokens.BUS).connection.jetstream().views.kv(ROUTES_BUCKET);
        expect((await bucket.get(routeCacheKey('default/qwen')))?.json()).toMatchObject({ snapshot: 2 });
        return true;
      },
      { timeoutMs: 55_000, everyMs: 500 },
    );
  }, 60_000);
});
