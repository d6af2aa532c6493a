import { bearerOf, empty, json, type WireReply, type WireRequest } from '../../http/wire.js';
import { completion, type CompletionRules, type FailureType } from '../completions.js';
import { metricsReply } from '../metrics/reply.js';
import { tgiMetrics } from '../metrics/tgi.js';
import { type ServerState } from '../state.js';
import { type Runtime } from './runtime.js';

const GENERATION = new Set(['/v1/chat/completions', '/v1/completions']);
const ERROR_TYPES: Readonly<Record<FailureType, string>> = {
  BadRequestError: 'validation',
  NotFoundError: 'validation',
  InternalServerError: 'generation',
};

/** Text Generation Inference. Its port opens with the model; the key guards generation alone. */
export const tgi: Runtime = {
  listensFrom: 1,
  deadStatus: () => 503,
  guards: (path) => GENERATION.has(path),
  keyOf: bearerOf,
  unauthorized: (status) => empty(status),
  route,
};

const RULES: CompletionRules = {
  failure: (status, type, message) =>
    json(status === 500 ? 424 : 422, { error: message, error_type: ERROR_TYPES[type] }),
  checksModel: false,
};

async function route(request: WireRequest, state: ServerState): Promise<WireReply> {
  switch (`${request.method} ${request.url.pathname}`) {
    case 'GET /health':
    case 'GET /ping':
      return health(request, state);
    case 'GET /':
    case 'GET /info':
      return json(200, info(state));
    case 'GET /metrics':
      return metrics(state);
    case 'GET /v1/models':
      return json(200, models(state));
    case 'POST /v1/chat/completions':
    case 'POST /v1/completions':
      return completion(request, state, RULES);
    default:
      return empty(404);
  }
}

async function health(request: WireRequest, state: ServerState): Promise<WireReply> {
  await state.healthTakes(request);
  const status = state.dead ? (state.faults.get('dead-engine')?.status ?? 503) : 200;
  return status === 200 ? empty(200) : json(status, { error: 'unhealthy', error_type: 'healthcheck' });
}

function metrics(state: ServerState): WireReply {
  const { body, contentType } = tgiMetrics(state);
  return metricsReply(state.faults, state.publishesStats ? body : '', contentType, 'tgi_');
}

/** One card, under the id of the model: TGI knows no other name. */
function models({ config }: ServerState): object {
  const [id = config.root] = config.servedModelNames;
  return { object: 'list', data: [{ id, object: 'model', created: 0, owned_by: id }] };
}

const info = ({ config }: ServerState): object => ({
  model_id: config.root,
  model_sha: null,
  max_concurrent_requests: 128,
  max_input_tokens: config.maxModelLen - 1,
  max_total_tokens: config.maxModelLen,
  router: 'text-generation-router',
  version: config.version,
});
