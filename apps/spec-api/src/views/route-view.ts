import type { RouteView } from '@davit/contracts';
import { type RouteState, routeViewOf } from '@davit/domain';

import type { StoredDocument } from '@davit/projection';

/** Row of one alias: where requests for it may go now. */
export const routeView = ({ document, position }: StoredDocument<RouteState>): RouteView =>
  routeViewOf(document, position);
