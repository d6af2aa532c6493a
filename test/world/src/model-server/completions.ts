import { randomHex } from '../clock.js';
import { isObject, json, objectBody, type WireReply, type WireRequest, type WireResponse } from '../http/wire.js';
import { type GeneratedToken } from './engine.js';
import { type ServerState } from './state.js';

/** What went wrong with a request, as OpenAI's interface names it. */
export type FailureType = 'BadRequestError' | 'NotFoundError' | 'InternalServerError';

/** How one kind of server treats requests for tokens. */
export interface CompletionRules {
  /** @param param field of the request that is wrong */
  failure(status: number, type: FailureType, message: string, param?: string): WireResponse;
  /** What is said of a model that is not served; that it does not exist, unless given. */
  readonly unknownModel?: (model: string, served: readonly string[]) => string;
  /** Whether a model of another name is refused; others answer whatever they are asked for. */
  readonly checksModel: boolean;
}

/** OpenAI's own shape of an error. */
export const nestedFailure = (status: number, type: string, message: string, param?: string): WireResponse =>
  json(status, { error: { message, type, param: param ?? null, code: status } });

/** The same fields without the envelope. */
export const flatFailure = (status: number, type: string, message: string, param?: string): WireResponse =>
  json(status, { object: 'error', message, type, param: param ?? null, code: status });

interface Parsed {
  readonly chat: boolean;
  readonly model: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly maxTokens: number;
  readonly promptTokens: number;
}

/** Answers `/v1/chat/completions` and `/v1/completions`, whole or as server-sent events. */
export async function completion(request: WireRequest, state: ServerState, rules: CompletionRules): Promise<WireReply> {
  if (state.dead || state.faults.has('completions-fail')) {
    state.failed('generation');
    return rules.failure(500, 'InternalServerError', 'EngineCore encountered an issue.');
  }
  const parsed = parse(request, state, rules);
  if ('kind' in parsed) {
    state.failed('validation');
    return parsed;
  }
  const id = `${parsed.chat ? 'chatcmpl' : 'cmpl'}-${randomHex(state.random, 32)}`;
  const created = Math.floor(state.clock.nowMs() / 1000);
  const tokens = generate(parsed, request, state);
  if (parsed.stream) {
    const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
    return { kind: 'response', status: 200, headers, body: events(parsed, id, created, tokens) };
  }
  let content = '';
  let generated = 0;
  let finishReason: string | null = null;
  for await (const token of tokens) {
    content += token.text;
    generated += 1;
    finishReason = token.finishReason;
  }
  const choice = parsed.chat
    ? { index: 0, message: { role: 'assistant', content }, logprobs: null, finish_reason: finishReason }
    : { index: 0, text: content, logprobs: null, finish_reason: finishReason };
  const object = parsed.chat ? 'chat.completion' : 'text_completion';
  return json(200, { id, object, created, model: parsed.model, choices: [choice], usage: usage(parsed, generated) });
}

/** The tokens of an engine, with a note of the adapter they come from. */
async function* generate(
  { model, promptTokens, maxTokens }: Parsed,
  { signal }: WireRequest,
  state: ServerState,
): AsyncGenerator<GeneratedToken> {
  const isAdapter = state.config.adapters.some(({ name }) => name === model);
  if (isAdapter) state.lora.begin(model, state.clock.nowMs());
  try {
    yield* state.pool.leastBusy().generate({ promptTokens, maxTokens, signal });
  } finally {
    if (isAdapter) state.lora.end(model, state.clock.nowMs());
  }
}

function unknownModel(model: string, served: readonly string[], rules: CompletionRules): WireResponse {
  const said = rules.unknownModel?.(model, served) ?? `The model \`${model}\` does not exist.`;
  return rules.failure(404, 'NotFoundError', said, 'model');
}

function parse(request: WireRequest, state: ServerState, rules: CompletionRules): Parsed | WireResponse {
  const { servedModelNames, adapters, maxModelLen } = state.config;
  const failure = rules.failure.bind(rules);
  const chat = request.url.pathname.endsWith('/chat/completions');
  const body = objectBody(request.body);
  if (!body) return failure(400, 'BadRequestError', 'The body is not a JSON object.');
  const input = chat ? body['messages'] : body['prompt'];
  if (chat ? !Array.isArray(input) || input.length === 0 : typeof input !== 'string')
    return failure(400, 'BadRequestError', `Field required: ${chat ? 'messages' : 'prompt'}`);
  const wanted = body['model'];
  const model = typeof wanted === 'string' ? wanted : (servedModelNames[0] ?? '');
  const served = [...servedModelNames, ...adapters.map(({ name }) => name)];
  if (rules.checksModel && !served.includes(model)) return unknownModel(model, served, rules);
  const limit = body['max_completion_tokens'] ?? body['max_tokens'] ?? 16;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1)
    return failure(400, 'BadRequestError', 'max_tokens must be at least 1.', 'max_tokens');
  const promptTokens = Math.max(1, JSON.stringify(input).split(/\W+/).filter(Boolean).length);
  if (promptTokens + limit > maxModelLen)
    return failure(400, 'BadRequestError', `This model's maximum context length is ${maxModelLen} tokens.`);
  const options = body['stream_options'];
  return {
    chat,
    model,
    stream: body['stream'] === true,
    includeUsage: isObject(options) && options['include_usage'] === true,
    maxTokens: limit,
    promptTokens,
  };
}

async function* events(
  parsed: Parsed,
  id: string,
  created: number,
  tokens: AsyncIterable<GeneratedToken>,
): AsyncGenerator<string> {
  const object = parsed.chat ? 'chat.completion.chunk' : 'text_completion';
  const event = (rest: object): string =>
    `data: ${JSON.stringify({ id, object, created, model: parsed.model, ...rest })}\n\n`;
  const chatChoice = (delta: object, finishReason: string | null): object => ({
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  });
  if (parsed.chat) yield event(chatChoice({ role: 'assistant', content: '' }, null));
  let generated = 0;
  for await (const { text, finishReason } of tokens) {
    generated += 1;
    yield event(
      parsed.chat
        ? chatChoice({ content: text }, finishReason)
        : { choices: [{ index: 0, text, logprobs: null, finish_reason: finishReason }] },
    );
  }
  if (parsed.includeUsage) yield event({ choices: [], usage: usage(parsed, generated) });
  yield 'data: [DONE]\n\n';
}

const usage = (parsed: Parsed, generated: number): object => ({
  prompt_tokens: parsed.promptTokens,
  completion_tokens: generated,
  total_tokens: parsed.promptTokens + generated,
});
