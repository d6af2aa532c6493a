import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, undiciHttpClient } from '@davit/ports';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { engineOf } from '../engines/registry.js';
import { probe } from './probe.js';

type Reply =
  { readonly status?: number; readonly body?: string; readonly headers?: Record<string, string> } | 'silence';
type Routes = Readonly<Record<string, Reply | ((request: IncomingMessage) => Reply)>>;

const MODELS = JSON.stringify({ object: 'list', data: [{ id: 'qwen' }, { id: 'qwen-lora' }] });
const WORKING: Routes = {
  '/health': {},
  '/v1/models': { body: MODELS },
  '/v1/chat/completions': { body: JSON.stringify({ choices: [{ message: { content: 'p' } }] }) },
};

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

  const look = (url: string, changes: { infer?: boolean; apiKey?: string; engine?: 'vllm' | 'openai' } = {}) =>
    probe(
      engineOf({ engine: changes.engine ?? 'vllm' }),
      { url, expectedModel: 'qwen', ...(changes.apiKey === undefined ? {} : { apiKey: changes.apiKey }) },
      changes.infer ?? true,
      { http, clock: systemClock, timeouts: { checkMs: 300, inferenceMs: 300 } },
    );

  it('finds it ready when it is alive, lists the model and computes', async () => {
    const result = await look(await serve(WORKING));
    expect(result).toMatchObject({ outcome: 'ready', servedModel: 'qwen' });
    expect(seen.map(({ path }) => path)).toEqual(['/health', '/v1/models', '/v1/chat/completions']);
    expect(JSON.parse(seen[2]?.body ?? '{}')).toMatchObject({ model: 'qwen', max_tokens: 1 });
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
    ['a dead engine', { '/health': { status: 503 } }, 'unhealthy'],
    ['a dead engine of an older release', { '/health': { status: 500 } }, 'unhealthy'],
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
    expect(await look(await serve({ ...WORKING, '/v1/models': { body } }))).toEqual({
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
    expect(seen.map(({ authorization }) => authorization)).toEqual([undefined, 'Bearer canary', 'Bearer canary']);
  });

  it('counts on the list of models alone for a server that only speaks the API', async () => {
    const routes = { ...WORKING, '/health': { status: 404 } };
    expect(await look(await serve(routes), { engine: 'openai' })).toMatchObject({ outcome: 'ready' });
  });

  it('keeps a path that stands before the engine’s own', async () => {
    const url = await serve({ '/proxy/health': {}, '/proxy/v1/models': { body: MODELS } });
    expect(await look(`${url}/proxy/`, { infer: false })).toMatchObject({ outcome: 'ready' });
  });
});
