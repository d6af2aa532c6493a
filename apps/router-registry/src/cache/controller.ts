import { WITHHELD_KEY } from '@davit/contracts';
import type { RouteState } from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import type { Controller, ReconcileResult } from '@davit/reconcile';
import type { ShownRoutes } from '../exports/shown-routes.js';
import { snapshotOf } from '../routes/views.js';
import type { RouteCache } from './route-cache.js';

const RETRY_MS = 5_000;
const AT_ONCE: ReconcileResult = { requeueAfterMs: 0 };

/**
 * Keeps the bucket equal to the log, but for targets that are withheld, and the list of aliases that have such. What the bucket holds
 * already is not written again; a broker that came back empty is filled again by the next walk.
 */
export function routeCacheController(
  cache: Pick<RouteCache, 'holds' | 'forget' | 'write' | 'lookWhole' | 'withheld' | 'tellWithheld'>,
  routes: ShownRoutes,
): Controller {
  return {
    name: 'route-cache',
    standingKeys: [WITHHELD_KEY],
    keysOf(ref, document) {
      const withheld = routes.note(ref, document) === 'same' ? [] : [WITHHELD_KEY];
      if (ref.kind !== 'route' || document === undefined) return withheld;
      // The lifecycle fold keeps documents of one shape under this kind.
      return cache.holds(document as RouteState) ? withheld : [ref.key, ...withheld];
    },
    async reconcile({ key, model, logger }) {
      try {
        return await (key === WITHHELD_KEY ? tellWithheld(model) : tellAlias(key, model));
      } catch (error) {
        // Readers of the bucket see an older snapshot for a moment; the log and its subscribers are not touched by that.
        logger.warn({ err: error, key }, 'the route cache could not be written');
        return { requeueAfterMs: RETRY_MS };
      }
    },
  };

  async function tellAlias(alias: string, model: ReadModel): Promise<ReconcileResult> {
    const route = await model.get<RouteState>('route', alias);
    if (!route || route.document.snapshot === 0) return {};
    const shown = await routes.shown(model, snapshotOf(route));
    const asOf = async (): Promise<number> => {
      const position = await model.position();
      const present = await model.get<RouteState>('route', alias);
      return present?.position === route.position ? position : route.position;
    };
    return (await cache.write(shown, asOf)) ? {} : AT_ONCE;
  }

  /** Snapshots come before the list that names them, so that whoever reads the list finds what it says. */
  async function tellWithheld(model: ReadModel): Promise<ReconcileResult> {
    // Mostly the withdrawal comes before it is late.
    if (!routes.withholds && routes.dueInMs) return { requeueAfterMs: routes.dueInMs };
    await cache.lookWhole();
    const aliases = (await routes.withheld(model)).map(({ alias }) => alias);
    for (const alias of new Set([...aliases, ...(await cache.withheld())])) {
      cache.forget(alias);
      if ((await tellAlias(alias, model)) === AT_ONCE) return AT_ONCE;
    }
    if (!(await cache.tellWithheld(aliases))) return AT_ONCE;
    const { dueInMs } = routes;
    return dueInMs === undefined ? {} : { requeueAfterMs: dueInMs };
  }
}
