import { type ErrorClass, errorClass } from '@davit/contracts';
import type { MetricDefinition } from './definition.js';
import type { Metrics } from './metrics.js';

/** Classes of a failure; `none` of what did not fail, or did not say. */
const CLASSES = [...errorClass.options, 'none'] as const;

export const PROVIDER_CALLS: MetricDefinition<'provider' | 'call' | 'outcome' | 'class'> = {
  type: 'counter',
  name: 'davit_provider_calls_total',
  help: 'Calls of providers that have ended: answered, failed with a class of error, or lost without an answer',
  labels: { provider: 'open', call: 'open', outcome: ['answered', 'failed', 'lost'], class: CLASSES },
};
export const PROVIDER_SECONDS: MetricDefinition<'provider'> = {
  type: 'histogram',
  name: 'davit_provider_call_seconds',
  help: 'Time of one call of a provider',
  labels: { provider: 'open' },
  buckets: [0.05, 0.2, 0.5, 1, 2, 5, 15, 60, 300],
};

/** Of services that call providers. */
export const PROVIDER_METRICS: readonly MetricDefinition[] = [PROVIDER_CALLS, PROVIDER_SECONDS];

type Call = {
  readonly call: string;
  readonly outcome: 'answered' | 'failed' | 'lost';
  readonly class: ErrorClass | null;
  readonly seconds: number;
};

/**
 * Registers them for providers with all their calls; the answer makes what an adapter tells of its calls.
 * @param calls names of calls by provider
 */
export function providerMetrics<Provider extends string>(
  metrics: Metrics,
  calls: Readonly<Record<Provider, readonly string[]>>,
): (provider: Provider) => (call: Call) => void {
  const counted = metrics.counter(PROVIDER_CALLS);
  const seconds = metrics.histogram(PROVIDER_SECONDS);
  for (const [provider, names] of Object.entries<readonly string[]>(calls)) {
    seconds.zero({ provider });
    for (const call of names) {
      for (const outcome of ['answered', 'lost']) counted.inc({ provider, call, outcome, class: 'none' }, 0);
      for (const failure of errorClass.options) counted.inc({ provider, call, outcome: 'failed', class: failure }, 0);
    }
  }
  return (provider) => (ended) => {
    const { call, outcome } = ended;
    counted.inc({ provider, call, outcome, class: ended.class ?? 'none' });
    seconds.observe({ provider }, ended.seconds);
  };
}
