import { MESSAGE_METRICS, type MetricDefinition } from '@davit/service-kit';

export const REFUSED: MetricDefinition<'reason'> = {
  type: 'counter',
  name: 'davit_access_refused_total',
  help: 'Requests that were refused because of who asked, or how often',
  labels: { reason: ['unauthenticated', 'forbidden', 'too-many-requests'] },
};

export const DELIVERY_OUTCOMES = ['taken', 'gone', 'refused', 'busy', 'unreachable'] as const;

export const WEBHOOK_DELIVERIES: MetricDefinition<'outcome'> = {
  type: 'counter',
  name: 'davit_webhook_deliveries_total',
  help: 'Events posted to receivers of webhooks: taken, refused by an answer, put off, or not answered at all',
  labels: { outcome: DELIVERY_OUTCOMES },
};

export const METRICS: readonly MetricDefinition[] = [REFUSED, WEBHOOK_DELIVERIES, ...MESSAGE_METRICS];
