import type { Engine } from '../engine.js';
import { tgiMetrics } from './metrics.js';

/** Text Generation Inference 3. Its key guards generation only. */
export const tgi: Engine = {
  id: 'tgi',
  health: { path: '/health', needsKey: false },
  models: { path: '/v1/models', needsKey: false },
  metrics: tgiMetrics,
};
