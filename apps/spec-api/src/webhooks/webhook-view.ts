import type { WebhookView } from '@davit/contracts';
import type { WebhookState } from '@davit/domain';

export function webhookView(webhook: WebhookState, position: number): WebhookView {
  const { id, name, url, tenants, filter, secret, status, suspended, cursor, delivered, createdAt, createdBy } =
    webhook;
  return {
    ...{ id, name, url, filter, secret, suspended, cursor, delivered, createdAt, createdBy, position },
    tenants: tenants === 'all' ? tenants : [...tenants],
    state: status,
    deadLetters: webhook.deadLetters.map(
      ({ eventPosition, eventId, eventType, attempts, status: answer, ...rest }) => ({
        ...rest,
        ...{ position: eventPosition, eventId, type: eventType, attempts, status: answer },
      }),
    ),
  };
}
