import { ALARMS, ORPHAN_ALARM, REPLICA_STATUSES } from '@davit/domain';
import type { MetricDefinition } from '@davit/service-kit';

const definition = <Label extends string>(metric: MetricDefinition<Label>): MetricDefinition<Label> => metric;

/** Those of this service, and those that others raise. */
export const KNOWN_ALARMS = [...ALARMS, ORPHAN_ALARM, 'fleet-frozen', 'observer-ill', 'inventory-unreadable'] as const;
export const SEVERITIES = ['warning', 'critical'] as const;
/** Backends that rent, at which something may be that nobody owns. */
export const RENTING = ['skypilot', 'vast-serverless'] as const;
/** A deleted replica is none any more, unless it is seen again. */
export const PRESENT_STATUSES = REPLICA_STATUSES.filter((status) => status !== 'deleted');

export const REPLICAS = definition({
  type: 'gauge',
  name: 'davit_replicas',
  help: 'Replicas that are not proven gone, by status',
  labels: { status: PRESENT_STATUSES },
});
export const OLDEST_STATUS = definition({
  type: 'gauge',
  name: 'davit_replica_oldest_status_age_seconds',
  help: 'How long the replica that is longest in this status has been in it; absent where none is',
  labels: { status: PRESENT_STATUSES },
});
export const STATUS_SECONDS = definition({
  type: 'histogram',
  name: 'davit_replica_status_seconds',
  help: 'Time a replica was in a status, told when it leaves it, by the instance that decided so',
  labels: { status: REPLICA_STATUSES },
  buckets: [1, 5, 15, 60, 180, 600, 1_800, 3_600, 21_600, 86_400],
});
export const FLEET_FROZEN = definition({
  type: 'gauge',
  name: 'davit_fleet_frozen',
  help: '1 while nothing is given up on observation (law 12)',
  labels: {},
});
export const FLEET_LOSSES = definition({
  type: 'counter',
  name: 'davit_fleet_losses_total',
  help: 'Serving replicas given up because of what was observed',
  labels: {},
});
export const ALARMS_ACTIVE = definition({
  type: 'gauge',
  name: 'davit_alarms_active',
  help: 'Alarms that are up, by name and severity',
  labels: { alarm: KNOWN_ALARMS, severity: SEVERITIES },
});
export const ORPHANS = definition({
  type: 'gauge',
  name: 'davit_orphans_open',
  help: 'Things at a provider that carry our name, have no owner, and are not proven gone',
  labels: { adapter: RENTING },
});
export const SPEND_RATE = definition({
  type: 'gauge',
  name: 'davit_spend_rate_per_hour',
  help: 'Price of an hour of all machines that count as billing, as far as it is known; for looking at, not for accounts',
  labels: { tenant: 'open', currency: 'open', owner: ['replica', 'canary', 'orphan'] },
});
export const BILLING = definition({
  type: 'gauge',
  name: 'davit_billing_machines',
  help: 'Machines that count as billing, by whether anybody said their price',
  labels: { tenant: 'open', owner: ['replica', 'canary', 'orphan'], price: ['known', 'unknown'] },
});
export const BUDGET_USED = definition({
  type: 'gauge',
  name: 'davit_budget_used_ratio',
  help: 'Used share of a ceiling; above 1 it is exceeded. Machines of unknown price come on top',
  labels: { of: ['deployment', 'tenant'], name: 'open', limit: ['hourly', 'total'] },
});

/** Read from the read model when they are asked for: every instance shows the same. */
export const MODEL_METRICS = [REPLICAS, OLDEST_STATUS, ALARMS_ACTIVE, ORPHANS, SPEND_RATE, BILLING, BUDGET_USED];

export const METRICS: readonly MetricDefinition[] = [
  ...[REPLICAS, OLDEST_STATUS, STATUS_SECONDS, FLEET_FROZEN, FLEET_LOSSES, ALARMS_ACTIVE],
  ...[ORPHANS, SPEND_RATE, BILLING, BUDGET_USED],
];
