import { type EngineMetrics, type Quantity, counts, histogram, hitRate, ratio } from '../../metrics/names.js';

/** Names have flipped between the two spellings (sglang issue 15303). */
const spelled = (kind: (...names: readonly string[]) => Quantity, name: string): Quantity =>
  kind(`sglang:${name}`, `sglang_${name}`);

/** Names of SGLang (tree of July 2026); there with `--enable-metrics` only. */
export const sglangMetrics: EngineMetrics = {
  path: '/metrics',
  needsKey: false,
  running: spelled(counts, 'num_running_reqs'),
  waiting: spelled(counts, 'num_queue_reqs'),
  kvCacheUsage: spelled(ratio, 'token_usage'),
  prefixHitRate: spelled(hitRate, 'cache_hit_rate'),
  promptTokens: spelled(counts, 'prompt_tokens_total'),
  cachedPromptTokens: spelled(counts, 'cached_tokens_total'),
  generationTokens: spelled(counts, 'generation_tokens_total'),
  firstTokenSeconds: spelled(histogram, 'time_to_first_token_seconds'),
  interTokenSeconds: spelled(histogram, 'inter_token_latency_seconds'),
  endToEndSeconds: spelled(histogram, 'e2e_request_latency_seconds'),
  queueSeconds: spelled(histogram, 'queue_time_seconds'),
  cache: {
    names: ['sglang:cache_config_info', 'sglang_cache_config_info'],
    blockSize: 'page_size',
    blocks: 'num_pages',
  },
  progress: [spelled(counts, 'prompt_tokens_total'), spelled(counts, 'generation_tokens_total')],
  requests: spelled(counts, 'num_requests_total'),
  further: {
    aborted: spelled(counts, 'num_aborted_requests_total'),
  },
  engineLabel: 'dp_rank',
  sameThing: ['tp_rank', 'pp_rank', 'moe_ep_rank'],
};
