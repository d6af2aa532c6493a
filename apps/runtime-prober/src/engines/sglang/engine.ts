import type { Engine } from '../engine.js';
import { sglangMetrics } from './metrics.js';

/** SGLang. Its health check generates a token, so the fastest answer takes about a second. */
export const sglang: Engine = {
  id: 'sglang',
  health: { path: '/health', needsKey: false },
  models: { path: '/v1/models', needsKey: true },
  metrics: sglangMetrics,
};
