import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, undiciHttpClient } from '@davit/ports';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { Engine, ProbePhase } from '../engines/engine.js';
import { engineOf } from '../engines/registry.js';
import { type ProbePlan, probe } from './probe.js';

type Reply =
  { readonly status?: number; readonly body?: string; readonly headers?: Record<string, string> } | 'silence';
type Routes = Readonly<Record<string, Reply | ((request: IncomingMessage) => Reply)>>;

const MODELS = JSON.stringify({ object: 'list', data: [{ id: 'qwen' }, { id: 'qwen-lora' }] });
const WORKING: Routes = {
  '/health': {},
  '/v1/models': { body: MODELS },
  '/v1/chat/completions': { body: JSON.stringify({ choices: [{ message: { content: 'p' } }] }) },
};

/** Its health check must not take the five seconds that a busy server is given. */
const hasty = (engine: Engine): Engine => ({
  ...engine,
  health: engine.health && { ...engine.health, minTimeoutMs: 0 },
});

describe('a probe of a model server', () => {
  const http = undiciHttpClient();
  let server: Server | undefined;
  const seen: { path: string; authorization: string | undefined; body: string }[] = [];

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
    seen.length = 0;
  });
  afterAll(() => http.close());

  const answer = (routes: Routes, request: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      seen.push({ path, authorization: request.headers.authorization, body });
      const route = routes[path] ?? { status: 404, body: '{"detail":"Not Found"}' };
      const reply = typeof route === 'function' ? route(request) : route;
      if (reply === 'silence') return;
      response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? '');
    });
  };

  const serve = async (routes: Routes): Promise<string> => {
    const listening = createServer((request, response) => answer(routes, request, response));
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`; // listens on TCP, so it has a port
  };

  type Changes = {
    infer?: boolean;
    apiKey?: string;
    engine?: 'vllm' | 'sglang' | 'tgi' | 'llamacpp' | 'openai';
    phase?: ProbePhase;
    stated?: NonNullable<ProbePlan['stated']>;
  };
  const look = (url: string, changes: Changes = {}) =>
    probe(
      { url, expectedModel: 'qwen', ...(changes.apiKey === undefined ? {} : { apiKey: changes.apiKey }) },
      {
        engine: hasty(engineOf({ engine: changes.engine ?? 'vllm' })),
        phase: changes.phase ?? 'start',
        infer: changes.infer ?? true,
        ...(changes.stated ? { stated: changes.stated } : {}),
      },
      { http, clock: systemClock, nowMs: () => Date.now(), timeouts: { checkMs: 300, inferenceMs: 300 } },
    );

  it('finds it ready when it is alive, lists the model and computes', async () => {
    const result = await look(await serve(WORKING));
    expect(result).toMatchObject({ outcome: 'ready', servedModel: 'qwen' });
    expect(seen.map(({ path }) => path)).toEqual([
      '/health',
      '/v1/models',
      '/version',
      '/is_sleeping',
      '/v1/chat/completions',
    ]);
    expect(JSON.parse(seen.at(-1)?.body ?? '{}')).toMatchObject({ model: 'qwen', max_tokens: 1 });
  });

  it('asks for no inference once that has been proven', async () => {
    const result = await look(await serve(WORKING), { infer: false });
    expect(result).toMatchObject({ outcome: 'ready', inferenceMs: null });
    expect(seen).toHaveLength(2);
  });

  it('finds nobody listening', async () => {
    const url = await serve(WORKING);
    server?.close();
    server?.closeAllConnections();
    expect(await look(url)).toMatchObject({ outcome: 'unready', reason: 'refused' });
  });

  const unready: readonly (readonly [string, Routes, string])[] = [
    ['a health check without an answer', { '/health': 'silence' }, 'timeout'],
    ['a dead engine', { '/health': { status: 503 } }, 'engine-dead'],
    ['a dead engine of an older release', { '/health': { status: 500 } }, 'engine-dead'],
    ['a server that fails with words', { '/health': { status: 500, body: 'oops' } }, 'unhealthy'],
    ['nobody behind a proxy', { '/health': { status: 502, body: '<html>' } }, 'refused'],
    ['a proxy that waited in vain', { '/health': { status: 504 } }, 'timeout'],
    [
      'engines that are rescaled',
      { '/health': { status: 503, body: '{"error":"The model is currently scaling. Please try again later."}' } },
      'warming',
    ],
    [
      'a page in the place of a server',
      { ...WORKING, '/health': { body: '<html>', headers: { 'content-type': 'text/html; charset=utf-8' } } },
      'not-a-model-server',
    ],
    [
      'a dead engine behind a green health check',
      {
        ...WORKING,
        '/v1/chat/completions': { status: 500, body: '{"error":{"message":"EngineCore encountered an issue."}}' },
      },
      'engine-dead',
    ],
    ['a server that says that it sleeps', { ...WORKING, '/is_sleeping': { body: '{"is_sleeping":true}' } }, 'asleep'],
    [
      'another model that answers',
      { ...WORKING, '/v1/chat/completions': { body: '{"model":"llama","choices":[{}]}' } },
      'model-mismatch',
    ],
    [
      'a server that listens while it loads',
      { '/health': { status: 503, body: '{"error":{"message":"Loading model"}}' } },
      'loading',
    ],
    [
      'a placeholder page',
      { '/health': { body: '<html>' }, '/v1/models': { body: '<html>booting</html>' } },
      'not-a-model-server',
    ],
    ['JSON that is no list of models', { ...WORKING, '/v1/models': { body: '{"data":"x"}' } }, 'not-a-model-server'],
    [
      'a redirect, which is not followed',
      { '/health': { status: 302, headers: { location: '/elsewhere' } } },
      'not-a-model-server',
    ],
    ['a rejected key', { ...WORKING, '/v1/models': { status: 401, body: '{"error":"Unauthorized"}' } }, 'unauthorised'],
    [
      'an engine that fails on the request',
      { ...WORKING, '/v1/chat/completions': { status: 500, body: '{}' } },
      'inference-failed',
    ],
    ['an engine that hangs on the request', { ...WORKING, '/v1/chat/completions': 'silence' }, 'inference-failed'],
    [
      'a reply without an answer',
      { ...WORKING, '/v1/chat/completions': { body: '{"choices":[]}' } },
      'inference-failed',
    ],
  ];
  it.each(unready)('tells %s', async (_what, routes, reason) => {
    expect(await look(await serve(routes))).toMatchObject({ outcome: 'unready', reason });
  });

  it('compares the model by its exact name, and says what was found instead', async () => {
    const body = JSON.stringify({ data: [{ id: 'Qwen', root: 'qwen' }, { id: 'qwen-lora' }] });
    expect(await look(await serve({ ...WORKING, '/v1/models': { body } }))).toMatchObject({
      outcome: 'wrong-model',
      expected: 'qwen',
      found: ['Qwen', 'qwen-lora'],
    });
  });

  it('proves a base model by a completion and an embedder by an embedding', async () => {
    const chatless: Routes = {
      ...WORKING,
      '/v1/chat/completions': { status: 400, body: '{"error":"no chat template"}' },
    };
    const base = await look(await serve({ ...chatless, '/v1/completions': { body: '{"choices":[{"text":"p"}]}' } }));
    expect(base.outcome).toBe('ready');
    server?.close();
    const embedder = await look(
      await serve({ ...chatless, '/v1/embeddings': { body: '{"data":[{"embedding":[1]}]}' } }),
    );
    expect(embedder.outcome).toBe('ready');
  });

  it('sends the worker key where the engine wants it, and nowhere else', async () => {
    await look(await serve(WORKING), { apiKey: 'canary' });
    const trusted = seen.filter(({ authorization }) => authorization === 'Bearer canary').map(({ path }) => path);
    expect(trusted).toEqual(['/v1/models', '/v1/chat/completions']);
  });

  it('counts on the list of models alone for a server that only speaks the API', async () => {
    const routes = { ...WORKING, '/health': { status: 404 } };
    expect(await look(await serve(routes), { engine: 'openai' })).toMatchObject({ outcome: 'ready' });
  });

  it('keeps a path that stands before the engine’s own', async () => {
    const url = await serve({ '/proxy/health': {}, '/proxy/v1/models': { body: MODELS } });
    expect(await look(`${url}/proxy/`, { infer: false })).toMatchObject({ outcome: 'ready' });
  });

  it('knows SGLang’s 503 for a warm-up before it was ready, and for an engine that is stuck after', async () => {
    const url = await serve({ ...WORKING, '/health': { status: 503 } });
    expect(await look(url, { engine: 'sglang', phase: 'start' })).toMatchObject({ reason: 'warming' });
    expect(await look(url, { engine: 'sglang', phase: 'steady' })).toMatchObject({ reason: 'unhealthy' });
  });

  it('sends no inference to a server that sleeps: it would stall there', async () => {
    await look(await serve({ ...WORKING, '/is_sleeping': { body: '{"is_sleeping":true}' } }));
    expect(seen.map(({ path }) => path)).not.toContain('/v1/chat/completions');
  });

  it('law-13: shows the worker key to nobody to whom a server redirects, nor tells what else the address holds', async () => {
    const elsewhere: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      elsewhere.push(request.url, request.headers.authorization);
      response.end(MODELS);
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.2', resolve));
    const { port } = other.address() as AddressInfo; // listens on TCP, so it has a port
    const location = `http://127.0.0.2:${port}/v1/models?token=canary-token`;
    try {
      for (const status of [301, 302, 307, 308]) {
        for (const path of ['/v1/models', '/v1/chat/completions']) {
          server?.close();
          const result = await look(await serve({ ...WORKING, [path]: { status, headers: { location } } }), {
            apiKey: 'canary',
          });
          expect(result).toMatchObject({ outcome: 'unready', detail: expect.stringContaining(`127.0.0.2:${port}`) });
          expect(JSON.stringify(result)).not.toContain('canary');
        }
      }
      expect(elsewhere).toEqual([]);
    } finally {
      other.close();
    }
  });

  it('reads no answer without an end', async () => {
    const body = JSON.stringify({ data: [{ id: 'qwen', padding: 'x'.repeat(2 * 1024 * 1024) }] });
    expect(await look(await serve({ ...WORKING, '/v1/models': { body } }))).toMatchObject({
      reason: 'not-a-model-server',
    });
  });

  describe('of what the server tells of itself', () => {
    const cards = (max: number | null): Routes => ({
      ...WORKING,
      '/version': { body: '{"version":"0.27.1"}' },
      '/v1/models': {
        body: JSON.stringify({
          data: [
            { id: 'qwen', parent: null, max_model_len: max },
            { id: 'sql', parent: 'qwen', max_model_len: null },
          ],
        }),
      },
    });
    const stated = (args: string[], adapters?: string[]): NonNullable<ProbePlan['stated']> => ({
      model: { id: 'Qwen/Qwen3-8B', revision: null, servedName: 'qwen', ...(adapters ? { adapters } : {}) },
      runtime: { engine: 'vllm', version: null, image: null, port: 8000, args },
    });

    it('keeps context length, adapters and version as evidence', async () => {
      expect(await look(await serve(cards(8_192)))).toMatchObject({
        ...{ outcome: 'ready', contextLength: 8_192, adapters: ['sql'], engineVersion: '0.27.1' },
      });
    });
    it('finds a shorter context than the arguments state, and takes a longer one', async () => {
      const url = await serve(cards(8_192));
      expect(await look(url, { stated: stated(['--max-model-len', '32768']) })).toMatchObject({
        ...{ outcome: 'unready', reason: 'model-mismatch', detail: expect.stringMatching(/8192 .* 32768/) },
      });
      expect(await look(url, { stated: stated(['--max-model-len=4096']) })).toMatchObject({ outcome: 'ready' });
    });
    it('finds nothing against a server that does not tell its context', async () => {
      const result = await look(await serve(cards(null)), { stated: stated(['--max-model-len', '32768']) });
      expect(result).toMatchObject({ outcome: 'ready' });
      expect(result).not.toHaveProperty('contextLength');
    });
    it('finds an adapter missing that the specification names', async () => {
      const url = await serve(cards(8_192));
      expect(await look(url, { stated: stated([], ['sql']) })).toMatchObject({ outcome: 'ready' });
      expect(await look(url, { stated: stated([], ['sql', 'law']) })).toMatchObject({
        ...{ outcome: 'unready', reason: 'model-mismatch', detail: expect.stringContaining('law') },
      });
    });
  });

  it('tells what each source said, also where they contradict each other', async () => {
    const result = await look(await serve({ ...WORKING, '/v1/chat/completions': 'silence' }));
    expect(result.signals).toMatchObject([
      { source: 'health', said: expect.stringMatching(/^\/health answered 200 in \d+ ms$/) },
      { source: 'models', said: expect.stringMatching(/answered 200/) },
      { source: 'inference', said: expect.stringMatching(/no answer in 300 ms/) },
    ]);
  });
});
