import type { Metrics } from '@davit/service-kit';
import { DELIVERY_OUTCOMES, WEBHOOK_DELIVERIES } from './definitions.js';

/** Counts deliveries; every outcome is there from the start. */
export function deliveryMetrics(metrics: Metrics): (outcome: (typeof DELIVERY_OUTCOMES)[number]) => void {
  const counted = metrics.counter(WEBHOOK_DELIVERIES);
  for (const outcome of DELIVERY_OUTCOMES) counted.inc({ outcome }, 0);
  return (outcome) => counted.inc({ outcome });
}
