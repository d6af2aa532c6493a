import { type NewEvent, stream } from '@davit/contracts';
import { type HttpClient, type HttpOutcome, seededRandom, sleep } from '@davit/ports';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { runtimeProberControllers } from '../index.js';
import { KEY, REPLICA, RESOURCE, Stage, declared, requested } from '@davit/stage';

const URL_A = 'http://10.0.0.1:8000';
const URL_B = 'http://10.0.0.2:8000';

/** A model server as the network shows it; what it does is set by the test. */
class Server {
  up = true;
  model = 'qwen';
  inference: 'works' | 'silent' = 'works';
  metrics = { running: 0, waiting: 0, tokens: 0 };
  requiredKey: string | undefined;
  healthStatus = 200;
  latencyMs = 1;
}

const refused: HttpOutcome = { kind: 'failure', reason: 'refused', detail: 'connection refused' };
const reply = (status: number, body = ''): HttpOutcome => ({ kind: 'response', status, headers: {}, body });

describe('readiness of a replica', () => {
  let stage: Stage;
  let server: Server;
  let inferences: number;
  let probes: number;

  beforeEach(() => {
    stage = new Stage('runtime-prober');
    server = new Server();
    inferences = 0;
    probes = 0;
  });

  const answer = (path: string, key: string | undefined): HttpOutcome | 'silence' => {
    const { metrics, model } = server;
    switch (path) {
      case '/health':
        probes += 1;
        return reply(server.healthStatus);
      case '/v1/models':
        if (server.requiredKey !== undefined && key !== `Bearer ${server.requiredKey}`) return reply(401, '{}');
        return reply(200, JSON.stringify({ data: [{ id: model }] }));
      case '/v1/chat/completions':
        inferences += 1;
        return server.inference === 'works' ? reply(200, '{"choices":[{}]}') : 'silence';
      case '/metrics':
        return reply(
          200,
          `vllm:num_requests_running ${metrics.running}\nvllm:num_requests_waiting ${metrics.waiting}\nvllm:generation_tokens_total ${metrics.tokens}\n`,
        );
      default:
        return reply(404);
    }
  };

  const http: HttpClient = {
    async request({ url, headers, timeoutMs, onBytes }) {
      if (!server.up || new URL(url).origin === URL_B) return refused;
      const answered = answer(new URL(url).pathname, headers?.['authorization']);
      await sleep(stage.clock, answered === 'silence' ? timeoutMs : Math.min(server.latencyMs, timeoutMs));
      if (answered === 'silence' || server.latencyMs >= timeoutMs)
        return { kind: 'failure', reason: 'timeout', detail: 'x' };
      if (answered.kind === 'response') onBytes?.(Buffer.from(answered.body));
      return answered;
    },
  };

  const start = (instanceId?: string, environment: Record<string, string> = {}) =>
    stage.start(
      runtimeProberControllers({ http, clock: stage.clock, random: seededRandom(2), environment }),
      instanceId,
    );

  const observed = (phase: 'up' | 'unknown' | 'provisioning', url: string | null, providerId = 'm-1'): NewEvent => ({
    type: 'davit.resource.observed',
    data: {
      externalKey: 'dv-test',
      replicaId: REPLICA,
      adapter: 'skypilot',
      phase,
      url,
      providerId,
      price: null,
      class: null,
      detail: 'x',
    },
  });
  const launching = async (spec: Parameters<typeof declared>[0] = {}): Promise<void> => {
    await stage.given(stream.deployment(KEY), declared(spec));
    await stage.given(stream.replica(REPLICA), requested(), {
      type: 'davit.replica.launch-requested',
      data: { replicaId: REPLICA, attempt: 1, deadlineAt: '2026-01-01T01:00:00.000Z' },
    });
    await stage.given(RESOURCE, observed('up', URL_A));
  };
  const serving = async (): Promise<void> => {
    await launching();
    await stage.until(async () => (await stage.replica(REPLICA))?.runtime?.status === 'ready');
    const data = { replicaId: REPLICA, url: URL_A, servedModel: 'qwen' };
    await stage.given(stream.replica(REPLICA), { type: 'davit.replica.ready', data });
  };
  const draining = async (): Promise<void> => {
    const alias = 'default/qwen';
    const target = { replica: REPLICA, deployment: KEY, revision: 1, url: URL_A, model: 'qwen' };
    await stage.given(stream.route(alias), { type: 'davit.route.registered', data: { alias, snapshot: 1, target } });
    await stage.given(stream.replica(REPLICA), {
      type: 'davit.replica.drain-requested',
      data: { replicaId: REPLICA, reason: 'scaled down', deadlineAt: '2026-01-01T01:00:00.000Z' },
    });
    await stage.clock.advance(2_000);
    const withdrawn = { alias, snapshot: 2, replica: REPLICA, reason: 'draining' };
    await stage.given(stream.route(alias), { type: 'davit.route.withdrawn', data: withdrawn });
  };
  const told = async (): Promise<readonly string[]> =>
    (await stage.written('runtime'))
      .map(({ type }) => type.slice('davit.runtime.'.length))
      .filter((type) => type !== 'load-summarised');
  const loads = async () =>
    (await stage.written('runtime')).flatMap((event) =>
      event.type === 'davit.runtime.load-summarised' ? [event.data] : [],
    );

  it('is told once, from health, model and one inference', async () => {
    start();
    await launching();
    await stage.clock.advance(60_000);
    expect(await told()).toEqual(['probing-started', 'became-ready']);
    expect(inferences).toBe(1);
    expect((await stage.written('runtime'))[1]).toMatchObject({
      correlationid: 'intent-1',
      data: { url: URL_A, servedModel: 'qwen', evidence: { healthMs: 1, modelsMs: 1, inferenceMs: 1 } },
    });
  });

  it('comes soon after a server begins to listen, and waiting for it is no failure', async () => {
    server.up = false;
    start();
    await launching();
    await stage.clock.advance(30_000);
    expect(await told()).toEqual(['probing-started']);
    server.up = true;
    await stage.clock.advance(300);
    expect(await told()).toEqual(['probing-started', 'became-ready']);
  });

  it('is not looked for before the resource is up', async () => {
    start();
    await stage.given(stream.deployment(KEY), declared());
    await stage.given(stream.replica(REPLICA), requested());
    await stage.given(RESOURCE, observed('provisioning', null));
    await stage.clock.advance(10_000);
    expect(await stage.written('runtime')).toEqual([]);
  });

  it('ends when nobody listens any more, after three probes in a row', async () => {
    start();
    await serving();
    server.up = false;
    await stage.clock.advance(4_000);
    expect(await told()).toEqual(['probing-started', 'became-ready', 'became-unready']);
    expect((await stage.written('runtime')).at(-1)?.data).toMatchObject({ reason: 'refused', consecutiveFailures: 3 });
  });

  it('survives one lost probe', async () => {
    start();
    await serving();
    server.up = false;
    const before = probes;
    await stage.clock.advance(1_600);
    server.up = true;
    await stage.clock.advance(60_000);
    expect(probes).toBeGreaterThan(before);
    expect(await told()).toEqual(['probing-started', 'became-ready']);
  });

  it('is not lost by being slow under load', async () => {
    start();
    await serving();
    server.latencyMs = 4_000;
    await stage.clock.advance(120_000);
    expect(await told()).toEqual(['probing-started', 'became-ready']);
  });

  it('ends when neither health nor metrics answer, after five time-outs and not ten', async () => {
    start();
    await serving();
    server.latencyMs = 5_000;
    await stage.clock.advance(25_000);
    expect(await told()).toEqual(['probing-started', 'became-ready']);
    await stage.clock.advance(12_000);
    expect(await told()).toEqual(['probing-started', 'became-ready', 'became-unready']);
    expect((await stage.replica(REPLICA))?.runtime).toMatchObject({ status: 'unready', reason: 'timeout' });
  });

  it('ends at once with another model, and names what is served', async () => {
    start();
    await serving();
    server.model = 'llama';
    await stage.clock.advance(2_000);
    expect(await told()).toEqual(['probing-started', 'became-ready', 'model-mismatched']);
    expect((await stage.written('runtime')).at(-1)?.data).toMatchObject({ expected: 'qwen', found: ['llama'] });
  });

  it('never begins with another model, which is told once', async () => {
    server.model = 'llama';
    start();
    await launching();
    await stage.clock.advance(30_000);
    expect(await told()).toEqual(['probing-started', 'model-mismatched']);
  });

  it('ends when the engine hangs although every check is green', async () => {
    start();
    await serving();
    server.metrics = { running: 2, waiting: 1, tokens: 40 };
    server.inference = 'silent';
    await stage.clock.advance(90_000);
    expect((await stage.replica(REPLICA))?.runtime).toMatchObject({ status: 'unready', reason: 'hung' });
  });

  it('is kept by a long request when an inference beside it works', async () => {
    start();
    await serving();
    server.metrics = { running: 1, waiting: 0, tokens: 40 };
    await stage.clock.advance(200_000);
    expect(await told()).toEqual(['probing-started', 'became-ready']);
    expect(inferences).toBeGreaterThan(1);
  });

  it('comes back with the server, after an inference', async () => {
    start();
    await serving();
    server.up = false;
    await stage.clock.advance(4_000);
    server.up = true;
    const before = inferences;
    await stage.clock.advance(1_000);
    expect(await told()).toEqual(['probing-started', 'became-ready', 'became-unready', 'became-ready']);
    expect(inferences).toBe(before + 1);
  });

  it('tells an operator what a start waits for when waiting will not help, once', async () => {
    server.requiredKey = 'canary';
    start();
    await launching();
    await stage.clock.advance(30_000);
    expect(await told()).toEqual(['probing-started', 'became-unready']);
    expect((await stage.replica(REPLICA))?.runtime).toMatchObject({ reason: 'unauthorised' });
    server.requiredKey = undefined;
    await stage.clock.advance(2_000);
    expect((await stage.replica(REPLICA))?.runtime?.status).toBe('ready');
  });

  it('is proven with the worker key that the specification refers to, which no event holds', async () => {
    server.requiredKey = 'canary';
    start('one', { WORKER_KEY: 'canary', VLLM_API_KEY: 'not this one' });
    await launching({ secrets: [{ name: 'VLLM_API_KEY', from: { env: 'WORKER_KEY' } }] });
    await stage.clock.advance(1_000);
    expect(await told()).toEqual(['probing-started', 'became-ready']);
    expect(JSON.stringify(await stage.written('runtime'))).not.toContain('canary');
  });

  it('starts anew at another address', async () => {
    start();
    await serving();
    await stage.given(RESOURCE, observed('up', URL_B));
    await stage.clock.advance(10_000);
    expect(await told()).toEqual(['probing-started', 'became-ready', 'probing-started']);
    expect((await stage.replica(REPLICA))?.runtime).toMatchObject({ status: 'probing', url: URL_B });
  });

  it('outlives a provider that cannot be heard', async () => {
    start();
    await serving();
    await stage.given(RESOURCE, observed('unknown', null));
    const before = probes;
    await stage.clock.advance(10_000);
    expect(probes).toBeGreaterThan(before);
    expect(await told()).toEqual(['probing-started', 'became-ready']);
  });

  it('is taken from the log by the next instance, without another inference', async () => {
    const stop = start();
    await serving();
    await stop();
    const before = inferences;
    start('two');
    await stage.clock.advance(30_000);
    expect(inferences).toBe(before);
    expect(await told()).toEqual(['probing-started', 'became-ready']);
  });

  it('is not looked at any more once the replica is on its way out', async () => {
    start();
    await serving();
    await stage.given(stream.replica(REPLICA), {
      type: 'davit.replica.delete-requested',
      data: { replicaId: REPLICA, reason: 'x' },
    });
    await stage.clock.advance(100);
    const before = probes;
    await stage.clock.advance(60_000);
    expect(probes).toBe(before);
  });

  it('does not come back for a replica that drains', async () => {
    start();
    await serving();
    await draining();
    server.up = false;
    await stage.clock.advance(10_000);
    server.up = true;
    await stage.clock.advance(10_000);
    expect(await told()).toEqual(['probing-started', 'became-ready', 'became-unready']);
  });

  describe('load', () => {
    it('is told on change, at most every fifteen seconds', async () => {
      start();
      await serving();
      await stage.clock.advance(60_000);
      expect(await loads()).toEqual([expect.objectContaining({ running: 0, waiting: 0, kvCacheUsage: null })]);
      for (let second = 0; second < 60; second++) {
        server.metrics = { running: second, waiting: 0, tokens: second };
        await stage.clock.advance(1_000);
      }
      const count = (await loads()).length;
      expect(count).toBeGreaterThanOrEqual(4);
      expect(count).toBeLessThanOrEqual(6);
    });

    it('is read anew once the route is gone, so that an idle drain ends at once', async () => {
      start();
      await serving();
      await stage.clock.advance(20_000);
      await draining();
      await stage.clock.advance(50);
      const replica = await stage.replica(REPLICA);
      expect(replica?.load?.running).toBe(0);
      expect((replica?.load?.at ?? '') > (replica?.route.changedAt ?? '~')).toBe(true);
    });

    it('is followed each second while requests run out, and zero is told when it is seen', async () => {
      start();
      await serving();
      server.metrics = { running: 3, waiting: 0, tokens: 1 };
      await stage.clock.advance(20_000);
      await draining();
      for (const running of [2, 1, 0]) {
        server.metrics = { running, waiting: 0, tokens: 5 - running };
        await stage.clock.advance(2_100);
        expect((await stage.replica(REPLICA))?.load?.running).toBe(running);
      }
    });
  });
});
