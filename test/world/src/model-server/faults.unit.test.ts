import { describe, expect, it } from '@jest/globals';
import { sealedKey } from './keys.js';
import { PROFILES } from './profiles.js';
import { CHAT, TestServer } from './test-server.js';

const named = (family: string): string => `vllm:${family}{engine="0",model_name="m"}`;
const idsOf = async (server: TestServer): Promise<readonly string[]> => {
  const { body } = await server.answer('GET', '/v1/models');
  return (JSON.parse(body) as { data: readonly { id: string }[] }).data.map(({ id }) => id);
};

describe('an engine that hangs', () => {
  it.each(['vllm-v0', 'vllm-transition', 'vllm-newest', 'vllm-rust', 'tgi', 'llamacpp'] as const)(
    'leaves %s healthy and answers nothing',
    async (profile) => {
      const server = TestServer.of(profile);
      server.setFaults({ kind: 'hang' });
      expect(await server.isSilent('POST', '/v1/chat/completions', CHAT, 600_000)).toBe(true);
      expect(await server.answer('GET', '/health')).toMatchObject({ status: 200 });
    },
  );

  it('shows in the health of SGLang, once its patience of 20 s is over', async () => {
    const server = TestServer.of('sglang');
    server.setFaults({ kind: 'hang' });
    expect(await server.isSilent('GET', '/health', '', 19_900)).toBe(true);
    expect(await server.ask('GET', '/health', '', {}, 21_000)).toMatchObject({ status: 503 });
  });

  it('lets work pile up with every counter where it was, and goes on with it when it recovers', async () => {
    const server = TestServer.of('vllm-newest');
    await server.answer('POST', '/v1/chat/completions', CHAT);
    server.believe({ running: 1, tokensPerSecond: 100 });
    await server.clock.advance(1_000);
    const before = await server.metrics();
    server.setFaults({ kind: 'hang' });
    let answered = 0;
    for (let sent = 0; sent < 5; sent += 1)
      void server.send('POST', '/v1/chat/completions', CHAT).then(() => (answered += 1));
    await server.clock.advance(60_000);
    const after = await server.metrics();
    expect(after.get(named('num_requests_running'))).toBe(3);
    expect(after.get(named('num_requests_waiting'))).toBe(3);
    const counters = [...before].filter(([series]) => /^vllm:.*(_total|_count|_sum)\{/.test(series));
    expect(counters.map(([series]) => [series, after.get(series)])).toEqual(counters);
    expect(answered).toBe(0);
    server.setFaults();
    await server.clock.advance(1_000);
    expect(answered).toBe(5);
  });
});

describe('a dead engine', () => {
  it.each([
    ['0.3.3', 200],
    ['0.6.6', 500],
    ['0.10.2', 500],
    ['0.11.0', 503],
  ])(
    'of vLLM %s makes health %i, while models and metrics stay 200 and nothing is generated',
    async (version, status) => {
      const server = TestServer.of('vllm-newest', { version });
      server.setFaults({ kind: 'dead-engine' });
      expect(await server.answer('GET', '/health')).toEqual({ status, body: '' });
      expect(await server.answer('GET', '/v1/models')).toMatchObject({ status: 200 });
      expect(await server.answer('GET', '/metrics')).toMatchObject({ status: 200 });
      expect(await server.answer('POST', '/v1/chat/completions', CHAT)).toMatchObject({ status: 500 });
      await server.clock.advance(5_000);
      expect(server.exits).toBe(status === 200 ? 0 : 1);
    },
  );

  it('shows any status it is told to, for as long as it is told to', async () => {
    const server = TestServer.of('vllm-newest');
    server.setFaults({ kind: 'dead-engine', status: 200, ms: 60_000 });
    expect(await server.answer('GET', '/health')).toMatchObject({ status: 200 });
    await server.clock.advance(59_000);
    expect(server.exits).toBe(0);
    await server.clock.advance(2_000);
    expect(server.exits).toBe(1);
  });

  it('is unhealthy in TGI and SGLang, and the end of llama.cpp at once', async () => {
    const tgi = TestServer.of('tgi');
    tgi.setFaults({ kind: 'dead-engine' });
    expect(await tgi.answer('GET', '/health')).toEqual({
      status: 503,
      body: '{"error":"unhealthy","error_type":"healthcheck"}',
    });
    const sgLang = TestServer.of('sglang');
    sgLang.setFaults({ kind: 'dead-engine' });
    expect(await sgLang.answer('GET', '/health')).toMatchObject({ status: 503 });
    const llamaCpp = TestServer.of('llamacpp');
    llamaCpp.setFaults({ kind: 'dead-engine' });
    await llamaCpp.clock.advance(0);
    expect(llamaCpp.exits).toBe(1);
  });
});

describe('names and keys', () => {
  it('serves a second name of the same weights, and answers to both', async () => {
    const server = TestServer.of('vllm-newest');
    server.setFaults({ kind: 'second-name', name: 'also' });
    expect(await idsOf(server)).toEqual(['m', 'also']);
    expect(await server.answer('POST', '/v1/chat/completions', { ...CHAT, model: 'also' })).toMatchObject({
      status: 200,
    });
  });

  it('serves adapters, and tells in its metrics which were running when', async () => {
    const server = TestServer.of('vllm-newest');
    server.setFaults({ kind: 'lora', adapters: ['sql', 'chat'] });
    expect(await idsOf(server)).toEqual(['m', 'sql', 'chat']);
    await server.answer('POST', '/v1/chat/completions', { ...CHAT, model: 'sql' });
    const rows = [...(await server.metrics())].filter(([series]) => series.startsWith('vllm:lora_requests_info'));
    const row = (running: string): string =>
      `vllm:lora_requests_info{max_lora="2",running_lora_adapters="${running}",waiting_lora_adapters=""}`;
    expect(rows.map(([series]) => series)).toEqual([row(''), row('sql')]);
    expect(Math.max(...rows.map(([, seconds]) => seconds))).toBe(rows[0]?.[1]);
  });

  it('asks for a key from one moment to the next', async () => {
    const server = TestServer.of('vllm-newest');
    server.setFaults({ kind: 'key-required', key: 'new-key' });
    expect(await server.answer('GET', '/v1/models')).toMatchObject({ status: 401 });
    const headers = { authorization: 'Bearer new-key' };
    expect(await server.answer('GET', '/v1/models', '', headers)).toMatchObject({ status: 200 });
  });

  it('rejects the key it was started with, while health says nothing of it', async () => {
    const server = TestServer.of('vllm-newest', { apiKey: sealedKey('s', 'right') });
    const headers = { authorization: 'Bearer right' };
    server.setFaults({ kind: 'key-rejected' });
    expect(await server.answer('GET', '/v1/models', '', headers)).toMatchObject({ status: 401 });
    server.setFaults({ kind: 'key-rejected', status: 403 });
    expect(await server.answer('GET', '/v1/models', '', headers)).toMatchObject({ status: 403 });
    expect(await server.answer('GET', '/health')).toMatchObject({ status: 200 });
  });
});

describe('an engine asleep', () => {
  it.each([
    [1, 'weights_offloaded'],
    [2, 'discard_all'],
  ] as const)('at level %i is healthy, listed, and %s', async (level, state) => {
    const server = TestServer.of('vllm-newest');
    server.setFaults({ kind: 'sleeping', level });
    expect(await server.answer('GET', '/health')).toMatchObject({ status: 200 });
    expect(await idsOf(server)).toEqual(['m']);
    expect(await server.answer('GET', '/is_sleeping')).toMatchObject({ status: 404 });
    const metrics = await server.metrics();
    const flags = ['awake', 'weights_offloaded', 'discard_all'].map((name) => [
      name,
      metrics.get(`vllm:engine_sleep_state{engine="0",model_name="m",sleep_state="${name}"}`),
    ]);
    expect(Object.fromEntries(flags)).toEqual({ awake: 0, weights_offloaded: 0, discard_all: 0, [state]: 1 });
    expect(await server.isSilent('POST', '/v1/chat/completions', CHAT, 60_000)).toBe(true);
  });

  it('falls over in an older release when it is asked', async () => {
    const server = TestServer.of('vllm-transition', { devMode: true });
    await server.answer('POST', '/sleep');
    expect(await server.answer('POST', '/v1/chat/completions', CHAT)).toMatchObject({ status: 500 });
    expect(await server.answer('GET', '/health')).toMatchObject({ status: 500 });
    await server.clock.advance(5_000);
    expect(server.exits).toBe(1);
  });
});

describe('metrics', () => {
  it('without statistics hold no family of the engine', async () => {
    for (const profile of ['vllm-v0', 'vllm-newest'] as const) {
      const server = TestServer.of(profile);
      server.setFaults({ kind: 'stats-off' });
      const series = [...(await server.metrics()).keys()];
      expect(series.filter((name) => name.startsWith('vllm:'))).toEqual([]);
      expect(series).toContain('process_start_time_seconds');
    }
    const rust = TestServer.of('vllm-rust');
    rust.setFaults({ kind: 'stats-off' });
    expect((await rust.answer('GET', '/metrics')).body).toBe('# EOF\n');
  });

  it('may end in the middle of a sample', async () => {
    const server = TestServer.of('vllm-newest');
    const whole = (await server.answer('GET', '/metrics')).body;
    server.setFaults({ kind: 'metrics-cut' });
    const { body } = await server.answer('GET', '/metrics');
    expect(whole.startsWith(body)).toBe(true);
    expect(body).not.toMatch(/\n$/);
    expect(body.split('\n').at(-1)).toMatch(/^vllm:/);
  });

  it('may hold no number where a gauge should be', async () => {
    const server = TestServer.of('vllm-newest');
    server.setFaults({ kind: 'metrics-nan' });
    const metrics = await server.metrics();
    for (const name of ['num_requests_running', 'num_requests_waiting', 'kv_cache_usage_perc'])
      expect([name, metrics.get(named(name))]).toEqual([name, Number.NaN]);
    expect(metrics.get(named('generation_tokens_total'))).toBe(0);
  });

  it('may be 22 MB long, because of one label, ahead of the useful lines', async () => {
    const server = TestServer.of('vllm-newest');
    server.setFaults({ kind: 'metrics-huge' });
    const { body } = await server.answer('GET', '/metrics');
    expect(body.length).toBeGreaterThan(22 * 1024 * 1024);
    expect(body.slice(0, 44)).toBe('vllm:cache_config_info{engine="0",x="aaaaaaa');
    expect(body.slice(22 * 1024 * 1024)).toContain(`${named('num_requests_running')} 0.0\n`);
  });

  it('keep the gauges of the last step when those who asked have gone', async () => {
    const server = TestServer.of('vllm-newest');
    server.setFaults({ kind: 'gauges-frozen' });
    const client = new AbortController();
    for (let sent = 0; sent < 2; sent += 1) void server.send('POST', '/v1/chat/completions', CHAT, {}, client.signal);
    await server.clock.advance(9);
    client.abort();
    await server.clock.advance(60_000);
    const frozen = await server.metrics();
    expect(frozen.get(named('num_requests_running'))).toBe(2);
    expect(frozen.get(named('kv_cache_usage_perc'))).toBe(1);
    server.setFaults();
    expect((await server.metrics()).get(named('num_requests_running'))).toBe(0);
  });
});

describe('answers on the way to the server', () => {
  it.each([
    ['/metrics', '/metrics/'],
    ['/health', 'https://elsewhere.example/health'],
  ])('GET %s is sent to %s, and nothing else is', async (path, to) => {
    const server = TestServer.of('vllm-newest');
    server.setFaults({ kind: 'redirect', path, to });
    expect(await server.ask('GET', path)).toMatchObject({ status: 307, headers: { location: to }, body: '' });
    expect(await server.answer('GET', '/version')).toMatchObject({ status: 200 });
  });

  it('finds the same metrics below the path they are sent to', async () => {
    const server = TestServer.of('vllm-newest');
    server.setFaults({ kind: 'redirect', path: '/metrics', to: '/metrics/' });
    expect((await server.answer('GET', '/metrics/')).body).toContain(named('num_requests_running'));
  });

  it.each(PROFILES)('%s shows a page of HTML, or that it is scaling, on every path', async (profile) => {
    const server = TestServer.of(profile);
    for (const path of ['/health', '/v1/models', '/metrics']) {
      server.setFaults({ kind: 'placeholder' });
      expect(await server.ask('GET', path)).toMatchObject({ status: 200, headers: { 'content-type': 'text/html' } });
      server.setFaults({ kind: 'scaling' });
      expect(await server.ask('GET', path)).toMatchObject({
        status: 503,
        body: '{"error":"The model is currently scaling. Please try again later."}',
      });
    }
  });
});

describe('slowness', () => {
  it.each(['vllm-newest', 'tgi', 'llamacpp'] as const)('%s takes 6 s for its health when told to', async (profile) => {
    const server = TestServer.of(profile);
    server.setFaults({ kind: 'slow-health', ms: 6_000 });
    expect(await server.isSilent('GET', '/health', '', 5_900)).toBe(true);
    expect(await server.ask('GET', '/health', '', {}, 6_100)).toMatchObject({ status: 200 });
    expect(await server.answer('GET', '/version')).toBeDefined();
  });

  it('takes as long for inference as it is told to, and tells so in its metrics', async () => {
    const server = TestServer.of('vllm-newest');
    server.setFaults({ kind: 'slow-inference', firstTokenMs: 3_000, tokenMs: 100 });
    expect(await server.isSilent('POST', '/v1/chat/completions', CHAT, 3_900)).toBe(true);
    await server.clock.advance(200);
    const metrics = await server.metrics();
    expect(metrics.get(named('time_to_first_token_seconds_sum'))).toBe(3);
    expect(metrics.get(named('inter_token_latency_seconds_sum'))).toBeCloseTo(1, 9);
    server.setFaults({ kind: 'none' });
    expect(await server.isSilent('POST', '/v1/chat/completions', CHAT, 100)).toBe(false);
  });
});

describe('several faults at once', () => {
  it('all hold, and are replaced as one', async () => {
    const server = TestServer.of('vllm-newest');
    server.setFaults({ kind: 'second-name', name: 'also' }, { kind: 'key-required', key: 'k1' });
    expect(await server.answer('GET', '/v1/models')).toMatchObject({ status: 401 });
    const { body } = await server.answer('GET', '/v1/models', '', { authorization: 'Bearer k1' });
    expect(body).toContain('"also"');
    server.setFaults({ kind: 'none' });
    expect(await idsOf(server)).toEqual(['m']);
  });
});
