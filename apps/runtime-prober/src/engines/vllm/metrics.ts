import { type EngineMetrics, type Quantity, counts, histogram, hitRate, ratio } from '../../metrics/names.js';

/** Colon spellings first; escaping proxies and Ray Serve write the others (prometheus/client_python issue 1177). */
const PREFIXES = ['vllm:', 'vllm_', 'ray_vllm_'] as const;

const spellings = (...names: readonly string[]): readonly string[] =>
  PREFIXES.flatMap((prefix) => names.map((name) => prefix + name));

const spelled = (kind: (...names: readonly string[]) => Quantity, ...names: readonly string[]): Quantity =>
  kind(...spellings(...names));

/** Counters lose their `_total` where nobody declares a type. */
const counter = (...names: readonly string[]): Quantity =>
  spelled(counts, ...names.flatMap((name) => [`${name}_total`, name]));

/**
 * Names of vLLM since 0.3, new ones before old: releases of transition publish a fact under both
 * (https://docs.vllm.ai/en/latest/usage/metrics.html, read September 2026).
 */
export const vllmMetrics: EngineMetrics = {
  path: '/metrics',
  needsKey: false,
  running: spelled(counts, 'num_requests_running'),
  waiting: spelled(counts, 'num_requests_waiting'),
  swapped: spelled(counts, 'num_requests_swapped'),
  waitingByReason: { quantity: spelled(counts, 'num_requests_waiting_by_reason'), labels: ['reason'] },
  kvCacheUsage: spelled(ratio, 'kv_cache_usage_perc', 'gpu_cache_usage_perc'),
  prefixQueries: counter('prefix_cache_queries', 'gpu_prefix_cache_queries'),
  prefixHits: counter('prefix_cache_hits', 'gpu_prefix_cache_hits'),
  prefixHitRate: spelled(hitRate, 'gpu_prefix_cache_hit_rate'),
  promptTokens: counter('prompt_tokens'),
  cachedPromptTokens: counter('prompt_tokens_cached'),
  generationTokens: counter('generation_tokens'),
  preemptions: counter('num_preemptions'),
  // The simulator of llm-d spells the label without the d.
  finished: { quantity: counter('request_success'), labels: ['finished_reason', 'finish_reason'] },
  firstTokenSeconds: spelled(histogram, 'time_to_first_token_seconds'),
  interTokenSeconds: spelled(histogram, 'inter_token_latency_seconds', 'time_per_output_token_seconds'),
  endToEndSeconds: spelled(histogram, 'e2e_request_latency_seconds'),
  queueSeconds: spelled(histogram, 'request_queue_time_seconds'),
  cache: { names: spellings('cache_config_info'), blockSize: 'block_size', blocks: 'num_gpu_blocks' },
  lora: {
    names: spellings('lora_requests_info'),
    running: 'running_lora_adapters',
    waiting: 'waiting_lora_adapters',
    max: 'max_lora',
  },
  sleep: {
    names: spellings('engine_sleep_state'),
    label: 'sleep_state',
    states: { awake: 'awake', weights_offloaded: 'level1', discard_all: 'level2' },
  },
  progress: [counter('prompt_tokens'), counter('generation_tokens'), counter('request_success')],
  further: {
    hostCacheUsage: spelled(ratio, 'cpu_cache_usage_perc'),
    hostPrefixHitRate: spelled(hitRate, 'cpu_prefix_cache_hit_rate'),
  },
  engineLabel: 'engine',
  sameThing: ['pid'],
};
