import { type Engine, counts } from '../engine.js';

/** Text Generation Inference 3. It does not report the use of its cache. */
export const tgi: Engine = {
  id: 'tgi',
  health: { path: '/health', needsKey: false },
  models: { path: '/v1/models', needsKey: false },
  metrics: {
    path: '/metrics',
    needsKey: false,
    running: counts('tgi_batch_current_size'),
    waiting: counts('tgi_queue_size'),
    kvCacheUsage: null,
    progress: [counts('tgi_request_success'), counts('tgi_request_generated_tokens_sum')],
    sameThing: [],
  },
};
