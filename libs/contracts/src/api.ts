import { z } from 'zod';
import { hourlyPrice, instant } from './primitives.js';
import { routeTarget } from './events/route.js';
import { placement, stockSignal } from './placement.js';

/** Row of `GET /v1/deployments`. */
export const deploymentView = z.object({
  name: z.string(),
  tenant: z.string(),
  status: z.enum(['active', 'deleting', 'deleted']),
  generation: z.int(),
  revision: z.int(),
  activeRevision: z.int().nullable(),
  desiredReplicas: z.int(),
  readyReplicas: z.int(),
  conditions: z.array(
    z.object({ condition: z.string(), status: z.string(), reason: z.string(), message: z.string(), since: instant }),
  ),
  position: z.int(),
});
export type DeploymentView = z.infer<typeof deploymentView>;

/** Row of `GET /v1/replicas`. */
export const replicaView = z.object({
  id: z.string(),
  tenant: z.string(),
  deployment: z.string(),
  revision: z.int(),
  ordinal: z.int(),
  incarnation: z.int(),
  externalKey: z.string(),
  state: z.string(),
  since: instant,
  placement: placement.nullable(),
  price: hourlyPrice.nullable(),
  url: z.string().nullable(),
  /** Why it is in this state and, when it waits, for what and until when. */
  why: z.string(),
  waitsUntil: instant.nullable(),
  position: z.int(),
});
export type ReplicaView = z.infer<typeof replicaView>;

/** Row of `GET /v1/routes`: the present snapshot of one alias. */
export const routeView = z.object({
  alias: z.string(),
  tenant: z.string(),
  model: z.string(),
  snapshot: z.int(),
  targets: z.array(routeTarget),
  position: z.int(),
});
export type RouteView = z.infer<typeof routeView>;

/** Question and answer on `davit.rpc.capacity-advisor.assess`; nothing is changed or recorded. */
export const assessRequest = z.strictObject({ placements: z.array(placement).min(1).max(16) });
export const assessAnswer = z.object({
  signals: z.array(z.object({ rung: z.int(), placement, signal: stockSignal })),
});
export type AssessAnswer = z.infer<typeof assessAnswer>;

/** Answer of `POST /v1/plan`. */
export const planView = z.object({
  deployment: z.string(),
  change: z.enum(['new', 'new-revision', 'scale', 'settings', 'none']),
  revision: z.int(),
  replicas: z.object({ from: z.int(), to: z.int() }),
  differences: z.array(z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })),
  rungs: z.array(z.object({ rung: z.int(), placement, signal: stockSignal, verdict: z.string(), reason: z.string() })),
  spend: z.object({
    currency: z.string(),
    /** Null where a price is not known. */
    chosenHourly: z.string().nullable(),
    worstCaseHourly: z.string().nullable(),
    ceilingHourly: z.string().nullable(),
  }),
  notes: z.array(z.string()),
});
export type PlanView = z.infer<typeof planView>;
