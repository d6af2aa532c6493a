import { type Counter, type Histogram, collectDefaultMetrics } from 'prom-client';
import { MetricSet } from './metric-set.js';
import * as common from './service-metrics.js';

/** Metrics of one process. Every series exists from the start, so that a rate over "never happened" is zero, not absent. */
export class Metrics extends MetricSet {
  readonly appends: Counter<'outcome'>;
  readonly appendSeconds: Histogram;
  readonly httpRequests: Counter<'method' | 'route' | 'status'>;
  readonly httpSeconds: Histogram<'route'>;

  constructor(service: string) {
    super();
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry });
    this.appends = this.counter(common.APPENDS);
    this.appendSeconds = this.histogram(common.APPEND_SECONDS);
    this.httpRequests = this.counter(common.HTTP_REQUESTS);
    this.httpSeconds = this.histogram(common.HTTP_SECONDS);
  }
}
