import type { RouteView } from '@davit/contracts';
import { type RouteState, routeViewOf } from '@davit/domain';
import type { StoredDocument } from '@davit/projection';

export const snapshotOf = ({ document, position }: StoredDocument<RouteState>): RouteView =>
  routeViewOf(document, position);
