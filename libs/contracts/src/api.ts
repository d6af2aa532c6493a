import { z } from 'zod';
import { errorClass, hourlyPrice, instant } from './primitives.js';
import { drainingTarget, routeTarget } from './events/route.js';
import { placement, stockSignal } from './placement.js';
import { MAX_PLACEMENTS, normalisedDeployment } from './spec/deployment.js';

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
  /** Since when, why, and by whom it is paused: nothing is started, replaced or deleted meanwhile. */
  paused: z.object({ since: instant, reason: z.string(), actor: z.string().nullable() }).nullable().default(null),
  conditions: z.array(
    z.object({ condition: z.string(), status: z.string(), reason: z.string(), message: z.string(), since: instant }),
  ),
  position: z.int(),
});
export type DeploymentView = z.infer<typeof deploymentView>;

/** How far a start has come: the provider tells the first two, the model server the others. */
export const START_PHASES = ['provisioning', 'pulling', 'loading', 'warming', 'serving'] as const;
export type StartPhase = (typeof START_PHASES)[number];

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
  /** Null where nobody told. */
  phase: z.enum(START_PHASES).nullable().default(null),
  since: instant,
  placement: placement.nullable(),
  price: hourlyPrice.nullable(),
  url: z.string().nullable(),
  /** Why it is in this state and, when it waits, for what and until when. */
  why: z.string(),
  waitsUntil: instant.nullable(),
  /** What it waits for: since when, until when at most (null: until a person acts), and what happens then. */
  wait: z
    .object({ reason: z.string(), since: instant, deadline: instant.nullable(), next: z.string() })
    .nullable()
    .default(null),
  /** When a start on this offer is likely to serve, by the median of those that did; null while none did, and for what has served. */
  expectedReadyAt: instant.nullable().default(null),
  /** Where its start is stuck, and what a person can do about it. */
  diagnosis: z
    .object({ boundary: z.string(), class: errorClass, detail: z.string(), remedy: z.string(), since: instant })
    .nullable()
    .default(null),
  /** Keys of orphans that carry its name beside the thing it owns. */
  duplicates: z.array(z.string()).default([]),
  position: z.int(),
});
export type ReplicaView = z.infer<typeof replicaView>;

/** Answer of `GET /v1/deployments/{tenant}/{name}`. */
export const deploymentDetail = deploymentView.extend({
  spec: normalisedDeployment,
  /** Those that are not proven gone. */
  replicas: z.array(replicaView),
});
export type DeploymentDetail = z.infer<typeof deploymentDetail>;

/** Row of `GET /v1/routes`: the present snapshot of one alias. */
export const routeView = z.object({
  alias: z.string(),
  tenant: z.string(),
  model: z.string(),
  snapshot: z.int(),
  /** Where new requests go; empty only because events say so: the one that published it, or those by which what is withheld lost its proof. */
  targets: z.array(routeTarget),
  /** Where requests that began may end, each with its deadline. */
  draining: z.array(drainingTarget).default([]),
  /** Of the `snapshot-published` event that this is, if it is whole. */
  digest: z.string(),
  /**
   * How many targets are left out because they lost their proof and nobody withdrew them in time. They come back with a proof, or go with
   * the next snapshot.
   */
  withheld: z.int().positive().optional(),
  /**
   * Where the log last changed it. Of two words on one snapshot the one with the larger position is newer, and at one position the one
   * that withholds more.
   */
  position: z.int(),
});
export type RouteView = z.infer<typeof routeView>;

/** Question and answer on `davit.rpc.capacity-advisor.assess`; nothing is changed or recorded. */
export const assessRequest = z.strictObject({
  placements: z.array(placement).min(1).max(MAX_PLACEMENTS),
  diskGiB: z.int().positive().optional(),
});
export const assessAnswer = z.object({
  signals: z.array(z.object({ rung: z.int(), placement, signal: stockSignal })),
});
export type AssessAnswer = z.infer<typeof assessAnswer>;

/** Row of `GET /v1/orphans`: something at a provider that carries our prefix and that no live replica owns. */
export const orphanView = z.object({
  key: z.string(),
  tenant: z.string(),
  externalKey: z.string(),
  adapter: z.string(),
  /** The provider's own identity of it, where it tells one. */
  providerId: z.string().nullable(),
  /** The replica it was rented for, where the log knows one. */
  replica: z.string().nullable(),
  reason: z.enum(['no-owner', 'owner-gone', 'duplicate', 'canary-left']),
  policy: z.enum(['report', 'approve', 'auto']),
  state: z.enum(['quarantined', 'reaping', 'cleared', 'gone']),
  since: instant,
  /** Nothing is done to it before this instant. */
  quarantinedUntil: instant,
  approvedAt: instant.nullable(),
  price: hourlyPrice.nullable(),
  /** What is known of it, and what happens next. */
  why: z.string(),
  position: z.int(),
});
export type OrphanView = z.infer<typeof orphanView>;

/** Row of `GET /v1/alarms`: an alarm that is up. */
export const alarmView = z.object({
  alarm: z.string(),
  about: z.string(),
  tenant: z.string(),
  severity: z.enum(['warning', 'critical']),
  detail: z.string(),
  since: instant,
  position: z.int(),
});
export type AlarmView = z.infer<typeof alarmView>;

/** An alarm that is down again. */
export const clearedAlarm = z.object({
  alarm: z.string(),
  about: z.string(),
  tenant: z.string(),
  at: instant,
  position: z.int(),
});
export type ClearedAlarm = z.infer<typeof clearedAlarm>;

/** Answer of `GET /v1/fleet`: what counts for the freeze. */
export const fleetView = z.object({
  /** Replicas that are ready and not on their way out. */
  serving: z.int(),
  /** Serving replicas given up because of what was observed, the latest last; a thaw settles them. */
  losses: z.array(z.object({ replica: z.string(), at: instant })),
  frozen: z.object({ since: instant, detail: z.string() }).nullable(),
  /** An order to thaw that is not carried out yet. */
  thawOrdered: z.object({ at: instant, reason: z.string() }).nullable(),
  position: z.int(),
});
export type FleetView = z.infer<typeof fleetView>;
