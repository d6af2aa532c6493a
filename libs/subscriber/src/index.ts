export { Cursor, type Step } from './cursor.js';
export { type FollowOptions, PositionLostError, followLog } from './follow-log.js';
export { type FollowRoutesOptions, followRoutes } from './follow-routes.js';
export { listRoutes } from './route-bucket.js';
export { RouteSet } from './route-set.js';
