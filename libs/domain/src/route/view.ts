import type { RouteView } from '@davit/contracts';
import { digestOf } from '../canonical.js';
import type { RouteState } from '../lifecycle/state.js';

/** What the digest of a snapshot is taken of. */
export const snapshotDigest = ({ targets, draining }: Pick<RouteState, 'targets' | 'draining'>): string =>
  digestOf([...targets, ...draining]);

/** The present snapshot of an alias as readers see it, at the position that it was last changed at. */
export function routeViewOf(route: RouteState, position: number): RouteView {
  const { alias, tenant, snapshot, targets, draining } = route;
  const model = alias.slice(tenant.length + 1);
  const digest = route.digest ?? snapshotDigest(route);
  return { alias, tenant, model, snapshot, targets: [...targets], draining: [...draining], digest, position };
}
