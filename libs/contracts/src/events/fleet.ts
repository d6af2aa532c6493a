import { z } from 'zod';
import { deploymentKey, instant, replicaId } from '../primitives.js';
import { defineEvent } from './define.js';

/**
 * Stream `fleet/alarms`, written by any service; stream `fleet/losses`, written by orchestrator; stream `fleet/orders`, written
 * by spec-api.
 */
export const fleetEvents = [
  /** `alarm` and `about` together name one alarm, raised once until it is cleared. */
  defineEvent(
    'davit.fleet.alarm-raised',
    1,
    z.strictObject({
      alarm: z.string(),
      severity: z.enum(['warning', 'critical']),
      about: z.string(),
      detail: z.string(),
    }),
  ),
  defineEvent(
    'davit.fleet.alarm-cleared',
    1,
    z.strictObject({ alarm: z.string(), about: z.string(), detail: z.string() }),
  ),
  /**
   * In `fleet/losses`: a serving replica is about to be given up because of what was observed.
   * Appended together with `replica.failed`, so that losses are counted one at a time (law 12).
   */
  defineEvent(
    'davit.fleet.replica-lost',
    1,
    z.strictObject({
      replicaId,
      deployment: deploymentKey,
      reason: z.string(),
      /** When its illness was first seen; what a thaw has believed since then does not count as a loss. */
      illSince: instant.optional(),
    }),
  ),
  /** In `fleet/losses`: too many at once. Nothing more is given up on observation alone until `thawed`. */
  defineEvent(
    'davit.fleet.frozen',
    1,
    z.strictObject({
      /** Losses in the interval with the suspects beside them, against the replicas that served at its beginning. */
      lost: z.int().nonnegative(),
      suspects: z.int().nonnegative(),
      serving: z.int().nonnegative(),
      intervalMs: z.int().positive(),
      replicas: z.array(replicaId).max(50),
      detail: z.string(),
    }),
  ),
  defineEvent(
    'davit.fleet.thawed',
    1,
    z.strictObject({ why: z.enum(['recovered', 'overridden', 'time-limit']), detail: z.string() }),
  ),
  /** In `fleet/orders`: an operator says that the deaths are real. */
  defineEvent('davit.fleet.thaw-ordered', 1, z.strictObject({ intentId: z.uuid(), reason: z.string().max(2_000) })),
  /** In `fleet/orders`: an operator lets an orphan be deleted. */
  defineEvent(
    'davit.fleet.reap-approved',
    1,
    z.strictObject({
      intentId: z.uuid(),
      /** Key of the orphan's stream, as `resource.orphan-found` has it. */
      orphan: z.string(),
      reason: z.string().max(2_000),
    }),
  ),
] as const;
