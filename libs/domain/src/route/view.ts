import type { RouteView } from '@davit/contracts';
import { digestOf } from '../canonical.js';
import type { RouteState } from '../lifecycle/state.js';

/** What the digest of a snapshot is taken of. */
export const snapshotDigest = ({ targets, draining }: Pick<RouteState, 'targets' | 'draining'>): string =>
  digestOf([...targets, ...draining]);

/**
 * What is left of a snapshot without some of its targets: the same number, a digest of its own, and how many are withheld.
 * @param position of the log up to which it is so
 */
export function withheldFrom(view: RouteView, isWithheld: (replica: string) => boolean, position: number): RouteView {
  const hidden = [...view.targets, ...view.draining].map(({ replica }) => replica).filter(isWithheld);
  if (hidden.length === 0) return view;
  const isShown = ({ replica }: { readonly replica: string }): boolean => !isWithheld(replica);
  return {
    ...view,
    targets: view.targets.filter(isShown),
    draining: view.draining.filter(isShown),
    digest: digestOf([view.digest, hidden]),
    withheld: hidden.length,
    position: Math.max(view.position, position),
  };
}

/** The present snapshot of an alias as readers see it, at the position that it was last changed at. */
export function routeViewOf(route: RouteState, position: number): RouteView {
  const { alias, tenant, snapshot, targets, draining } = route;
  const model = alias.slice(tenant.length + 1);
  const digest = route.digest ?? snapshotDigest(route);
  return { alias, tenant, model, snapshot, targets: [...targets], draining: [...draining], digest, position };
}
