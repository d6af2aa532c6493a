import { type EngineMetrics, counts, gauge, histogram } from '../../metrics/names.js';

/** Names of Text Generation Inference 3. It reports neither the use of its cache nor a model; its counters lack `_total`. */
export const tgiMetrics: EngineMetrics = {
  path: '/metrics',
  needsKey: false,
  running: counts('tgi_batch_current_size'),
  waiting: counts('tgi_queue_size'),
  kvCacheUsage: null,
  promptTokens: counts('tgi_request_input_length_sum'),
  generationTokens: counts('tgi_request_generated_tokens_sum'),
  endToEndSeconds: histogram('tgi_request_duration'),
  queueSeconds: histogram('tgi_request_queue_duration'),
  interTokenSeconds: histogram('tgi_request_mean_time_per_token_duration'),
  progress: [counts('tgi_request_success'), counts('tgi_request_generated_tokens_sum')],
  requests: counts('tgi_request_count'),
  further: {
    batchMaxTokens: gauge('tgi_batch_current_max_tokens'),
    succeeded: counts('tgi_request_success'),
    failed: counts('tgi_request_failure'),
  },
  engineLabel: null,
  sameThing: [],
};
