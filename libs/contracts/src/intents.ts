import { z } from 'zod';
import { deploymentName, rolloutId, tenantName } from './primitives.js';
import { fieldProblem } from './problem.js';
import { budgetInput, hasCeiling } from './spec/budget.js';
import { MAX_REPLICAS } from './spec/deployment.js';

/** What may be asked for, by kind of thing: `POST /v1/intents/<kind>/<verb>`, and `davit.intent.<kind>.<verb>` on the bus. */
export const INTENTS = {
  deployment: ['apply', 'delete', 'cancel', 'retry', 'scale', 'pause', 'resume'],
  fleet: ['thaw'],
  orphan: ['reap'],
  tenant: ['set-budget', 'clear-budget'],
  rollout: ['approve', 'reject', 'abort'],
} as const;
export type IntentKind = keyof typeof INTENTS;
export type IntentVerb<Kind extends IntentKind = IntentKind> = (typeof INTENTS)[Kind][number];

const asked = {
  /** Same key and same content give the same answer; same key and other content are a conflict. */
  idempotencyKey: z.string().min(1).max(200).optional(),
  actor: z.string().min(1).max(200).optional(),
};
const askedOfDeployment = {
  ...asked,
  /**
   * The position that whoever asks has read the deployment at: a later order of somebody else refuses the intent. 0 for a deployment
   * that must not be there yet.
   */
  ifMatch: z.int().nonnegative().optional(),
};
/** Why, in the words of whoever asks; it stays in the log. */
const reason = z.string().trim().min(1).max(2_000);

/** Body of `davit.intent.deployment.apply` and of `POST /v1/intents/deployment/apply`. */
export const applyIntent = z.strictObject({
  ...askedOfDeployment,
  /** The manifest as the user wrote it. */
  deployment: z.unknown(),
});
export type ApplyIntent = z.infer<typeof applyIntent>;

/** Body of the intents to delete, to cancel (a rollout), to retry (starts that were given up) and to resume a deployment. */
export const deploymentIntent = z.strictObject({
  ...askedOfDeployment,
  name: deploymentName,
  tenant: tenantName.default('default'),
});
export type DeploymentIntent = z.infer<typeof deploymentIntent>;

/** Body of `deployment.scale`: as many replicas from now on, and all else as it was declared. */
export const scaleIntent = deploymentIntent.extend({ replicas: z.int().nonnegative().max(MAX_REPLICAS) });
export type ScaleIntent = z.infer<typeof scaleIntent>;

/** Body of `deployment.pause`: what serves stays, and nothing is started, replaced or deleted before it is resumed. */
export const pauseIntent = deploymentIntent.extend({ reason });
export type PauseIntent = z.infer<typeof pauseIntent>;

/** Body of `fleet.thaw`: the deaths are real, go on. */
export const thawIntent = z.strictObject({ ...asked, reason });
export type ThawIntent = z.infer<typeof thawIntent>;

/** Body of `orphan.reap`: this orphan may be deleted. */
export const reapIntent = z.strictObject({
  ...asked,
  /** Its key, as `GET /v1/orphans` has it. */
  orphan: z.string().min(1).max(300),
  reason,
});
export type ReapIntent = z.infer<typeof reapIntent>;

/** Body of `rollout.approve` and `rollout.reject`: the word on what a rollout waits with. */
export const rolloutIntent = z.strictObject({
  ...asked,
  rollout: rolloutId,
  /** Of the evidence that was read, as `GET /v1/rollouts` has it; another one than what waits now is refused. */
  evidenceDigest: z.string().regex(/^[0-9a-f]{64}$/),
  reason,
});
export type RolloutIntent = z.infer<typeof rolloutIntent>;

/** Body of `rollout.abort`: stop it, however far it is. */
export const abortRolloutIntent = rolloutIntent.extend({
  evidenceDigest: rolloutIntent.shape.evidenceDigest.optional(),
});
export type AbortRolloutIntent = z.infer<typeof abortRolloutIntent>;

/** Body of `tenant.set-budget`: what all deployments of a tenant may spend together, from now on. */
export const setBudgetIntent = z.strictObject({
  ...asked,
  tenant: tenantName.default('default'),
  budget: budgetInput.refine(hasCeiling, {
    error: 'is without a ceiling; write maxHourly, maxTotal, or both',
  }),
});
export type SetBudgetIntent = z.infer<typeof setBudgetIntent>;

/** Body of `tenant.clear-budget`: the tenant has no ceiling any more. */
export const clearBudgetIntent = z.strictObject({ ...asked, tenant: tenantName.default('default') });
export type ClearBudgetIntent = z.infer<typeof clearBudgetIntent>;

const accepted = {
  outcome: z.literal('accepted'),
  intentId: z.uuid(),
  /** False when it already was so. */
  changed: z.boolean(),
  /** Position of the `intent.accepted` event. */
  position: z.int().positive(),
};
const rejectedAnswer = z.object({
  outcome: z.literal('rejected'),
  intentId: z.uuid(),
  code: z.string(),
  detail: z.string(),
  problems: z.array(fieldProblem),
  position: z.int().positive(),
});

/** The answer to an intent over a deployment, given only after its event is in the log. */
export const deploymentAnswer = z.discriminatedUnion('outcome', [
  z.object({ ...accepted, deployment: z.string(), revision: z.int().positive(), generation: z.int().positive() }),
  rejectedAnswer,
]);
export type DeploymentAnswer = z.infer<typeof deploymentAnswer>;

/** The answer to an intent over something else, which `about` names. */
export const orderAnswer = z.discriminatedUnion('outcome', [
  z.object({ ...accepted, about: z.string() }),
  rejectedAnswer,
]);
export type OrderAnswer = z.infer<typeof orderAnswer>;

export const intentAnswer = z.union([deploymentAnswer, orderAnswer]);
export type IntentAnswer = z.infer<typeof intentAnswer>;
