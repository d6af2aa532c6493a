import { z } from 'zod';
import { deploymentKey, replicaId } from '../primitives.js';
import { defineEvent } from './define.js';

/** Where requests for a model alias may go: one proven incarnation of one replica. */
export const routeTarget = z.strictObject({
  replica: replicaId,
  deployment: deploymentKey,
  revision: z.int().positive(),
  url: z.url(),
  model: z.string(),
});
export type RouteTarget = z.infer<typeof routeTarget>;

/** `<tenant>/<served name>`. */
const alias = z.string().min(3);
/** Number of the snapshot that this change leads to; grows by one with each snapshot of the alias. */
const snapshot = z.int().positive();

/** Stream `route/<alias>`, written by router-registry. */
export const routeEvents = [
  defineEvent('davit.route.registered', 1, z.strictObject({ alias, snapshot, target: routeTarget })),
  defineEvent('davit.route.withdrawn', 1, z.strictObject({ alias, snapshot, replica: replicaId, reason: z.string() })),
  defineEvent(
    'davit.route.snapshot-published',
    1,
    z.strictObject({ alias, snapshot, targets: z.array(routeTarget), digest: z.string().length(64) }),
  ),
] as const;
