import { z } from 'zod';
import type { Engine } from '../engine.js';
import { llamacppMetrics } from './metrics.js';

const propsAnswer = z.object({
  build_info: z.string().optional(),
  default_generation_settings: z.object({ n_ctx: z.int().positive() }).optional(),
});

/**
 * llama.cpp's server (https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md).
 *
 * Traps:
 * - It listens while loading and answers 503 "Loading model" then; old builds let the list of models through meanwhile.
 * - `/v1/models` is open, so it does not show that the stored key works; `/metrics` wants the key and a flag.
 * - The context length of `/props` is that of one slot, while `--ctx-size` is shared by all of them.
 * - Gauges of its metrics may be `nan`.
 */
export const llamacpp: Engine = {
  id: 'llamacpp',
  health: { path: '/health', needsKey: false, minTimeoutMs: 2_000 },
  models: { path: '/v1/models', needsKey: true },
  listensWhileLoading: true,
  answers: [{ on: 'any', statuses: [503], body: /loading model/i, reason: 'loading', says: 'it loads its model' }],
  sleep: null,
  answersByListedName: true,
  card: () => ({}),
  listsAdapters: 'never',
  about: {
    path: '/props',
    needsKey: true,
    read: (body) => {
      const { build_info: version, default_generation_settings: settings } = propsAnswer.safeParse(body).data ?? {};
      return {
        ...(version === undefined ? {} : { engineVersion: version }),
        ...(settings === undefined ? {} : { contextLength: settings.n_ctx }),
      };
    },
  },
  metrics: llamacppMetrics,
};
