import type { Controller } from '@davit/reconcile';
import { routesController } from './routes/controller.js';

export { type RouteSnapshot, findSnapshot, listSnapshots, snapshotOf } from './routes/views.js';

/** The work of router-registry without its wiring, as the simulation runs it. */
export const routerRegistryControllers = (): readonly Controller[] => [routesController()];
