import { z } from 'zod';
import { type Engine, contextOnCard } from '../engine.js';
import { vllmMetrics } from './metrics.js';

const versionAnswer = z.object({ version: z.string() });
const sleepAnswer = z.object({ is_sleeping: z.boolean() });

/**
 * vLLM, all releases since 0.3 (https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html).
 *
 * Traps:
 * - Nobody listens until the engine is up; it never says that it loads. Behind a proxy that is a 502 or 503 of the proxy.
 * - `/health` looks at a flag only: a hung engine answers 200 for ever (vllm issue 39863). Under load it takes seconds.
 * - A dead engine is a 500 with nothing in it up to 0.10, a 503 since 0.11, a 200 before 0.4.3; the process ends seconds later.
 * - `/v1/models` and `/version` are static: they answer while the engine is dead.
 * - `/is_sleeping` is there in development mode only; the metrics tell it since 0.12. A request to a sleeping engine stalls.
 * - The key guards every path that begins with `/v1`, and neither `/health` nor `/metrics`.
 * - Old releases answer with the first of several served names, whichever was asked for.
 * - While expert parallelism is rescaled, every path answers 503 "currently scaling".
 */
export const vllm: Engine = {
  id: 'vllm',
  health: { path: '/health', needsKey: false, minTimeoutMs: 5_000 },
  models: { path: '/v1/models', needsKey: true },
  listensWhileLoading: false,
  answers: [
    {
      on: 'any',
      statuses: [503],
      body: /currently scaling/i,
      reason: 'warming',
      says: 'its engines are being rescaled',
    },
    {
      on: 'health',
      statuses: [500, 503],
      body: /^\s*$/,
      reason: 'engine-dead',
      says: 'the engine behind the server is dead',
    },
    {
      on: 'inference',
      statuses: [500, 503],
      body: /EngineCore|EngineDead|engine (?:is|has) (?:dead|died)/i,
      reason: 'engine-dead',
      says: 'the engine behind the server is dead',
    },
  ],
  sleep: { path: '/is_sleeping', needsKey: false, isAsleep: (body) => sleepAnswer.safeParse(body).data?.is_sleeping },
  answersByListedName: true,
  card: contextOnCard,
  listsAdapters: 'always',
  about: {
    path: '/version',
    needsKey: false,
    read: (body) => {
      const version = versionAnswer.safeParse(body).data?.version;
      return version === undefined ? {} : { engineVersion: version };
    },
  },
  metrics: vllmMetrics,
};
