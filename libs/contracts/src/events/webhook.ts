import { z } from 'zod';
import { keyTenants } from '../access.js';
import { suspension, webhookFilter, webhookId, webhookSecret } from '../webhook.js';
import { defineEvent } from './define.js';

const webhook = { webhookId, tenants: keyTenants };
const eventPosition = z.int().positive();

/** Stream `webhook/<id>`, written by spec-api. */
export const webhookEvents = [
  defineEvent(
    'davit.webhook.registered',
    1,
    z.strictObject({
      ...webhook,
      name: z.string().min(1).max(100),
      url: z.string().max(2_000),
      filter: webhookFilter,
      secret: webhookSecret,
      /** Events after this position are sent. */
      after: z.int().nonnegative(),
    }),
  ),
  defineEvent('davit.webhook.removed', 1, z.strictObject({ ...webhook, reason: z.string().max(2_000) })),
  /** So many more were taken, and nothing up to `upTo` is still to be sent. Written at most every 15 s. */
  defineEvent(
    'davit.webhook.progressed',
    1,
    z.strictObject({ ...webhook, upTo: eventPosition, delivered: z.int().nonnegative() }),
  ),
  /** The receiver did not take this event, however often it was sent; what follows it is sent now. */
  defineEvent(
    'davit.webhook.dead-lettered',
    1,
    z.strictObject({
      ...webhook,
      eventPosition,
      eventId: z.uuid(),
      eventType: z.string(),
      attempts: z.int().positive(),
      status: z.int().nullable(),
      detail: z.string().max(300),
    }),
  ),
  /** Nothing is sent until it is resumed; the log keeps what it misses. */
  defineEvent(
    'davit.webhook.suspended',
    1,
    z.strictObject({ ...webhook, reason: suspension, detail: z.string().max(300) }),
  ),
  defineEvent('davit.webhook.resumed', 1, z.strictObject(webhook)),
  defineEvent(
    'davit.webhook.redelivery-requested',
    1,
    z.strictObject({ ...webhook, positions: z.array(eventPosition).min(1).max(100) }),
  ),
  /** A dead letter was taken after all. */
  defineEvent('davit.webhook.redelivered', 1, z.strictObject({ ...webhook, eventPosition })),
] as const;
