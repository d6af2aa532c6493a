import type { RouteView } from '@davit/contracts';
import { type RouteState, routeViewOf } from '@davit/domain';
import type { ReadModel, StoredDocument } from '@davit/projection';

export const snapshotOf = ({ document, position }: StoredDocument<RouteState>): RouteView =>
  routeViewOf(document, position);

/** Every alias that ever had a route, sorted; one without targets has an empty snapshot because an event says so. */
export async function listSnapshots(model: ReadModel, tenant?: string): Promise<readonly RouteView[]> {
  const routes = await model.list<RouteState>('route', tenant === undefined ? undefined : `tenant:${tenant}`);
  return routes.map(snapshotOf);
}

/** Undefined when no route for the alias was ever published. */
export async function findSnapshot(model: ReadModel, alias: string): Promise<RouteView | undefined> {
  const route = await model.get<RouteState>('route', alias);
  return route && snapshotOf(route);
}
