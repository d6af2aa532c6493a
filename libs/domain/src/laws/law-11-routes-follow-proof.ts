import { RouteSets } from './route-sets.js';
import { Routes } from './routes.js';
import { defineLaw } from './violation.js';

/**
 * Law 11: a route points only at an incarnation whose runtime is proven, none is left when the incarnation is deleted, and
 * none comes back once it is drained. A published set is what was registered and not withdrawn, so that one is empty only because
 * events emptied it.
 */
export const law11 = defineLaw('law-11-routes-follow-proof', (report) => {
  const routes = new Routes(report);
  const sets = new RouteSets(report);
  return {
    see(event) {
      routes.see(event);
      sets.see(event);
    },
    end(ended) {
      if (!ended) return;
      for (const { replicaId, registeredAt, lostAt } of routes.unproven())
        report({ position: registeredAt }, replicaId, 'the route outlived its proof', [lostAt]);
    },
  };
});
