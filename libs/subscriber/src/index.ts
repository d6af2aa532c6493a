export { Cursor, type Step } from './cursor.js';
export { type FollowOptions, PositionLostError, followLog } from './follow-log.js';
export { followRoutes, listRoutes } from './follow-routes.js';
export { RouteSet } from './route-set.js';
