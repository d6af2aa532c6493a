import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { sealedKey } from './keys.js';
import { WATCHED_RELEASE } from './profiles.js';
import { CHAT, samplesOf, TestServer } from './test-server.js';

/** What the real server wrote, under load. */
const OBSERVED = readFileSync(
  new URL('../../../fixtures/engine-metrics/v1-0.32.0-observed.prom', import.meta.url),
  'utf8',
);

const watched = (config: Parameters<typeof TestServer.of>[1] = {}): TestServer =>
  TestServer.of('vllm-newest', { version: WATCHED_RELEASE, ...config });

/** Series of the engine with all their labels, but for names of models and settings of the cache. */
const shapesOf = (body: string): ReadonlySet<string> =>
  new Set(
    samplesOf(body)
      .map(([series]) =>
        series.replace(/model_name="[^"]*"/, 'model_name').replace(/^(vllm:cache_config_info).*/, '$1'),
      )
      .filter((series) => series.startsWith('vllm:')),
  );

/** The largest bounds of counts of tokens follow the context length of the model. */
const ofLongContexts = (series: string): boolean => /le="(?:2000|5000)\.0"/.test(series);

describe('the release that was watched at work', () => {
  it('has each series of the real one, with the same labels and bounds, and no other', async () => {
    const server = watched({ devMode: true });
    for (const path of ['/sleep', '/wake_up']) await server.answer('POST', path);
    const [ours, theirs] = [shapesOf((await server.ask('GET', '/metrics')).body), shapesOf(OBSERVED)];
    expect([...theirs].filter((shape) => !ours.has(shape))).toEqual([]);
    expect([...ours].filter((shape) => !theirs.has(shape) && !ofLongContexts(shape))).toEqual([]);
  });

  it('says which names there are, where a request names another', async () => {
    const { status, body } = await watched().ask('POST', '/v1/completions', { model: 'nope', prompt: 'one' });
    expect(status).toBe(404);
    expect(JSON.parse(body)).toEqual({
      error: {
        message: 'The model `nope` does not exist. Valid aliases: m.',
        type: 'NotFoundError',
        param: 'model',
        code: 404,
      },
    });
  });

  it('says what it is after each part that it was told to bring back', async () => {
    const server = watched({ devMode: true });
    const told = async (path: string): Promise<unknown> => JSON.parse((await server.answer('POST', path)).body);
    expect(await told('/sleep?level=2')).toEqual({ status: 'sleeping', level: 2 });
    expect(await told('/wake_up?tags=weights')).toEqual({ status: 'sleeping', tags: ['weights'] });
    expect(await told('/wake_up')).toEqual({ status: 'awake', tags: null });
  });

  it('takes no POST where it answers GET', async () => {
    expect(await watched().ask('POST', '/health')).toEqual({
      status: 405,
      headers: { 'content-type': 'application/json', allow: 'GET' },
      body: '{"detail":"Method Not Allowed"}',
    });
  });

  it('tells no load of its own unless it was started to', async () => {
    const server = watched();
    void server.send('POST', '/v1/chat/completions', CHAT);
    await server.clock.advance(1);
    expect(JSON.parse((await server.answer('GET', '/load')).body)).toEqual({ server_load: 0 });
  });
});

describe('what it counts of HTTP', () => {
  it('leaves out whom it turned away for the key, and has one name for all paths that it does not have', async () => {
    const server = watched({ apiKey: sealedKey('s', 'right') });
    const key = { authorization: 'Bearer right' };
    expect(await server.answer('GET', '/v1/models')).toMatchObject({ status: 401 });
    await server.answer('GET', '/v1/models', '', key);
    await server.answer('GET', '/nothing');
    await server.answer('POST', '/v1/chat/completions', { ...CHAT, model: 'nope' }, key);
    const counted = [...(await server.metrics())].filter(([series]) => series.startsWith('http_requests_total'));
    expect(counted).toEqual([
      ['http_requests_total{handler="/v1/models",method="GET",status="2xx"}', 1],
      ['http_requests_total{handler="none",method="GET",status="4xx"}', 1],
      ['http_requests_total{handler="/v1/chat/completions",method="POST",status="4xx"}', 1],
    ]);
  });
});

describe('metrics in another format', () => {
  const OPEN = { accept: 'application/openmetrics-text' };

  it('are not to be had at the path itself, whatever is asked for', async () => {
    const { headers, body } = await watched().ask('GET', '/metrics', '', OPEN);
    expect(headers['content-type']).toBe('text/plain; version=1.0.0; charset=utf-8');
    expect(body).toContain('\nvllm:num_requests_running{');
  });

  it('are to be had below it, where samples have underscores and families colons', async () => {
    const { headers, body } = await watched().ask('GET', '/metrics/', '', OPEN);
    expect(headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(body).toContain('# TYPE vllm:prompt_tokens counter\nvllm_prompt_tokens_total{');
    expect(body).not.toMatch(/^vllm:/m);
    expect(body).toMatch(/\n# EOF\n$/);
    const plain = await watched().ask('GET', '/metrics');
    const names = (text: string): string[] =>
      samplesOf(text)
        .map(([series]) => series.replace('vllm:', 'vllm_'))
        .sort();
    expect(names(body)).toEqual(names(plain.body));
  });
});
