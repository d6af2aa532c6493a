import type { Quantity } from '../../metrics/quantity.js';
import type { Engine } from '../engine.js';

/** Names have flipped between the two spellings (sglang issue 15303). */
const spelled = (kind: Quantity['kind'], name: string): Quantity => ({
  kind,
  names: [`sglang:${name}`, `sglang_${name}`],
});

/** SGLang. Its health check generates a token, so the fastest answer takes about a second. */
export const sglang: Engine = {
  id: 'sglang',
  health: { path: '/health', needsKey: false },
  models: { path: '/v1/models', needsKey: true },
  metrics: {
    path: '/metrics',
    needsKey: false,
    running: spelled('count', 'num_running_reqs'),
    waiting: spelled('count', 'num_queue_reqs'),
    kvCacheUsage: spelled('ratio', 'token_usage'),
    progress: [spelled('count', 'prompt_tokens_total'), spelled('count', 'generation_tokens_total')],
    sameThing: ['tp_rank', 'pp_rank', 'moe_ep_rank'],
  },
};
