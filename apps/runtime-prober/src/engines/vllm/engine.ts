import type { Engine } from '../engine.js';
import { vllmMetrics } from './metrics.js';

/** vLLM, all releases since 0.3. */
export const vllm: Engine = {
  id: 'vllm',
  health: { path: '/health', needsKey: false },
  models: { path: '/v1/models', needsKey: true },
  metrics: vllmMetrics,
};
