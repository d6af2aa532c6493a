import { z } from 'zod';
import type { Engine } from '../engine.js';
import { tgiMetrics } from './metrics.js';

const infoAnswer = z.object({ version: z.string().optional(), max_total_tokens: z.int().positive().optional() });

/**
 * Text Generation Inference 3 (https://huggingface.co/docs/text-generation-inference).
 *
 * Traps:
 * - Nobody listens until its shards are up and warm.
 * - Its key guards generation only: neither the list of models nor the health check shows that the stored key works.
 * - Its answers carry the id of the model, whatever name the request used.
 * - Which adapters it has is not told: they are named in each request.
 */
export const tgi: Engine = {
  id: 'tgi',
  health: { path: '/health', needsKey: false, minTimeoutMs: 5_000 },
  models: { path: '/v1/models', needsKey: false },
  listensWhileLoading: false,
  answers: [{ on: 'health', statuses: [503], reason: 'unhealthy', says: 'its shards do not answer' }],
  sleep: null,
  answersByListedName: false,
  card: () => ({}),
  listsAdapters: 'never',
  about: {
    path: '/info',
    needsKey: false,
    read: (body) => {
      const { version, max_total_tokens: contextLength } = infoAnswer.safeParse(body).data ?? {};
      return {
        ...(version === undefined ? {} : { engineVersion: version }),
        ...(contextLength === undefined ? {} : { contextLength }),
      };
    },
  },
  metrics: tgiMetrics,
};
