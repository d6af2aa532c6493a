import { z } from 'zod';
import { MAX_WEIGHT, deploymentKey, hourlyPrice, instant, replicaId } from '../primitives.js';
import { defineEvent } from './define.js';

/**
 * Where requests for a model alias may go: one proven incarnation of one replica. What logs of older versions lack is
 * optional: they hold neither generation nor weight.
 */
export const routeTarget = z.strictObject({
  replica: replicaId,
  /** The owner: only its replicas serve under this registration. */
  deployment: deploymentKey,
  revision: z.int().positive(),
  incarnation: z.int().positive().optional(),
  /** Number of the snapshot that it was registered with; a newer registration of the same replica has a higher one. */
  generation: z.int().positive().optional(),
  url: z.url(),
  /** Name that requests must carry. */
  model: z.string(),
  /** Further names that requests may carry: adapters loaded beside the model. */
  adapters: z.array(z.string()).max(256).optional(),
  /** Share of the requests relative to the other targets. */
  weight: z.int().nonnegative().max(MAX_WEIGHT).optional(),
  /** The deployment's own labels. */
  labels: z.record(z.string(), z.string()).optional(),
  /** What it cost when it was registered: a hint for whoever prefers the cheap; null where nobody said. */
  price: hourlyPrice.nullable().optional(),
});
export type RouteTarget = z.infer<typeof routeTarget>;

/** A target that gets no new requests and may finish those it has. */
export const drainingTarget = routeTarget.extend({
  /** When it is stopped, whatever still runs. */
  drainUntil: instant,
});
export type DrainingTarget = z.infer<typeof drainingTarget>;

/** `<tenant>/<served name>` or `<tenant>/<alias>`. */
const alias = z.string().min(3);
/** Number of the snapshot that this change leads to; grows by one with each snapshot of the alias. */
const snapshot = z.int().positive();

/** Stream `route/<alias>`, written by router-registry. */
export const routeEvents = [
  defineEvent('davit.route.registered', 1, z.strictObject({ alias, snapshot, target: routeTarget })),
  defineEvent(
    'davit.route.withdrawn',
    1,
    z.strictObject({
      alias,
      snapshot,
      replica: replicaId,
      reason: z.string(),
      /** Of the registration that ends; absent in logs of older versions. */
      generation: z.int().positive().optional(),
      /** There when its requests may finish until then. */
      drainUntil: instant.optional(),
    }),
  ),
  defineEvent(
    'davit.route.drained',
    1,
    z.strictObject({
      alias,
      snapshot,
      replica: replicaId,
      generation: z.int().positive().optional(),
      /** `gone`: it was lost before its requests were seen to end. */
      outcome: z.enum(['idle', 'deadline', 'not-serving', 'gone']),
      /** Requests still running when it was stopped; null when the engine could not say. */
      cutRequests: z.int().nonnegative().nullable(),
    }),
  ),
  defineEvent(
    'davit.route.snapshot-published',
    1,
    z.strictObject({
      alias,
      snapshot,
      targets: z.array(routeTarget),
      /** Absent where none drains. */
      draining: z.array(drainingTarget).optional(),
      /** SHA-256 of the canonical JSON of `targets` followed by `draining`, hexadecimal. */
      digest: z.string().length(64),
    }),
  ),
] as const;
