import type { RouteState } from '@davit/domain';
import type { Controller } from '@davit/reconcile';
import { snapshotOf } from '../routes/views.js';
import type { RouteCache } from './route-cache.js';

const RETRY_MS = 5_000;

/** Keeps the bucket equal to the log; a broker that came back empty is filled again by the next look at every alias. */
export const routeCacheController = (cache: RouteCache): Controller => ({
  name: 'route-cache',
  keysOf: ({ kind, key }) => (kind === 'route' ? [key] : []),
  async reconcile({ key, model, logger }) {
    const route = await model.get<RouteState>('route', key);
    if (!route || route.document.snapshot === 0) return {};
    try {
      return (await cache.write(snapshotOf(route))) ? {} : { requeueAfterMs: 0 };
    } catch (error) {
      // Readers of the bucket see an older snapshot for a moment; the log and its subscribers are not touched by that.
      logger.warn({ err: error, alias: key }, 'the route cache could not be written');
      return { requeueAfterMs: RETRY_MS };
    }
  },
});
