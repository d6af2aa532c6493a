import type { RouteView } from '@davit/contracts';
import { type RouteState, digestOf } from '@davit/domain';
import type { ReadModel, StoredDocument } from '@davit/projection';

/** The present snapshot of an alias as readers see it; `digest` is that of the `snapshot-published` event. */
export type RouteSnapshot = RouteView & { readonly digest: string };

export function snapshotOf({ document, position }: StoredDocument<RouteState>): RouteSnapshot {
  const { alias, tenant, snapshot, targets } = document;
  const model = alias.slice(alias.indexOf('/') + 1);
  return { alias, tenant, model, snapshot, targets: [...targets], position, digest: digestOf(targets) };
}

/** Every alias that ever had a route, sorted; one without targets has an empty snapshot because an event says so. */
export async function listSnapshots(model: ReadModel, tenant?: string): Promise<readonly RouteSnapshot[]> {
  const routes = await model.list<RouteState>('route', tenant === undefined ? undefined : `tenant:${tenant}`);
  return routes.map(snapshotOf);
}

/** Undefined when no route for the alias was ever published. */
export async function findSnapshot(model: ReadModel, alias: string): Promise<RouteSnapshot | undefined> {
  const route = await model.get<RouteState>('route', alias);
  return route && snapshotOf(route);
}
