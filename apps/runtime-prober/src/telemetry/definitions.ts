import { unreadyReason } from '@davit/contracts';
import type { MetricDefinition } from '@davit/service-kit';

export const PROBES: MetricDefinition<'outcome'> = {
  type: 'counter',
  name: 'davit_probes_total',
  help: 'Probes of model servers: ready, or the reason why not',
  labels: { outcome: ['ready', ...unreadyReason.options] },
};
export const PROBE_LATENESS: MetricDefinition<never> = {
  type: 'histogram',
  name: 'davit_probe_lateness_seconds',
  help: 'How much later than wished a probe began',
  labels: {},
  buckets: [0.01, 0.05, 0.25, 1, 5, 30],
};
export const LEFT_OUT: MetricDefinition<never> = {
  type: 'gauge',
  name: 'davit_fleet_replicas_left_out',
  help: 'Replicas probed here that /metrics/fleet leaves out because it has its fill',
  labels: {},
};
export const METRICS: readonly MetricDefinition[] = [PROBES, PROBE_LATENESS, LEFT_OUT];

/** What tells replicas apart. All of it is stable while a replica lives. */
export const REPLICA_LABELS = ['tenant', 'deployment', 'replica', 'engine', 'model'] as const;
export type ReplicaLabel = (typeof REPLICA_LABELS)[number];

const ofReplica = (name: string, help: string): MetricDefinition<ReplicaLabel> => ({
  ...{ type: 'gauge', name, help },
  labels: { tenant: 'open', deployment: 'open', replica: 'open', engine: 'open', model: 'open' },
});

export const READY = ofReplica('davit_replica_ready', '1 where the last probe found it ready, else 0');
export const PROBE_AGE = ofReplica('davit_replica_probe_age_seconds', 'Time since the last probe ended');
export const RUNNING = ofReplica('davit_replica_requests_running', 'Requests that its engine works on');
export const WAITING = ofReplica('davit_replica_requests_waiting', 'Requests that wait in its engine');
export const KV_CACHE = ofReplica(
  'davit_replica_kv_cache_usage_ratio',
  'Used share of the key-value cache of its fullest engine',
);
export const PROMPT_TOKENS = ofReplica(
  'davit_replica_prompt_tokens_per_second',
  'Tokens of prompts a second, between its last two readings',
);
export const GENERATED_TOKENS = ofReplica(
  'davit_replica_generated_tokens_per_second',
  'Tokens generated a second, between its last two readings',
);

/** Of the path `/metrics/fleet`. */
export const FLEET_METRICS: readonly MetricDefinition<ReplicaLabel>[] = [
  ...[READY, PROBE_AGE, RUNNING, WAITING, KV_CACHE, PROMPT_TOKENS, GENERATED_TOKENS],
];
