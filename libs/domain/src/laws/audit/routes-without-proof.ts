import { Routes } from '../routes.js';
import { type Law, defineLaw } from '../violation.js';

/** A route leads to a replica that nothing proves, was drained, is being deleted, or lost its proof longer ago than the grace. */
export const routesWithoutProof: Law = defineLaw('audit-routes-without-proof', (report, { graceMs }) => {
  const routes = new Routes(report);
  return {
    see: (event) => routes.see(event),
    end(ended, nowMs) {
      for (const { replicaId, registeredAt, lostAt, lostAtMs } of routes.unproven())
        if (ended || nowMs - lostAtMs > graceMs)
          report({ position: registeredAt }, replicaId, 'the route outlived its proof', [lostAt]);
    },
  };
});
