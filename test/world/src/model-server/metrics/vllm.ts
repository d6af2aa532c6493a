import { isAtLeast, type Profile, WATCHED_RELEASE } from '../profiles.js';
import { type ServerState } from '../state.js';
import { Exposition, OPEN_METRICS, python, pythonOpenMetrics, type Dialect, type Labels } from './exposition.js';
import { pythonProcess } from './process.js';
import { VllmFamilies } from './vllm-families.js';
import { watchedFamilies } from './vllm-watched.js';

const BLOCKS = { size: 16, count: 4096 };
const CPU_BLOCKS = 2048;

const byModel = (model: string): Labels => ({ model_name: model });
const byEngine = (model: string, engine: string): Labels => ({ model_name: model, engine });

function v0(families: VllmFamilies, nowMs: number): void {
  families.queues();
  families.gauge('num_requests_swapped', 'Requests moved to host memory.', () => 0);
  families.gauge('gpu_cache_usage_perc', 'Cache in use, 0 to 1.', ({ kvUsage }) => kvUsage);
  families.gauge('cpu_cache_usage_perc', 'Host cache in use, 0 to 1.', () => 0);
  families.gauge('gpu_prefix_cache_hit_rate', 'Share of blocks found.', () => 0);
  families.gauge('cpu_prefix_cache_hit_rate', 'Share of blocks found; -1 is off.', () => -1);
  families.gauge('avg_prompt_throughput_toks_per_s', 'Prefill speed.', (_, stats) => stats.promptSpeed(nowMs));
  families.gauge('avg_generation_throughput_toks_per_s', 'Decode speed.', (_, stats) => stats.generationSpeed(nowMs));
  families.tokens();
  families.counter(
    'tokens',
    'Tokens processed.',
    ({ promptTokens, generatedTokens }) => promptTokens + generatedTokens,
  );
  families.finished(['stop', 'length', 'abort']);
  families.iterations();
  families.firstToken();
  families.betweenTokens('time_per_output_token_seconds');
  families.requestTimes();
  families.requestSizes();
  families.lora(true);
  families.cacheConfig(() => ({
    block_size: String(BLOCKS.size),
    cache_dtype: 'auto',
    cpu_offload_gb: '0',
    enable_prefix_caching: 'True',
    gpu_memory_utilization: '0.9',
    is_attention_free: 'False',
    num_cpu_blocks: String(CPU_BLOCKS),
    num_gpu_blocks: String(BLOCKS.count),
    num_gpu_blocks_override: 'None',
    sliding_window: 'None',
    swap_space_bytes: '4294967296',
  }));
}

function transition(families: VllmFamilies, withPids: boolean): void {
  families.queues();
  families.gauge('gpu_cache_usage_perc', 'Cache in use, 0 to 1.', ({ kvUsage }) => kvUsage);
  if (withPids) families.kvUsageWithPids();
  else families.gauge('kv_cache_usage_perc', 'Cache in use, 0 to 1.', ({ kvUsage }) => kvUsage);
  families.prefixCache('gpu_');
  families.prefixCache('');
  families.tokens();
  families.finished(['stop', 'length', 'abort']);
  families.iterations();
  families.firstToken();
  families.betweenTokens('time_per_output_token_seconds');
  families.betweenTokens('inter_token_latency_seconds');
  families.requestTimes();
  families.requestSizes();
  families.lora(true);
  families.cacheConfig(newCacheSettings);
}

function newest(families: VllmFamilies, { config, sleep, sleepLevel }: ServerState, withPids: boolean): void {
  families.queues();
  families.waitingByReason();
  const states = ['awake', 'weights_offloaded', 'discard_all'] as const;
  const power = ['engine_sleep_state', 'sleep_state', 'Power state.'] as const;
  families.split('gauge', power, states, (state) => (states[sleepLevel] === state ? 1 : 0));
  if (withPids) families.kvUsageWithPids();
  else families.gauge('kv_cache_usage_perc', 'Cache in use, 0 to 1.', ({ kvUsage }) => kvUsage);
  families.prefixCache('');
  families.counter('external_prefix_cache_queries', 'Lookups in a shared cache, in tokens.', () => 0);
  families.counter('external_prefix_cache_hits', 'Hits in a shared cache, in tokens.', () => 0);
  families.counter('mm_cache_queries', 'Lookups of media.', () => 0);
  families.counter('mm_cache_hits', 'Media found.', () => 0);
  families.tokens();
  const sources = ['local_compute', 'local_cache_hit', 'external_kv_transfer'] as const;
  const bySource = ['prompt_tokens_by_source', 'source', 'Prompt tokens by origin.'] as const;
  families.split('counter', bySource, sources, (source, _, stats) =>
    source === 'local_compute' ? stats.promptTokens : 0,
  );
  families.counter('prompt_tokens_cached', 'Prompt tokens found in a cache.', () => 0);
  families.finished(['stop', 'length', 'abort', 'error', 'repetition']);
  families.iterations();
  families.firstToken();
  families.betweenTokens('inter_token_latency_seconds');
  families.histogram('request_time_per_output_token_seconds', 'Mean time a token.', ({ perToken }) => perToken);
  families.requestTimes();
  families.requestSizes();
  if (isAtLeast(config.version, WATCHED_RELEASE)) watchedFamilies(families, sleep);
  families.lora(true);
  families.cacheConfig(newCacheSettings);
}

/** Fewer families, and none of Python's own. */
function rust(families: VllmFamilies): void {
  families.queues();
  families.waitingByReason();
  families.gauge('kv_cache_usage_perc', 'Cache in use, 0 to 1.', ({ kvUsage }) => kvUsage);
  families.prefixCache('');
  families.tokens();
  families.finished(['stop', 'length', 'abort']);
  families.firstToken();
  families.betweenTokens('inter_token_latency_seconds');
  families.lora(false);
}

const newCacheSettings = (engine: string): Labels => ({
  block_size: String(BLOCKS.size),
  cache_dtype: 'auto',
  enable_prefix_caching: 'True',
  engine,
  gpu_memory_utilization: '0.92',
  kv_cache_max_concurrency: '8.0',
  kv_cache_size_tokens: String(BLOCKS.size * BLOCKS.count),
  num_gpu_blocks: String(BLOCKS.count),
  prefix_caching_hash_algo: 'sha256',
});

type VllmProfile = Extract<Profile, `vllm-${string}`>;

function dialectOf(profile: VllmProfile, padded: boolean, openMetrics: boolean): Dialect {
  if (profile === 'vllm-rust') return OPEN_METRICS;
  if (openMetrics) return pythonOpenMetrics(padded);
  const isNewest = profile === 'vllm-newest';
  // The code of the V0 engine turned `_created` off; it was in the tree until 0.11.
  return python({ padded, created: isNewest, format: isNewest ? '1.0.0' : '0.0.4' });
}

/** What `GET /metrics` of a vLLM server answers; without statistics the families of the engine are missing. */
export function vllmMetrics(
  state: ServerState,
  { openMetrics }: { readonly openMetrics: boolean },
): { readonly body: string; readonly contentType: string } {
  const { profile, paddedExponents } = state.config;
  const known = profile as VllmProfile; // only servers of vLLM come here
  const dialect = dialectOf(known, paddedExponents, openMetrics);
  const out = new Exposition(dialect, state.startedAtMs / 1000);
  if (known !== 'vllm-rust') pythonProcess(out, state);
  const engine = state.publishesStats ? engineText(state, known, dialect) : '';
  return {
    body: `${out.toString()}${engine}${dialect.openMetrics ? '# EOF\n' : ''}`,
    contentType: dialect.contentType,
  };
}

/** Asked for far more often than anything happens to the engine, so the last text is kept. */
function engineText(state: ServerState, profile: VllmProfile, dialect: Dialect): string {
  const { apiServers, version } = state.config;
  const withPids = apiServers > 1 && !isAtLeast(version, '0.12.0');
  const render = (): string => {
    const out = new Exposition(dialect, state.startedAtMs / 1000);
    const families = new VllmFamilies(out, state, profile === 'vllm-v0' ? byModel : byEngine);
    if (profile === 'vllm-v0') v0(families, state.clock.nowMs());
    else if (profile === 'vllm-transition') transition(families, withPids);
    else if (profile === 'vllm-newest') newest(families, state, withPids);
    else rust(families);
    return out.toString();
  };
  if (profile === 'vllm-v0') return render(); // it tells speeds, which change with time alone
  const { servedModelNames, adapters } = state.config;
  const engines = state.books().map((stats) => [stats.changes, state.gaugesOf(stats)]);
  const slept = [state.sleepLevel, state.sleep.operations.sleep.count, state.sleep.operations.wake.count];
  const shown = [dialect.contentType, engines, servedModelNames, adapters, slept, state.lora.rows()];
  return state.keptText(JSON.stringify(shown), render);
}
