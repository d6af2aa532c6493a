import { PASS_RESULTS } from '@davit/reconcile';
import type { MetricDefinition } from './definition.js';

/** What every service shows, whatever it does. */

const definition = <Label extends string = never>(metric: MetricDefinition<Label>): MetricDefinition<Label> => metric;
const gauge = (name: string, help: string): MetricDefinition<never> => ({ type: 'gauge', name, help, labels: {} });
const counter = (name: string, help: string): MetricDefinition<never> => ({ type: 'counter', name, help, labels: {} });
const byController = (name: string, help: string): MetricDefinition<'controller'> => ({
  ...{ type: 'gauge', name, help },
  labels: { controller: 'open' },
});

export const APPENDS = definition({
  type: 'counter',
  name: 'davit_appends_total',
  help: 'Appends to the event log, by what they ended in',
  labels: {
    outcome: [
      'appended',
      'duplicate',
      'idempotency-conflict',
      'already-handled',
      'wrong-version',
      'fenced',
      'fault',
    ] as const,
  },
});
export const APPEND_SECONDS = definition({
  type: 'histogram',
  name: 'davit_append_seconds',
  help: 'Time from asking for an append to its answer',
  labels: {},
  buckets: [0.001, 0.002, 0.005, 0.01, 0.015, 0.03, 0.1, 0.5, 2],
});
export const HTTP_REQUESTS = definition({
  type: 'counter',
  name: 'davit_http_requests_total',
  help: 'Requests answered, by route pattern and status class',
  labels: { method: 'open', route: 'open', status: ['2xx', '4xx', '5xx'] },
});
export const HTTP_SECONDS = definition({
  type: 'histogram',
  name: 'davit_http_request_seconds',
  help: 'Time to answer a request',
  labels: { route: 'open' },
  buckets: [0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 2, 10],
});

export const BUS_CONNECTED = gauge('davit_bus_connected', '1 while connected to the broker');
export const BUS_RECONNECTS = counter('davit_bus_reconnects_total', 'Connections to the broker after the first one');

export const RELAY_LAG = gauge('davit_relay_lag_events', 'Events in the log and not yet in its mirror');
export const RELAY_LEADING = gauge('davit_relay_leading', '1 while this process fills the mirror');
export const RELAY_PUBLISHED = counter(
  'davit_relay_published_events_total',
  'Events this process has put into the mirror',
);
export const RELAY_FAULTS = counter('davit_relay_faults_total', 'Failed attempts of the relay');

export const PROJECTION_POSITION = gauge('davit_projection_position', 'Position of the log folded in');
export const PROJECTION_LAG = gauge('davit_projection_lag_events', 'Events not yet folded in');
export const PROJECTION_LIVE = gauge('davit_projection_live', '1 while the projection follows the log');

export const FEED_LAG = gauge('davit_feed_lag_events', 'Events in the log that its mirror has not yet delivered here');
export const FEED_SILENCE = gauge(
  'davit_feed_last_heard_age_seconds',
  'Time since the broker last sent the feed an event or a heartbeat',
);
export const FEED_RESTARTS = counter('davit_feed_restarts_total', 'Consumers of the feed built after the first one');

export const OLDEST_PENDING = gauge(
  'davit_oldest_pending_seconds',
  'Time that the key that waits longest for a pass has waited, of all queues',
);
export const PASSES = definition({
  type: 'counter',
  name: 'davit_reconcile_passes_total',
  help: 'Passes over a key, by what they ended in',
  labels: { controller: 'open', result: PASS_RESULTS },
});
export const PASS_SECONDS = definition({
  type: 'histogram',
  name: 'davit_reconcile_pass_seconds',
  help: 'Time of one pass over a key',
  labels: { controller: 'open' },
  buckets: [0.002, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
});
export const QUEUE_DEPTH = byController('davit_queue_depth_keys', 'Keys that wait for a free worker');
export const QUEUE_ACTIVE = byController('davit_queue_active_keys', 'Keys being worked on');
export const QUEUE_DELAYED = byController('davit_queue_delayed_keys', 'Keys that wait for a time');
export const QUEUE_OLDEST = byController('davit_queue_oldest_pending_seconds', 'Time the first key in line has waited');
export const LEASES_HELD = byController('davit_leases_held', 'Keys whose lease this process holds');
export const LEASE_AGE = byController(
  'davit_lease_oldest_age_seconds',
  'Time since the lease held longest was taken; 0 while none is held',
);

export const UNREAD = counter(
  'davit_metrics_unread_total',
  'Scrapes at which the read model could not be asked, so that what is read from it was left out',
);

/** In the order of the reference. */
export const SERVICE_METRICS: readonly MetricDefinition[] = [
  ...[APPENDS, APPEND_SECONDS, HTTP_REQUESTS, HTTP_SECONDS],
  ...[BUS_CONNECTED, BUS_RECONNECTS],
  ...[RELAY_LAG, RELAY_LEADING, RELAY_PUBLISHED, RELAY_FAULTS],
  ...[PROJECTION_POSITION, PROJECTION_LAG, PROJECTION_LIVE],
  ...[FEED_LAG, FEED_SILENCE, FEED_RESTARTS],
  ...[OLDEST_PENDING, PASSES, PASS_SECONDS],
  ...[QUEUE_DEPTH, QUEUE_ACTIVE, QUEUE_DELAYED, QUEUE_OLDEST, LEASES_HELD, LEASE_AGE],
  UNREAD,
];
