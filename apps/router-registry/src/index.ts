import type { Controller } from '@davit/reconcile';
import { routesController } from './routes/controller.js';

/** The work of router-registry without its wiring, as the simulation runs it. */
export const routerRegistryControllers = (): readonly Controller[] => [routesController()];
