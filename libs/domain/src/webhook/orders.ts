import type { NewEvent } from '@davit/contracts';
import type { Refused } from '../deployment/declare.js';
import type { WebhookState } from './state.js';

export type WebhookDecision = { readonly outcome: 'accepted'; readonly events: readonly NewEvent[] } | Refused;

/** Nothing is sent any more, for good; removing it again changes nothing. */
export function removeWebhook(webhook: WebhookState, reason: string): WebhookDecision {
  if (webhook.status === 'removed') return nothing;
  return accepted({ type: 'davit.webhook.removed', data: { ...named(webhook), reason } });
}

/** What was missed meanwhile is sent; resuming what is active changes nothing. */
export function resumeWebhook(webhook: WebhookState): WebhookDecision {
  if (webhook.status === 'removed') return removed(webhook);
  if (webhook.status === 'active') return nothing;
  return accepted({ type: 'davit.webhook.resumed', data: named(webhook) });
}

/** Sends dead letters once more: those at these positions, or all. */
export function redeliver(webhook: WebhookState, positions: readonly number[] | undefined): WebhookDecision {
  if (webhook.status === 'removed') return removed(webhook);
  const kept = webhook.deadLetters.map(({ eventPosition }) => eventPosition);
  const unknown = positions?.find((position) => !kept.includes(position));
  if (unknown !== undefined) {
    const detail = `there is no dead letter of position ${unknown} for ${webhook.id}`;
    return {
      outcome: 'refused',
      code: 'not-found',
      detail,
      remedy: 'See GET /v1/webhooks/{id} for those that are kept.',
    };
  }
  const wanted = webhook.deadLetters.filter(
    ({ eventPosition, again }) => !again && (positions ?? kept).includes(eventPosition),
  );
  if (wanted.length === 0) return nothing;
  const asked = wanted.map(({ eventPosition }) => eventPosition);
  return accepted({ type: 'davit.webhook.redelivery-requested', data: { ...named(webhook), positions: asked } });
}

const nothing: WebhookDecision = { outcome: 'accepted', events: [] };
const accepted = (event: NewEvent): WebhookDecision => ({ outcome: 'accepted', events: [event] });

const removed = ({ id }: WebhookState): Refused => ({
  outcome: 'refused',
  code: 'webhook-removed',
  detail: `the webhook ${id} was removed`,
  remedy: 'Register another one: POST /v1/webhooks.',
});

/** What every event of a webhook says. */
export const named = ({ id, tenants }: WebhookState): { webhookId: string; tenants: 'all' | string[] } => ({
  webhookId: id,
  tenants: tenants === 'all' ? tenants : [...tenants],
});
