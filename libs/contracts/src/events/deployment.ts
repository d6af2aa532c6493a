import { z } from 'zod';
import { rolloutId } from '../primitives.js';
import { normalisedDeployment } from '../spec/deployment.js';
import { defineEvent } from './define.js';

const rolloutOrder = z.strictObject({
  intentId: z.uuid(),
  rolloutId,
  evidenceDigest: z.string().length(64),
  /** Who says so, as far as the intent tells. */
  actor: z.string().nullable(),
  reason: z.string().max(2_000),
});

/** Stream `deployment/<tenant>/<name>`, written by spec-api (declared, deletion-requested) and then orchestrator. */
export const deploymentEvents = [
  defineEvent(
    'davit.deployment.declared',
    1,
    z.strictObject({
      intentId: z.uuid(),
      /** Grows with every change of the specification. */
      generation: z.int().positive(),
      /**
       * Another one only when what a replica is made of changes: a number never used before, or that of the active revision
       * when the specification goes back to it.
       */
      revision: z.int().positive(),
      /** SHA-256 of the parts of the specification that make a revision. */
      templateDigest: z.string().length(64),
      spec: normalisedDeployment,
    }),
  ),
  defineEvent('davit.deployment.deletion-requested', 1, z.strictObject({ intentId: z.uuid() })),
  /** Starts that were given up may be paid for again. */
  defineEvent('davit.deployment.retry-requested', 1, z.strictObject({ intentId: z.uuid() })),
  /** What serves stays, and nothing is started, replaced or deleted until it is resumed or deleted. */
  defineEvent(
    'davit.deployment.paused',
    1,
    z.strictObject({ intentId: z.uuid(), reason: z.string().min(1).max(2_000) }),
  ),
  defineEvent('davit.deployment.resumed', 1, z.strictObject({ intentId: z.uuid() })),
  defineEvent(
    'davit.deployment.revision-activated',
    1,
    z.strictObject({ revision: z.int().positive(), previous: z.int().positive().nullable() }),
  ),
  defineEvent(
    'davit.deployment.condition-changed',
    1,
    z.strictObject({
      condition: z.enum(['Available', 'Progressing', 'WithinBudget']),
      status: z.enum(['true', 'false', 'unknown']),
      reason: z.string(),
      message: z.string(),
      generation: z.int().positive(),
    }),
  ),
  /** An operator's word on what a rollout has shown: the digest names exactly what was read. */
  defineEvent('davit.deployment.rollout-approved', 1, rolloutOrder),
  defineEvent('davit.deployment.rollout-rejected', 1, rolloutOrder),
  /** Stop, however far it is: what production was changed to is taken back. */
  defineEvent(
    'davit.deployment.rollout-aborted',
    1,
    rolloutOrder.extend({ evidenceDigest: rolloutOrder.shape.evidenceDigest.nullable() }),
  ),
  defineEvent('davit.deployment.deleted', 1, z.strictObject({ generation: z.int().positive() })),
] as const;
