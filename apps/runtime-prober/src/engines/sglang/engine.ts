import { type Engine, contextOnCard } from '../engine.js';
import { sglangMetrics } from './metrics.js';

/**
 * SGLang (tree of July 2026, https://github.com/sgl-project/sglang).
 *
 * Traps:
 * - `/health` generates a token and polls each second: the fastest answer takes about a second, so a limit of one flaps.
 * - It listens during its warm-up and lists its model then: only `/health`, 503 with nothing in it, tells that it is not ready.
 * - The same 503 later means that the token did not come within 20 s.
 * - The key guards everything but `/health` and `/metrics`.
 */
export const sglang: Engine = {
  id: 'sglang',
  health: { path: '/health', needsKey: false, minTimeoutMs: 5_000 },
  models: { path: '/v1/models', needsKey: true },
  listensWhileLoading: true,
  answers: [
    { on: 'health', statuses: [503], phase: 'start', reason: 'warming', says: 'it warms up' },
    { on: 'health', statuses: [503], phase: 'steady', reason: 'unhealthy', says: 'it generates no token' },
  ],
  sleep: null,
  answersByListedName: true,
  card: contextOnCard,
  listsAdapters: 'some-releases',
  about: null,
  metrics: sglangMetrics,
};
