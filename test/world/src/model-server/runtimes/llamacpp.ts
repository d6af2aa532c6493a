import { bearerOf, json, text, type WireReply, type WireRequest, type WireResponse } from '../../http/wire.js';
import { completion, type CompletionRules, type FailureType } from '../completions.js';
import { llamaCppMetrics, NEWER_BUILD } from '../metrics/llamacpp.js';
import { metricsReply } from '../metrics/reply.js';
import { isAtLeast } from '../profiles.js';
import { type ServerState } from '../state.js';
import { type Runtime } from './runtime.js';

const MODELS = new Set(['/models', '/v1/models']);
const OPEN = new Set(['/', '/health', '/v1/health', ...MODELS]);
const ERROR_TYPES: Readonly<Record<FailureType, string>> = {
  BadRequestError: 'invalid_request_error',
  NotFoundError: 'not_found_error',
  InternalServerError: 'server_error',
};

const failure = (code: number, type: string, message: string): WireResponse =>
  json(code, { error: { message, type, code } });

/** The server of llama.cpp. It listens while it loads; server and engine are one process. */
export const llamaCpp: Runtime = {
  listensFrom: 0,
  deadStatus: () => null,
  guards: (path) => !OPEN.has(path),
  keyOf: (request) => bearerOf(request) ?? request.headers['x-api-key'],
  unauthorized: (status) => failure(status, 'authentication_error', 'Invalid API Key'),
  whileLoading: ({ url }, { version }) =>
    // Older builds let the list of models through meanwhile.
    MODELS.has(url.pathname) && !isAtLeast(version, NEWER_BUILD)
      ? undefined
      : failure(503, 'unavailable_error', 'Loading model'),
  route,
};

const RULES: CompletionRules = {
  failure: (status, type, message) => failure(status, ERROR_TYPES[type], message),
  checksModel: false,
};

async function route(request: WireRequest, state: ServerState): Promise<WireReply> {
  switch (`${request.method} ${request.url.pathname}`) {
    case 'GET /health':
    case 'GET /v1/health':
      return health(request, state);
    case 'GET /':
      return text(200, '<html><body>llama.cpp</body></html>', 'text/html; charset=utf-8');
    case 'GET /metrics':
      return metrics(state);
    case 'GET /models':
    case 'GET /v1/models':
      return json(200, models(state));
    case 'POST /v1/chat/completions':
    case 'POST /v1/completions':
      return completion(request, state, RULES);
    default:
      return failure(404, 'not_found_error', 'File Not Found');
  }
}

async function health(request: WireRequest, state: ServerState): Promise<WireReply> {
  await state.healthTakes(request);
  const status = state.faults.get('dead-engine')?.status ?? 200;
  return status === 200 ? json(200, { status: 'ok' }) : failure(status, 'server_error', 'Engine failed');
}

function metrics(state: ServerState): WireReply {
  if (!state.publishesStats)
    return failure(
      501,
      'not_supported_error',
      'This server does not support metrics endpoint. Start it with `--metrics`',
    );
  const { body, contentType } = llamaCppMetrics(state);
  return metricsReply(state.faults, body, contentType, 'llamacpp:');
}

function models({ config, clock }: ServerState): object {
  const created = Math.floor(clock.nowMs() / 1000);
  const cards = config.servedModelNames.map((id) => ({
    ...{ id, object: 'model', created, owned_by: 'llamacpp' },
    meta: { n_ctx_train: config.maxModelLen },
  }));
  return { object: 'list', data: cards };
}
