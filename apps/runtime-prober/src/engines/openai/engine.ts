import type { Engine } from '../engine.js';

/** Anything that speaks OpenAI's API; nothing more can be counted on than its list of models. */
export const openai: Engine = {
  id: 'openai',
  health: null,
  models: { path: '/v1/models', needsKey: true },
  metrics: null,
};
