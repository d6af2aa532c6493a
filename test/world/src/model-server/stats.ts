import { Exposition, Histogram } from './metrics.js';
import { type ModelServerConfig } from './config.js';

const SECONDS = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 10, 40, 160, 640, 2560];
const REQUEST_SECONDS = [0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 60, 120, 480, 1920, 7680];
const TOKEN_SECONDS = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 5, 20, 80];
const TOKENS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const ITERATION_TOKENS = [1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384];

export type FinishReason = 'stop' | 'length' | 'abort' | 'error' | 'repetition';
const FINISH_REASONS: readonly FinishReason[] = ['stop', 'length', 'abort', 'error', 'repetition'];

export interface FinishedRequest {
  readonly reason: FinishReason;
  readonly promptTokens: number;
  readonly generatedTokens: number;
  readonly maxTokens: number;
  readonly queuedSeconds: number;
  readonly prefillSeconds: number;
  readonly decodeSeconds: number;
}

/** Counters and histograms of one engine, under the names of the V1 engine. */
export class EngineStats {
  running = 0;
  waiting = 0;
  private promptTokens = 0;
  private generatedTokens = 0;
  private readonly finished = new Map<FinishReason, number>();
  private readonly firstToken = new Histogram(SECONDS);
  private readonly interToken = new Histogram(TOKEN_SECONDS);
  private readonly perToken = new Histogram(TOKEN_SECONDS);
  private readonly endToEnd = new Histogram(REQUEST_SECONDS);
  private readonly queue = new Histogram(REQUEST_SECONDS);
  private readonly inference = new Histogram(REQUEST_SECONDS);
  private readonly prefill = new Histogram(REQUEST_SECONDS);
  private readonly decode = new Histogram(REQUEST_SECONDS);
  private readonly prompts = new Histogram(TOKENS);
  private readonly generations = new Histogram(TOKENS);
  private readonly maxGenerations = new Histogram(TOKENS);
  private readonly maxTokens = new Histogram(TOKENS);
  private readonly choices = new Histogram([1, 2, 5, 10, 20]);
  private readonly iterations = new Histogram(ITERATION_TOKENS);
  private readonly http = new Map<string, number>();
  private changes = 0;
  private rendered = { state: '', text: '' };

  constructor(private readonly startedAtMs: number) {}

  prefilled(promptTokens: number, seconds: number): void {
    this.changes += 1;
    this.promptTokens += promptTokens;
    this.firstToken.observe(seconds);
    this.iterations.observe(promptTokens);
  }

  generated(seconds: number | null): void {
    this.changes += 1;
    this.generatedTokens += 1;
    if (seconds === null) return;
    this.interToken.observe(seconds);
    this.iterations.observe(1);
  }

  finish(request: FinishedRequest): void {
    this.changes += 1;
    const { queuedSeconds, prefillSeconds, decodeSeconds, generatedTokens } = request;
    this.finished.set(request.reason, (this.finished.get(request.reason) ?? 0) + 1);
    this.queue.observe(queuedSeconds);
    this.prefill.observe(prefillSeconds);
    this.decode.observe(decodeSeconds);
    this.inference.observe(prefillSeconds + decodeSeconds);
    this.endToEnd.observe(queuedSeconds + prefillSeconds + decodeSeconds);
    if (generatedTokens > 1) this.perToken.observe(decodeSeconds / (generatedTokens - 1));
    this.prompts.observe(request.promptTokens);
    this.generations.observe(generatedTokens);
    this.maxGenerations.observe(generatedTokens);
    this.maxTokens.observe(request.maxTokens);
    this.choices.observe(1);
  }

  answered(handler: string, method: string, status: number): void {
    const key = JSON.stringify({ handler, method, status: `${Math.floor(status / 100)}xx` });
    this.http.set(key, (this.http.get(key) ?? 0) + 1);
  }

  /** The `/metrics` text. With `engine` false the engine families are missing, as with `--disable-log-stats`. */
  render(config: ModelServerConfig, sleepLevel: 0 | 1 | 2, engine: boolean): string {
    const model = config.servedModelNames[0] ?? config.root;
    const labels = { engine: '0', model_name: model };
    const out = new Exposition(labels, this.startedAtMs / 1000);
    const requests = [...this.http].map(([names, count]) => [JSON.parse(names) as HttpLabels, count] as const);
    out.bare('http_requests_total', 'Requests by route.', 'counter', requests);
    if (!engine) return out.toString();
    // Asked for far more often than anything happens to the engine.
    const state = JSON.stringify([this.changes, this.running, this.waiting, model, config.maxRunning, sleepLevel]);
    if (state !== this.rendered.state) {
      const families = new Exposition(labels, this.startedAtMs / 1000);
      this.renderEngine(families, config, sleepLevel);
      this.rendered = { state, text: families.toString() };
    }
    return out.toString() + this.rendered.text;
  }

  private renderEngine(out: Exposition, config: ModelServerConfig, sleepLevel: 0 | 1 | 2): void {
    const one = (value: number): [[Record<string, string>, number]] => [[{}, value]];
    out.gauge('vllm:num_requests_running', 'Requests in the batch.', one(this.running));
    out.gauge('vllm:num_requests_waiting', 'Requests not yet scheduled.', one(this.waiting));
    out.gauge('vllm:num_requests_waiting_by_reason', 'Waiting requests by cause.', [
      [{ reason: 'capacity' }, this.waiting],
      [{ reason: 'deferred' }, 0],
    ]);
    out.gauge('vllm:engine_sleep_state', 'Power state.', [
      [{ sleep_state: 'awake' }, sleepLevel === 0 ? 1 : 0],
      [{ sleep_state: 'weights_offloaded' }, sleepLevel === 1 ? 1 : 0],
      [{ sleep_state: 'discard_all' }, sleepLevel === 2 ? 1 : 0],
    ]);
    const used = Math.min(1, this.running / Math.max(1, config.maxRunning));
    out.gauge('vllm:kv_cache_usage_perc', 'Cache in use, 0 to 1.', one(used));
    out.counter('vllm:prefix_cache_queries', 'Prefix lookups in tokens.', one(this.promptTokens));
    out.counter('vllm:prefix_cache_hits', 'Prefix hits in tokens.', one(0));
    out.counter('vllm:num_preemptions', 'Preemptions.', one(0));
    out.counter('vllm:prompt_tokens', 'Prompt tokens processed.', one(this.promptTokens));
    out.counter('vllm:prompt_tokens_by_source', 'Prompt tokens by origin.', [
      [{ source: 'local_compute' }, this.promptTokens],
      [{ source: 'local_cache_hit' }, 0],
      [{ source: 'external_kv_transfer' }, 0],
    ]);
    out.counter('vllm:prompt_tokens_cached', 'Prompt tokens found in a cache.', one(0));
    out.counter('vllm:generation_tokens', 'Tokens generated.', one(this.generatedTokens));
    out.counter(
      'vllm:request_success',
      'Finished requests.',
      FINISH_REASONS.map((reason) => [{ finished_reason: reason }, this.finished.get(reason) ?? 0] as const),
    );
    out.histogram('vllm:iteration_tokens_total', 'Tokens of each engine step.', this.iterations);
    out.histogram('vllm:time_to_first_token_seconds', 'Time to first token.', this.firstToken);
    out.histogram('vllm:inter_token_latency_seconds', 'Time between tokens.', this.interToken);
    out.histogram('vllm:request_time_per_output_token_seconds', 'Mean time a token.', this.perToken);
    out.histogram('vllm:e2e_request_latency_seconds', 'Whole requests.', this.endToEnd);
    out.histogram('vllm:request_queue_time_seconds', 'Time in the queue.', this.queue);
    out.histogram('vllm:request_inference_time_seconds', 'Time in the batch.', this.inference);
    out.histogram('vllm:request_prefill_time_seconds', 'Time in prefill.', this.prefill);
    out.histogram('vllm:request_decode_time_seconds', 'Time in decode.', this.decode);
    out.histogram('vllm:request_prompt_tokens', 'Prompt tokens of each request.', this.prompts);
    out.histogram('vllm:request_generation_tokens', 'Tokens generated by each request.', this.generations);
    out.histogram('vllm:request_max_num_generation_tokens', 'Longest choice of each request.', this.maxGenerations);
    out.histogram('vllm:request_params_max_tokens', 'The max_tokens asked for.', this.maxTokens);
    out.histogram('vllm:request_params_n', 'The n asked for.', this.choices);
    const cache = { block_size: '16', engine: '0', num_gpu_blocks: '4096', num_cpu_blocks: 'None' };
    out.bare('vllm:cache_config_info', 'Cache settings.', 'gauge', [[cache, 1]]);
  }
}

type HttpLabels = Record<'handler' | 'method' | 'status', string>;
