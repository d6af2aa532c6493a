import { type EngineMetrics, counts, gauge, ratio } from '../../metrics/names.js';

/** Names of llama.cpp's server; behind its key, and there with `--metrics` only. Only old builds report the use of the cache. */
export const llamacppMetrics: EngineMetrics = {
  path: '/metrics',
  needsKey: true,
  running: counts('llamacpp:requests_processing'),
  waiting: counts('llamacpp:requests_deferred'),
  kvCacheUsage: ratio('llamacpp:kv_cache_usage_ratio'),
  promptTokens: counts('llamacpp:prompt_tokens_total'),
  generationTokens: counts('llamacpp:tokens_predicted_total'),
  progress: [
    counts('llamacpp:prompt_tokens_total'),
    counts('llamacpp:tokens_predicted_total'),
    counts('llamacpp:n_decode_total'),
  ],
  further: {
    maxTokensSeen: gauge('llamacpp:n_tokens_max', 'llamacpp:n_past_max'),
    busySlotsPerDecode: gauge('llamacpp:n_busy_slots_per_decode'),
    promptTokensPerSecond: gauge('llamacpp:prompt_tokens_seconds'),
    generationTokensPerSecond: gauge('llamacpp:predicted_tokens_seconds'),
  },
  engineLabel: null,
  sameThing: [],
};
