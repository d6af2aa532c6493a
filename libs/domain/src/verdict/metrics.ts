import { type Signal } from './counts/spread.js';
import { type Objectives } from './window.js';

/** What is judged, and how it becomes a stream of requests that do or do not count against the candidate. */
export type Metric = {
  readonly name: 'latencyP50' | 'latencyP95' | 'latencyP99' | 'queueTimeP95' | 'errorRate';
  /** As it stands in the names of rules. */
  readonly slug: string;
  readonly objective: (objectives: Objectives) => number | undefined;
  /** Null: a request counts when it fails. Otherwise when it takes longer than a threshold, which `1 - quantile` of them may. */
  readonly timed: { readonly signal: Signal; readonly quantile: number } | null;
};

export const METRICS: readonly Metric[] = [
  {
    name: 'latencyP50',
    slug: 'latency-p50',
    objective: ({ latencyP50Ms }) => latencyP50Ms,
    timed: { signal: 'latency', quantile: 0.5 },
  },
  {
    name: 'latencyP95',
    slug: 'latency-p95',
    objective: ({ latencyP95Ms }) => latencyP95Ms,
    timed: { signal: 'latency', quantile: 0.95 },
  },
  {
    name: 'latencyP99',
    slug: 'latency-p99',
    objective: ({ latencyP99Ms }) => latencyP99Ms,
    timed: { signal: 'latency', quantile: 0.99 },
  },
  {
    name: 'queueTimeP95',
    slug: 'queue-time-p95',
    objective: ({ queueTimeP95Ms }) => queueTimeP95Ms,
    timed: { signal: 'queueTime', quantile: 0.95 },
  },
  { name: 'errorRate', slug: 'error-rate', objective: ({ errorRate }) => errorRate, timed: null },
];
