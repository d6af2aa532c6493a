import { bearerOf, json, type WireReply, type WireRequest, type WireResponse } from '../../http/wire.js';
import { completion, type CompletionRules, type FailureType } from '../completions.js';
import { type ServerState } from '../state.js';
import { type Runtime } from './runtime.js';

const ERROR_TYPES: Readonly<Record<FailureType, string>> = {
  BadRequestError: 'invalid_request_error',
  NotFoundError: 'invalid_request_error',
  InternalServerError: 'server_error',
};

const failure = (status: number, type: string, message: string, code: string | null = null): WireResponse =>
  json(status, { error: { message, type, param: null, code } });

/** A server of which nothing is known but that it speaks OpenAI's interface: no health, no metrics. */
export const openAi: Runtime = {
  listensFrom: 1,
  deadStatus: () => null,
  guards: (path) => path.startsWith('/v1'),
  keyOf: bearerOf,
  unauthorized: (status) => failure(status, 'invalid_request_error', 'Incorrect API key provided.', 'invalid_api_key'),
  route,
};

const RULES: CompletionRules = {
  failure: (status, type, message) =>
    failure(status, ERROR_TYPES[type], message, type === 'NotFoundError' ? 'model_not_found' : null),
  checksModel: true,
};

function route(request: WireRequest, state: ServerState): Promise<WireReply> | WireReply {
  switch (`${request.method} ${request.url.pathname}`) {
    case 'GET /v1/models':
      return json(200, models(state));
    case 'POST /v1/chat/completions':
    case 'POST /v1/completions':
      return completion(request, state, RULES);
    default:
      return failure(404, 'invalid_request_error', `Invalid URL (${request.method} ${request.url.pathname})`);
  }
}

function models({ config, clock }: ServerState): object {
  const created = Math.floor(clock.nowMs() / 1000);
  const cards = config.servedModelNames.map((id) => ({ id, object: 'model', created, owned_by: 'system' }));
  return { object: 'list', data: cards };
}
