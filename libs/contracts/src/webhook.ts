import { z } from 'zod';
import { keyTenants } from './access.js';
import { EVENT_CATEGORIES } from './events/define.js';
import { deploymentKey, instant } from './primitives.js';

/** Names a webhook for ever. */
export const webhookId = z
  .string()
  .regex(/^[a-z0-9]{12}$/, { error: 'is not the id of a webhook; see `GET /v1/webhooks`' });

const eventTypeName = z.string().regex(/^davit\.[a-z]+\.[a-z-]+$/, {
  error: 'is not the type of an event, for example "davit.route.snapshot-published"',
});

/** Which events are sent; what is absent leaves everything in. Events about webhooks are never sent. */
export const webhookFilter = z.strictObject({
  categories: z.array(z.enum(EVENT_CATEGORIES)).min(1).max(20).optional(),
  types: z.array(eventTypeName).min(1).max(100).optional(),
  deployment: deploymentKey.optional(),
});
export type WebhookFilter = z.infer<typeof webhookFilter>;

/** Variables that signing secrets may come from: nothing else of the surroundings can be asked for. */
export const WEBHOOK_SECRET_PREFIX = 'DAVIT_WEBHOOK_SECRET_';

/** Where the signing secret comes from at the moment of signing; its value is never stored. */
export const webhookSecret = z.strictObject({
  env: z.string().regex(new RegExp(`^${WEBHOOK_SECRET_PREFIX}[A-Z0-9_]{1,60}$`), {
    error: `is not a variable for signing secrets; write ${WEBHOOK_SECRET_PREFIX} and a name, for example "${WEBHOOK_SECRET_PREFIX}BILLING"`,
  }),
});

export const suspension = z.enum(['gone', 'refusing', 'unreachable']);

/** Body of `POST /v1/webhooks`. */
export const createWebhookRequest = z.strictObject({
  /** What it is for, for people. */
  name: z.string().trim().min(1).max(100),
  /** Where events are posted to. It is stored, so it must hold no secret. */
  url: z.string().max(2_000),
  tenants: keyTenants,
  filter: webhookFilter.default({}),
  secret: webhookSecret,
  /** Events after this position are sent; those that come from now on, where it is absent. */
  after: z.int().nonnegative().optional(),
});
export type CreateWebhookRequest = z.output<typeof createWebhookRequest>;

/** Body of `POST /v1/webhooks/{id}/redeliver`. */
export const redeliverRequest = z.strictObject({
  /** Positions of dead letters that are sent once more; all of them where it is absent. */
  positions: z.array(z.int().positive()).min(1).max(100).optional(),
});

/** Body of `POST /v1/webhooks/{id}/remove`. */
export const removeWebhookRequest = z.strictObject({ reason: z.string().trim().min(1).max(2_000) });

/** An event that its receiver did not take. */
export const deadLetterView = z.object({
  position: z.int().positive(),
  eventId: z.uuid(),
  type: z.string(),
  attempts: z.int().positive(),
  /** What the receiver answered last; null where it did not answer. */
  status: z.int().nullable(),
  detail: z.string(),
  at: instant,
  /** Asked for once more, and not yet taken. */
  again: z.boolean(),
});

/** A webhook as it is shown. */
export const webhookView = z.object({
  id: webhookId,
  name: z.string(),
  url: z.string(),
  tenants: keyTenants,
  filter: webhookFilter,
  secret: webhookSecret,
  state: z.enum(['active', 'suspended', 'removed']),
  /** Why nothing is sent; null while it is active. */
  suspended: z.object({ reason: suspension, detail: z.string(), since: instant }).nullable(),
  /** All that came up to here was sent, was not asked for, or is a dead letter. What was sent since is told at most every 15 s. */
  cursor: z.int().nonnegative(),
  delivered: z.int().nonnegative(),
  deadLetters: z.array(deadLetterView),
  createdAt: instant,
  createdBy: z.string().nullable(),
  position: z.int(),
});
export type WebhookView = z.infer<typeof webhookView>;
