import type { Quantity } from '../../metrics/quantity.js';
import type { Engine } from '../engine.js';

/** Colon spellings first; escaping proxies and Ray Serve write the others (prometheus/client_python issue 1177). */
const spelled = (kind: Quantity['kind'], ...names: readonly string[]): Quantity => ({
  kind,
  names: ['vllm:', 'vllm_', 'ray_vllm_'].flatMap((prefix) => names.map((name) => prefix + name)),
});

/** vLLM, all releases since 0.3 (https://docs.vllm.ai/en/latest/usage/metrics.html, read September 2026). */
export const vllm: Engine = {
  id: 'vllm',
  health: { path: '/health', needsKey: false },
  models: { path: '/v1/models', needsKey: true },
  metrics: {
    path: '/metrics',
    needsKey: false,
    running: spelled('count', 'num_requests_running'),
    waiting: spelled('count', 'num_requests_waiting'),
    kvCacheUsage: spelled('ratio', 'kv_cache_usage_perc', 'gpu_cache_usage_perc'),
    progress: [
      spelled('count', 'prompt_tokens_total', 'prompt_tokens'),
      spelled('count', 'generation_tokens_total', 'generation_tokens'),
      spelled('count', 'request_success_total', 'request_success'),
    ],
    sameThing: ['pid'],
  },
};
