import { randomHex } from '../../clock.js';
import { bearerOf, empty, json, objectBody, type WireReply, type WireRequest } from '../../http/wire.js';
import { completion, flatFailure, nestedFailure, type CompletionRules } from '../completions.js';
import { type ModelServerConfig } from '../config.js';
import { metricsReply } from '../metrics/reply.js';
import { vllmMetrics } from '../metrics/vllm.js';
import { isAtLeast, WATCHED_RELEASE } from '../profiles.js';
import { type ServerState } from '../state.js';
import { type Runtime } from './runtime.js';
import { vllmDevMode } from './vllm-dev-mode.js';

const CRASH_EXIT_MS = 5_000;

/** vLLM of every release. Until the model is loaded its port is closed. */
export const vllm: Runtime = {
  listensFrom: 1,
  deadStatus: ({ version }) => {
    if (isAtLeast(version, '0.11.0')) return 503;
    return isAtLeast(version, '0.4.3') ? 500 : 200;
  },
  guards: (path, config) => guardedPrefixes(config).some((prefix) => path.startsWith(prefix)),
  keyOf: (request, { version }) =>
    // Older releases compared the header as a whole with `Bearer <key>`.
    isAtLeast(version, '0.21.0')
      ? /^bearer (.+)$/i.exec(request.headers['authorization'] ?? '')?.[1]
      : bearerOf(request),
  unauthorized: (status) => json(status, { error: 'Unauthorized' }),
  route,
};

const guardedPrefixes = ({ version }: ModelServerConfig): readonly string[] =>
  isAtLeast(version, '0.21.0') ? ['/v1', '/v2', '/inference', '/cohere'] : ['/v1'];

/** The release that was watched; which of those before it began to do alike is not known. */
const isLikeWatched = ({ version }: ModelServerConfig): boolean => isAtLeast(version, WATCHED_RELEASE);

function rulesOf(config: ModelServerConfig): CompletionRules {
  const failure = isAtLeast(config.version, '0.10.1') ? nestedFailure : flatFailure;
  if (!isLikeWatched(config))
    return { failure: (status, type, message) => failure(status, type, message), checksModel: true };
  const unknownModel = (model: string, served: readonly string[]): string =>
    `The model \`${model}\` does not exist. Valid aliases: ${served.join(', ')}.`;
  return { failure, checksModel: true, unknownModel };
}

async function route(request: WireRequest, state: ServerState): Promise<WireReply> {
  const { config } = state;
  const path = request.url.pathname;
  const since = (version: string, answer: () => WireReply | Promise<WireReply>): WireReply | Promise<WireReply> =>
    isAtLeast(config.version, version) ? answer() : notFound();
  switch (`${request.method} ${path}`) {
    case 'GET /health':
      return health(request, state);
    case 'GET /ping':
    case 'POST /ping':
      return since('0.6.6', () => health(request, state));
    case 'GET /version':
      return json(200, { version: config.version });
    case 'GET /load':
      // It counts with `--enable-server-load-tracking` only.
      return since('0.8.0', () => json(200, { server_load: 0 }));
    case 'GET /v1/models':
      return json(200, models(state));
    case 'POST /v1/chat/completions':
    case 'POST /v1/completions':
      return complete(request, state);
    case 'POST /tokenize':
      return tokenize(request, config);
    default:
      // A second handler answers everything below.
      if (request.method === 'GET' && (path === '/metrics' || path.startsWith('/metrics/')))
        return metrics(state, path !== '/metrics' && wantsOpenMetrics(request));
      if (GET_ONLY.has(path)) return json(405, { detail: 'Method Not Allowed' }, { allow: 'GET' });
      return (config.devMode && vllmDevMode(request, state)) || notFound();
  }
}

const GET_ONLY = new Set(['/health', '/version', '/v1/models']);

/** The handler below `/metrics` negotiates, where the path itself does not. */
const wantsOpenMetrics = ({ headers }: WireRequest): boolean =>
  /application\/openmetrics-text/.test(headers['accept'] ?? '');

const notFound = (): WireReply => json(404, { detail: 'Not Found' });

/** Tests a flag that a dying engine sets: one that hangs or sleeps is as healthy as ever. */
async function health(request: WireRequest, state: ServerState): Promise<WireReply> {
  await state.healthTakes(request);
  if (!state.dead) return empty(200);
  return empty(state.faults.get('dead-engine')?.status ?? vllm.deadStatus(state.config) ?? 503);
}

function metrics(state: ServerState, openMetrics: boolean): WireReply {
  const { body, contentType } = vllmMetrics(state, { openMetrics });
  return metricsReply(state.faults, body, contentType, 'vllm:');
}

function complete(request: WireRequest, state: ServerState): Promise<WireReply> | WireReply {
  if (state.sleepLevel === 0 || state.dead) return completion(request, state, rulesOf(state.config));
  // Asked while asleep, newer releases stall and older ones fall over.
  if (isAtLeast(state.config.version, '0.11.0')) return { kind: 'hang' };
  state.crash(CRASH_EXIT_MS);
  return completion(request, state, rulesOf(state.config));
}

function models(state: ServerState): object {
  const { profile, servedModelNames, adapters, root, version, maxModelLen } = state.config;
  const created = Math.floor(state.clock.nowMs() / 1000);
  const isRust = profile === 'vllm-rust';
  const card = (id: string, path: string, parent: string | null): object => ({
    ...{ id, object: 'model', created, owned_by: isRust ? 'vllm-frontend-rs' : 'vllm', root: path, parent },
    ...(isAtLeast(version, '0.5.0') ? { max_model_len: parent === null ? maxModelLen : null } : {}),
    ...(isRust
      ? {}
      : {
          permission: [
            permission(`modelperm-${randomHex(state.random, isLikeWatched(state.config) ? 16 : 32)}`, created),
          ],
        }),
  });
  return {
    object: 'list',
    data: [
      ...servedModelNames.map((name) => card(name, root, null)),
      ...adapters.map(({ name, path }) => card(name, path, servedModelNames[0] ?? root)),
    ],
  };
}

const permission = (id: string, created: number): object => ({
  id,
  object: 'model_permission',
  created,
  allow_create_engine: false,
  allow_sampling: true,
  allow_logprobs: true,
  allow_search_indices: false,
  allow_view: true,
  allow_fine_tuning: false,
  organization: '*',
  group: null,
  is_blocking: false,
});

/** One of the paths that work without a key, whatever `--api-key` says. */
function tokenize(request: WireRequest, config: ModelServerConfig): WireReply {
  const prompt = objectBody(request.body)?.['prompt'];
  if (typeof prompt !== 'string') return rulesOf(config).failure(400, 'BadRequestError', 'Field required: prompt');
  const tokens = (prompt.match(/\w+/g) ?? []).map((_, index) => index);
  return json(200, { count: tokens.length, max_model_len: config.maxModelLen, tokens });
}
