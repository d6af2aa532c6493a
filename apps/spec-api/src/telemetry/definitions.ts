import { MESSAGE_METRICS, type MetricDefinition } from '@davit/service-kit';

export const REFUSED: MetricDefinition<'reason'> = {
  type: 'counter',
  name: 'davit_access_refused_total',
  help: 'Requests that were refused because of who asked, or how often',
  labels: { reason: ['unauthenticated', 'forbidden', 'too-many-requests'] },
};

export const METRICS: readonly MetricDefinition[] = [REFUSED, ...MESSAGE_METRICS];
