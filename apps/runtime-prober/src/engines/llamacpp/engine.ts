import { type Engine, counts } from '../engine.js';

/** llama.cpp's server. It listens while loading, and its metrics are behind the key and a flag. */
export const llamacpp: Engine = {
  id: 'llamacpp',
  health: { path: '/health', needsKey: false },
  models: { path: '/v1/models', needsKey: true },
  metrics: {
    path: '/metrics',
    needsKey: true,
    running: counts('llamacpp:requests_processing'),
    waiting: counts('llamacpp:requests_deferred'),
    kvCacheUsage: null,
    progress: [
      counts('llamacpp:prompt_tokens_total'),
      counts('llamacpp:tokens_predicted_total'),
      counts('llamacpp:n_decode_total'),
    ],
    sameThing: [],
  },
};
