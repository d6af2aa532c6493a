import { z } from 'zod';
import { deploymentName, tenantName } from './primitives.js';
import { fieldProblem } from './problem.js';

/** Body of `davit.intent.deployment.apply` and of `POST /v1/intents/deployment/apply`. */
export const applyIntent = z.strictObject({
  /** Same key and same content give the same answer; same key and other content are a conflict. */
  idempotencyKey: z.string().min(1).max(200).optional(),
  actor: z.string().min(1).max(200).optional(),
  /** The manifest as the user wrote it. */
  deployment: z.unknown(),
});
export type ApplyIntent = z.infer<typeof applyIntent>;

/** Body of `davit.intent.deployment.delete`. */
export const deleteIntent = z.strictObject({
  idempotencyKey: z.string().min(1).max(200).optional(),
  actor: z.string().min(1).max(200).optional(),
  name: deploymentName,
  tenant: tenantName.default('default'),
});
export type DeleteIntent = z.infer<typeof deleteIntent>;

/** The answer to an intent, given only after its event is in the log. */
export const intentAnswer = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('accepted'),
    intentId: z.uuid(),
    deployment: z.string(),
    revision: z.int().positive(),
    generation: z.int().positive(),
    changed: z.boolean(),
    /** Position of the `intent.accepted` event. */
    position: z.int().positive(),
  }),
  z.object({
    outcome: z.literal('rejected'),
    intentId: z.uuid(),
    code: z.string(),
    detail: z.string(),
    problems: z.array(fieldProblem),
    position: z.int().positive(),
  }),
]);
export type IntentAnswer = z.infer<typeof intentAnswer>;
