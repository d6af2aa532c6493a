import type { RouteView } from '@davit/contracts';
import type { RouteState } from '@davit/domain';
import type { StoredDocument } from '@davit/projection';

/** Row of one alias: where requests for it may go now. */
export function routeView({ document, position }: StoredDocument<RouteState>): RouteView {
  const { alias, tenant, snapshot, targets } = document;
  return { alias, tenant, model: alias.slice(alias.indexOf('/') + 1), snapshot, targets: [...targets], position };
}
