import { z } from 'zod';
import { deploymentKey, externalKey, instant, replicaId } from '../../primitives.js';
import { defineEvent } from '../define.js';
import { attempt, detail, digest, id, leaseEpoch, refusal, templateIdentity, workerView } from './shapes.js';

/** Why a candidate does not stay. */
export const rolloutEndReason = z.enum([
  'candidate-failed',
  'bounds-infeasible',
  'load-not-converged',
  'load-failed',
  'not-approved',
  'operator-rejected',
  'operator-aborted',
  'superseded',
  'replica-lost',
  'deployment-deleted',
  'deadline',
  'update-refused',
  'not-converged',
  'queue-breach',
  'verdict-reject',
  'no-verdict',
  'rollback-target-lost',
  /** A key, or the account, may not do what the rollout needs; nobody tries again with another one. */
  'access-denied',
  /** The canary cost more than it may, by its own ceiling or by a budget. */
  'canary-spend',
]);
export type RolloutEndReason = z.infer<typeof rolloutEndReason>;

const revision = z.int().positive();
const end = { ...id, deployment: deploymentKey, revision, replicaId };
const why = { reason: rolloutEndReason, detail };

/** Nothing is over before the canary is proven gone. */
export const endingEvents = [
  /** Production was not touched and will not be: only the canary is still to go. */
  defineEvent('davit.rollout.withdrawn', 1, z.strictObject({ ...id, ...why })),
  /** The endpoint of this key may be deleted. */
  defineEvent('davit.rollout.canary-removal-requested', 1, z.strictObject({ ...id, externalKey, deadlineAt: instant })),
  defineEvent(
    'davit.rollout.canary-removed',
    1,
    z.strictObject({
      ...id,
      externalKey,
      /** The event that confirmed its absence. */
      absence: z.uuid(),
      absentSince: instant,
    }),
  ),
  /** The workergroup of production is about to be pointed back at the template that served before. */
  defineEvent(
    'davit.rollout.rollback-attempted',
    1,
    z.strictObject({
      ...id,
      ...why,
      attempt,
      workergroupId: z.int().positive(),
      to: templateIdentity,
      leaseEpoch,
    }),
  ),
  /** The provider holds the old template again; its workers follow one by one. */
  defineEvent(
    'davit.rollout.rollback-triggered',
    1,
    z.strictObject({ ...id, attempt, readBack: templateIdentity, resolvedBy: z.enum(['reply', 'discovery']) }),
  ),
  defineEvent('davit.rollout.rollback-refused', 1, z.strictObject({ ...id, attempt, ...refusal })),
  defineEvent('davit.rollout.rollback-unknown', 1, z.strictObject({ ...id, attempt, detail })),
  /** Every worker is on the old template, and was so in several observations in a row. */
  defineEvent(
    'davit.rollout.rollback-observed',
    1,
    z.strictObject({ ...id, workers: z.array(workerView).max(1_000), observations: z.int().min(2) }),
  ),
  defineEvent('davit.rollout.rejected', 1, z.strictObject({ ...end, ...why })),
  defineEvent('davit.rollout.rolled-back', 1, z.strictObject({ ...end, ...why, workers: z.int().nonnegative() })),
  /** The replica is of this revision from now on. */
  defineEvent(
    'davit.rollout.accepted',
    1,
    z.strictObject({
      ...end,
      template: templateIdentity,
      workers: z.int().positive(),
      /** Of the verdict that it rests on. */
      bundleDigest: digest,
    }),
  ),
] as const;
