import type { RouteState } from '@davit/domain';
import type { Controller } from '@davit/reconcile';
import type { ShownRoutes } from '../exports/shown-routes.js';
import { snapshotOf } from '../routes/views.js';
import type { RouteCache } from './route-cache.js';

const RETRY_MS = 5_000;

/**
 * Keeps the bucket equal to the log, but for targets that lost their proof while nobody decided; a broker that came back empty is filled
 * again by the next look at every alias.
 */
export const routeCacheController = (cache: Pick<RouteCache, 'write'>, routes: ShownRoutes): Controller => ({
  name: 'route-cache',
  keysOf(ref) {
    routes.note(ref);
    return ref.kind === 'route' ? [ref.key] : [];
  },
  async reconcile({ key, model, logger }) {
    const route = await model.get<RouteState>('route', key);
    if (!route || route.document.snapshot === 0) return {};
    const published = snapshotOf(route);
    try {
      const shown = await routes.shown(model, published);
      // Only an event empties an alias: where nothing of it is left to be shown, what the bucket holds stays.
      const isWaiting = shown !== published && shown.targets.length + shown.draining.length === 0;
      if (!isWaiting && !(await cache.write(shown))) return { requeueAfterMs: 0 };
      return shown === published ? {} : { requeueAfterMs: RETRY_MS };
    } catch (error) {
      // Readers of the bucket see an older snapshot for a moment; the log and its subscribers are not touched by that.
      logger.warn({ err: error, alias: key }, 'the route cache could not be written');
      return { requeueAfterMs: RETRY_MS };
    }
  },
});
