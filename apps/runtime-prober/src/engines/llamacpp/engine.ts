import type { Engine } from '../engine.js';
import { llamacppMetrics } from './metrics.js';

/** llama.cpp's server. It listens while loading, and its metrics are behind the key and a flag. */
export const llamacpp: Engine = {
  id: 'llamacpp',
  health: { path: '/health', needsKey: false },
  models: { path: '/v1/models', needsKey: true },
  metrics: llamacppMetrics,
};
