import { z } from 'zod';
import { createWebhookRequest, redeliverRequest, removeWebhookRequest, webhookId, webhookView } from '../../webhook.js';
import { defineOperation } from './define.js';
import { flag, listing } from './parameters.js';

const webhook = { tag: 'webhooks', role: 'admin' } as const;
const one = { ...webhook, params: z.strictObject({ id: webhookId }), responses: { 200: webhookView } } as const;

export const listWebhooks = defineOperation({
  ...webhook,
  id: 'listWebhooks',
  method: 'GET',
  path: '/v1/webhooks',
  summary: 'Who is sent events over HTTP, and how it goes',
  query: z.strictObject({ all: flag.default(false).describe('Also those that were removed.') }),
  responses: { 200: listing(webhookView) },
});

export const getWebhook = defineOperation({
  ...one,
  id: 'getWebhook',
  method: 'GET',
  path: '/v1/webhooks/{id}',
  summary: 'One webhook, with its dead letters',
});

export const createWebhook = defineOperation({
  ...webhook,
  id: 'createWebhook',
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Registers a receiver of events',
  description:
    'Events are posted one at a time in the order of the log, each at least once, signed by Standard Webhooks: the id of a delivery is that of its event.',
  headers: z.object({ 'idempotency-key': z.string().min(1).max(200).optional() }),
  body: createWebhookRequest,
  responses: { 201: webhookView },
  problems: [409, 422],
});

export const removeWebhook = defineOperation({
  ...one,
  id: 'removeWebhook',
  method: 'POST',
  path: '/v1/webhooks/{id}/remove',
  summary: 'Sends nothing more, for good',
  body: removeWebhookRequest,
  problems: [404, 422],
});

export const resumeWebhook = defineOperation({
  ...one,
  id: 'resumeWebhook',
  method: 'POST',
  path: '/v1/webhooks/{id}/resume',
  summary: 'Goes on with one that was suspended: what it missed is sent',
  problems: [404, 409],
});

export const redeliverToWebhook = defineOperation({
  ...one,
  id: 'redeliverToWebhook',
  method: 'POST',
  path: '/v1/webhooks/{id}/redeliver',
  summary: 'Sends dead letters once more',
  body: redeliverRequest,
  problems: [404, 409, 422],
});
