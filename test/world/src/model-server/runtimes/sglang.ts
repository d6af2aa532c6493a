import { bearerOf, empty, json, type WireReply, type WireRequest } from '../../http/wire.js';
import { completion, flatFailure, type CompletionRules } from '../completions.js';
import { metricsReply } from '../metrics/reply.js';
import { sgLangMetrics } from '../metrics/sglang.js';
import { type ServerState } from '../state.js';
import { type Runtime } from './runtime.js';

/** Health generates a token and looks for it once a second. */
const HEALTH_LEAST_MS = 1_000;
/** SGLANG_HEALTH_CHECK_TIMEOUT. */
const HEALTH_MOST_MS = 20_000;

/** SGLang. It listens once the weights are loaded, and is unhealthy until it has warmed up; that takes half of its load time here. */
export const sgLang: Runtime = {
  listensFrom: 0.5,
  deadStatus: () => 503,
  guards: (path) => !path.startsWith('/health') && !path.startsWith('/metrics'),
  keyOf: bearerOf,
  unauthorized: (status) => json(status, { error: 'Unauthorized' }),
  whileLoading: ({ url }) => (isHealth(url.pathname) ? empty(503) : undefined),
  route,
};

const isHealth = (path: string): boolean => path === '/health' || path === '/health_generate';

const RULES: CompletionRules = { failure: flatFailure, checksModel: false };

async function route(request: WireRequest, state: ServerState): Promise<WireReply> {
  switch (`${request.method} ${request.url.pathname}`) {
    case 'GET /health':
    case 'GET /health_generate':
      return health(request, state);
    case 'GET /ping':
    case 'POST /ping':
      return empty(200);
    case 'GET /metrics':
      return metrics(state);
    case 'GET /v1/models':
      return json(200, models(state));
    case 'GET /model_info':
    case 'GET /get_model_info':
      return json(200, modelInfo(state));
    case 'GET /server_info':
    case 'GET /get_server_info':
      return json(200, { model_path: state.config.root, version: state.config.version });
    case 'GET /v1/loads':
      return json(200, loads(state));
    case 'POST /v1/chat/completions':
    case 'POST /v1/completions':
      return completion(request, state, RULES);
    default:
      return json(404, { detail: 'Not Found' });
  }
}

async function health(request: WireRequest, state: ServerState): Promise<WireReply> {
  if (state.dead) return empty(state.faults.get('dead-engine')?.status ?? 503);
  await state.healthTakes(request, state.hung ? HEALTH_MOST_MS : HEALTH_LEAST_MS);
  return empty(state.hung ? 503 : 200);
}

/** The route is there only with `--enable-metrics`. */
function metrics(state: ServerState): WireReply {
  if (!state.publishesStats) return json(404, { detail: 'Not Found' });
  const { body, contentType } = sgLangMetrics(state);
  return metricsReply(state.faults, body, contentType, 'sglang:');
}

function models({ config, clock }: ServerState): object {
  const created = Math.floor(clock.nowMs() / 1000);
  const card = (id: string, root: string, parent: string | null): object => ({
    ...{ id, object: 'model', created, owned_by: 'sglang', root, parent },
    max_model_len: parent === null ? config.maxModelLen : null,
  });
  const [base = config.root] = config.servedModelNames;
  return {
    object: 'list',
    data: [
      ...config.servedModelNames.map((name) => card(name, name, null)),
      ...config.adapters.map(({ name, path }) => card(name, path, base)),
    ],
  };
}

const modelInfo = ({ config }: ServerState): object => ({
  model_path: config.root,
  tokenizer_path: config.root,
  is_generation: true,
  preferred_sampling_params: null,
  weight_version: 'default',
  has_image_understanding: false,
  has_audio_understanding: false,
});

function loads(state: ServerState): object {
  const gauges = state.books().map((stats) => stats.gauges('present'));
  const sum = (of: (gauge: (typeof gauges)[number]) => number): number => gauges.reduce((all, one) => all + of(one), 0);
  return {
    total_running_reqs: sum(({ running }) => running),
    total_waiting_reqs: sum(({ waiting }) => waiting),
    avg_token_usage: sum(({ kvUsage }) => kvUsage) / gauges.length,
  };
}
