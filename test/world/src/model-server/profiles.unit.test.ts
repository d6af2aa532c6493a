import { describe, expect, it } from '@jest/globals';
import { sealedKey } from './keys.js';
import { isAtLeast, PROFILE_VERSIONS, PROFILES, vllmProfile } from './profiles.js';
import { CHAT, TestServer } from './test-server.js';

const KEY = { apiKey: sealedKey('s', 'right') };
const RIGHT = { authorization: 'Bearer right' };

describe('versions', () => {
  it.each([
    ['0.10.1', '0.10.1', true],
    ['0.9.2', '0.10.0', false],
    ['1.0.0', '0.27.1', true],
    ['b6700', 'b10519', false],
  ])('%s is at least %s: %s', (version, least, expected) => {
    expect(isAtLeast(version, least)).toBe(expected);
  });

  it.each([
    ['0.6.6', 'vllm-v0'],
    ['0.9.2', 'vllm-transition'],
    ['0.10.2', 'vllm-transition'],
    ['0.11.0', 'vllm-newest'],
    ['0.27.1', 'vllm-newest'],
  ])('vLLM %s is %s', (version, profile) => {
    expect(vllmProfile(version)).toBe(profile);
  });

  it('of each profile of vLLM tell that profile', () => {
    for (const profile of ['vllm-v0', 'vllm-transition', 'vllm-newest'] as const)
      expect(vllmProfile(PROFILE_VERSIONS[profile])).toBe(profile);
    expect(vllmProfile(PROFILE_VERSIONS['vllm-rust'], true)).toBe('vllm-rust');
  });
});

describe('which paths ask for the key, and what they say without it', () => {
  const OPENAI_ERROR = 'Incorrect API key provided.';
  it.each([
    ['vllm-newest', '/v1/models', '{"error":"Unauthorized"}'],
    ['vllm-newest', '/v1beta', '{"error":"Unauthorized"}'],
    ['vllm-rust', '/v2/anything', '{"error":"Unauthorized"}'],
    ['sglang', '/v1/models', '{"error":"Unauthorized"}'],
    ['sglang', '/model_info', '{"error":"Unauthorized"}'],
    ['llamacpp', '/metrics', '{"error":{"message":"Invalid API Key","type":"authentication_error","code":401}}'],
    [
      'openai',
      '/v1/models',
      `{"error":{"message":"${OPENAI_ERROR}","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`,
    ],
  ] as const)('%s guards GET %s', async (profile, path, body) => {
    const server = TestServer.of(profile, KEY);
    expect(await server.answer('GET', path)).toEqual({ status: 401, body });
    expect(await server.answer('GET', path, '', { authorization: 'Bearer wrong' })).toMatchObject({ status: 401 });
    expect((await server.answer('GET', path, '', RIGHT)).status).not.toBe(401);
    expect(server.keysShown).toEqual(['foreign', 'own']);
  });

  it.each(PROFILES)('%s guards inference', async (profile) => {
    const server = TestServer.of(profile, KEY);
    expect(await server.answer('POST', '/v1/chat/completions', CHAT)).toMatchObject({ status: 401 });
    expect(await server.answer('POST', '/v1/chat/completions', CHAT, RIGHT)).toMatchObject({ status: 200 });
  });

  it.each([
    ['vllm-v0', ['/health', '/metrics', '/version', '/v2']],
    ['vllm-newest', ['/health', '/ping', '/metrics', '/version', '/load']],
    ['sglang', ['/health', '/health_generate', '/metrics']],
    ['tgi', ['/health', '/ping', '/info', '/metrics', '/v1/models', '/']],
    ['llamacpp', ['/health', '/v1/health', '/models', '/v1/models', '/']],
  ] as const)('%s leaves %j open', async (profile, paths) => {
    const server = TestServer.of(profile, KEY);
    for (const path of paths) expect([path, (await server.answer('GET', path)).status === 401]).toEqual([path, false]);
  });

  it('takes the word before a key in any case only in new releases, and another header only in llama.cpp', async () => {
    const lower = { authorization: 'bearer right' };
    const status = async (server: TestServer, path: string, headers: object): Promise<number> =>
      (await server.answer('GET', path, '', headers)).status;
    expect(await status(TestServer.of('vllm-newest', { ...KEY, version: '0.27.1' }), '/v1/models', lower)).toBe(200);
    expect(await status(TestServer.of('vllm-v0', KEY), '/v1/models', lower)).toBe(401);
    expect(await status(TestServer.of('llamacpp', KEY), '/metrics', { 'x-api-key': 'right' })).toBe(200);
    expect(await status(TestServer.of('sglang', KEY), '/v1/models', { 'x-api-key': 'right' })).toBe(401);
  });

  it('leaves the tokenizer of vLLM to everybody', async () => {
    const server = TestServer.of('vllm-newest', KEY);
    expect(JSON.parse((await server.answer('POST', '/tokenize', { prompt: 'one two' })).body)).toMatchObject({
      count: 2,
    });
  });
});

describe('while the model is loading', () => {
  it('SGLang is unhealthy in its warm-up and lists its models all the same', async () => {
    const server = TestServer.of('sglang', { loadMs: 5_000 });
    expect(await server.answer('GET', '/health')).toEqual({ status: 503, body: '' });
    expect(await server.answer('GET', '/v1/models')).toMatchObject({ status: 200 });
    await server.clock.advance(5_000);
    expect(await server.answer('GET', '/health')).toEqual({ status: 200, body: '' });
  });

  it('llama.cpp says so on every path, and in older builds lists its models', async () => {
    const body = '{"error":{"message":"Loading model","type":"unavailable_error","code":503}}';
    const server = TestServer.of('llamacpp', { loadMs: 5_000 });
    for (const path of ['/health', '/v1/models', '/metrics'])
      expect(await server.answer('GET', path)).toEqual({ status: 503, body });
    const older = TestServer.of('llamacpp', { version: 'b6700', loadMs: 5_000 });
    expect(await older.answer('GET', '/v1/models')).toMatchObject({ status: 200 });
    await server.clock.advance(5_000);
    expect(await server.answer('GET', '/health')).toEqual({ status: 200, body: '{"status":"ok"}' });
  });
});

describe('the list of models', () => {
  const first = async (server: TestServer): Promise<unknown> =>
    (JSON.parse((await server.answer('GET', '/v1/models')).body) as { data: readonly unknown[] }).data[0];

  it('of vLLM says what it serves, of which weights and with how much context, with a permission that is ever new', async () => {
    const server = TestServer.of('vllm-newest');
    const card = await first(server);
    expect(card).toEqual({
      ...{ id: 'm', object: 'model', created: expect.any(Number), owned_by: 'vllm', root: 'org/m', parent: null },
      max_model_len: 8192,
      permission: [expect.objectContaining({ object: 'model_permission', organization: '*', is_blocking: false })],
    });
    expect(await first(server)).not.toEqual(card);
  });

  it('of the Rust front end has another owner and no permission', async () => {
    const card = await first(TestServer.of('vllm-rust'));
    expect(card).toMatchObject({ owned_by: 'vllm-frontend-rs', max_model_len: 8192 });
    expect(card).not.toHaveProperty('permission');
  });

  it.each([
    ['sglang', { id: 'm', owned_by: 'sglang', root: 'm', max_model_len: 8192 }],
    ['tgi', { id: 'm', owned_by: 'm', created: 0 }],
    ['llamacpp', { id: 'm', owned_by: 'llamacpp' }],
    ['openai', { id: 'm', owned_by: 'system' }],
  ] as const)('of %s is %j', async (profile, card) => {
    expect(await first(TestServer.of(profile))).toMatchObject(card);
  });

  it('names adapters with their base and without a context', async () => {
    const server = TestServer.of('vllm-newest', { adapters: [{ name: 'sql', path: '/adapters/sql' }] });
    const { data } = JSON.parse((await server.answer('GET', '/v1/models')).body) as { data: readonly unknown[] };
    expect(data[1]).toMatchObject({ id: 'sql', parent: 'm', root: '/adapters/sql', max_model_len: null });
  });
});

describe('errors', () => {
  const wrong = { ...CHAT, model: 'other' };
  const message = 'The model `other` does not exist.';

  it.each([
    ['0.10.1', { error: { message, type: 'NotFoundError', param: null, code: 404 } }],
    ['0.10.0', { object: 'error', message, type: 'NotFoundError', param: null, code: 404 }],
  ])('of vLLM %s look like %j', async (version, error) => {
    const server = TestServer.of('vllm-newest', { version });
    const answer = await server.answer('POST', '/v1/chat/completions', wrong);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([404, error]);
  });

  it.each(['sglang', 'tgi', 'llamacpp'] as const)('%s answers whatever model it is asked for', async (profile) => {
    expect(await TestServer.of(profile).answer('POST', '/v1/chat/completions', wrong)).toMatchObject({ status: 200 });
  });

  it.each([
    ['sglang', 400, { object: 'error', code: 400 }],
    ['tgi', 422, { error_type: 'validation' }],
    ['llamacpp', 400, { error: { code: 400, type: 'invalid_request_error' } }],
    ['openai', 400, { error: { type: 'invalid_request_error' } }],
  ] as const)('of %s to a bad field are %i %j', async (profile, status, error) => {
    const answer = await TestServer.of(profile).answer('POST', '/v1/chat/completions', { ...CHAT, max_tokens: 0 });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject(error);
  });
});

describe('what else there is to ask', () => {
  it.each([
    ['vllm-newest', '/version', { version: '0.27.1' }],
    ['vllm-newest', '/load', { server_load: 0 }],
    ['sglang', '/get_model_info', { model_path: 'org/m', is_generation: true }],
    ['sglang', '/v1/loads', { total_running_reqs: 0, total_waiting_reqs: 0 }],
    ['tgi', '/info', { model_id: 'org/m', version: '3.3.5', max_total_tokens: 8192 }],
  ] as const)('%s answers GET %s with %j', async (profile, path, body) => {
    expect(JSON.parse((await TestServer.of(profile).answer('GET', path)).body)).toMatchObject(body);
  });

  it.each([
    ['vllm-v0', '/load'],
    ['vllm-newest', '/is_sleeping'],
    ['openai', '/health'],
    ['openai', '/metrics'],
    ['tgi', '/version'],
  ] as const)('%s does not know GET %s', async (profile, path) => {
    expect(await TestServer.of(profile).answer('GET', path)).toMatchObject({ status: 404 });
  });

  it('SGLang takes a second for its health, since it generates a token', async () => {
    const server = TestServer.of('sglang');
    const beforeMs = server.clock.nowMs();
    await server.answer('GET', '/health');
    expect(server.clock.nowMs() - beforeMs).toBe(1_000);
  });

  it.each([
    ['sglang', 404],
    ['llamacpp', 501],
  ] as const)('%s has metrics only when its command asked for them', async (profile, status) => {
    expect(await TestServer.of(profile, { metrics: false }).answer('GET', '/metrics')).toMatchObject({ status });
  });
});

describe('sleep in the development mode of vLLM', () => {
  it('puts the engine to sleep, says so, and wakes it when every part is back', async () => {
    const server = TestServer.of('vllm-newest', { devMode: true });
    const sleeps = async (): Promise<unknown> => JSON.parse((await server.answer('GET', '/is_sleeping')).body);
    const state = async (name: string): Promise<number | undefined> =>
      (await server.metrics()).get(`vllm:engine_sleep_state{engine="0",model_name="m",sleep_state="${name}"}`);
    expect(await sleeps()).toEqual({ is_sleeping: false });
    expect(await server.answer('POST', '/sleep?level=2')).toEqual({ status: 200, body: '' });
    expect([await sleeps(), await state('discard_all'), await state('awake')]).toEqual([{ is_sleeping: true }, 1, 0]);
    expect(await server.isSilent('POST', '/v1/chat/completions', CHAT, 60_000)).toBe(true);
    await server.answer('POST', '/wake_up?tags=weights');
    expect(await sleeps()).toEqual({ is_sleeping: true });
    await server.answer('POST', '/wake_up?tags=kv_cache');
    expect([await sleeps(), await state('awake')]).toEqual([{ is_sleeping: false }, 1]);
    expect(await server.answer('POST', '/v1/chat/completions', CHAT)).toMatchObject({ status: 200 });
  });
});
