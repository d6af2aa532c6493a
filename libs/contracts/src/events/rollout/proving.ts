import { z } from 'zod';
import { deploymentKey, externalKey, replicaId } from '../../primitives.js';
import { evidencePolicy } from '../../spec/evidence-policy.js';
import { defineEvent } from '../define.js';
import {
  arithmeticLine,
  attempt,
  detail,
  digest,
  id,
  leaseEpoch,
  MOST_BASELINE_SUMMARIES,
  rolloutMoney,
  scalingBounds,
  templateIdentity,
  windowSummary,
} from './shapes.js';

const revision = z.int().positive();
const whose = { deployment: deploymentKey, revision, fromRevision: revision, replicaId };

/** The candidate proves itself on an endpoint of its own; production is not touched. */
export const provingEvents = [
  defineEvent(
    'davit.rollout.started',
    1,
    z.strictObject({
      ...id,
      ...whose,
      /** Of the production endpoint, and its workergroup as the provider numbers it. */
      externalKey,
      workergroupId: z.int().positive(),
      /** The template of what serves, read again and found unchanged: what a rollback goes back to. */
      rollback: templateIdentity,
      /** As it was declared then, for the whole rollout: what is declared meanwhile changes no rollout under way. */
      policy: evidencePolicy,
      /** Events that led to it. */
      because: z.array(z.uuid()).min(1).max(16),
    }),
  ),
  /** Nothing was begun, and nothing will be until another specification or a retry. */
  defineEvent(
    'davit.rollout.refused',
    1,
    z.strictObject({
      ...id,
      ...whose,
      code: z.enum([
        'rollback-target-unverified',
        'access-denied',
        'not-serving',
        'not-a-template-change',
        'already-on-candidate',
      ]),
      detail,
      remedy: z.string().max(500),
    }),
  ),
  /** A template of a name never used before is about to be created for the candidate. */
  defineEvent(
    'davit.rollout.template-attempted',
    1,
    z.strictObject({ ...id, attempt, name: z.string().max(200), contentDigest: digest, leaseEpoch }),
  ),
  defineEvent(
    'davit.rollout.template-recorded',
    1,
    z.strictObject({ ...id, template: templateIdentity, resolvedBy: z.enum(['declared', 'reply', 'discovery']) }),
  ),
  /** An endpoint of this key may be created for the candidate; it bills until `canary-removed`. */
  defineEvent(
    'davit.rollout.canary-requested',
    1,
    z.strictObject({ ...id, externalKey, template: templateIdentity, bounds: scalingBounds, maxSpend: rolloutMoney }),
  ),
  defineEvent(
    'davit.rollout.candidate-proved',
    1,
    z.strictObject({
      ...id,
      loadMs: z.int().nonnegative(),
      readinessMs: z.int().nonnegative(),
      /** The answer had the fields of an answer of this interface. */
      responseSchema: z.string().max(200),
      /** Representative prompts, and whether the answer was as recorded; texts stay in the bundle. */
      outputs: z
        .array(z.strictObject({ prompt: digest, output: digest, agrees: z.literal(true), by: z.string().max(200) }))
        .min(1)
        .max(256),
      evidenceDigest: digest,
    }),
  ),
  defineEvent(
    'davit.rollout.candidate-failed',
    1,
    z.strictObject({
      ...id,
      step: z.enum(['template', 'launch', 'load', 'readiness', 'response-schema', 'outputs']),
      detail,
      evidenceDigest: digest.nullable(),
    }),
  ),
  defineEvent(
    'davit.rollout.bounds-set',
    1,
    z.strictObject({
      ...id,
      bounds: scalingBounds,
      /** How each was worked out, step by step. */
      arithmetic: z.array(arithmeticLine).min(1).max(64),
    }),
  ),
  /** No bounds keep objectives and budget together. */
  defineEvent(
    'davit.rollout.bounds-refused',
    1,
    z.strictObject({
      ...id,
      conflicts: z
        .array(z.strictObject({ objective: z.string().max(100), against: z.string().max(100), detail }))
        .min(1)
        .max(32),
      arithmetic: z.array(arithmeticLine).max(64),
    }),
  ),
  /** Read back from the provider: bounds are what they were meant to be. */
  defineEvent(
    'davit.rollout.bounds-applied',
    1,
    z.strictObject({ ...id, to: z.enum(['canary', 'production']), readBack: scalingBounds }),
  ),
  /** Load that costs money is about to be sent to the canary. */
  defineEvent(
    'davit.rollout.load-attempted',
    1,
    z.strictObject({
      ...id,
      ramp: z.int().min(1).max(3),
      attempt,
      profileDigest: digest,
      maxRequests: z.int().positive(),
      maxSpend: rolloutMoney,
      leaseEpoch,
    }),
  ),
  defineEvent(
    'davit.rollout.load-profile-run',
    1,
    z.strictObject({
      ...id,
      ramp: z.int().min(1).max(3),
      attempt,
      steps: z
        .array(z.strictObject({ requestsPerSecond: z.number().nonnegative(), window: windowSummary }))
        .min(1)
        .max(200),
      /** Whether the engine has learned enough to stop; decided from the ramps before it, so only for the last. */
      converged: z.boolean(),
      criterion: z.string().max(500),
      evidenceDigest: digest,
    }),
  ),
  defineEvent(
    'davit.rollout.load-aborted',
    1,
    z.strictObject({
      ...id,
      ramp: z.int().min(1).max(3),
      attempt,
      /** `interrupted`: whoever sent it is gone, and what was measured with it. */
      reason: z.enum(['interrupted', 'cap-requests', 'cap-time', 'cap-spend', 'errors', 'ordered']),
      detail,
    }),
  ),
  defineEvent(
    'davit.rollout.baseline-recorded',
    1,
    z.strictObject({
      ...id,
      /** Those that could be observed. */
      windows: z.array(windowSummary).min(1).max(MOST_BASELINE_SUMMARIES),
      evidenceDigest: digest,
    }),
  ),
] as const;
