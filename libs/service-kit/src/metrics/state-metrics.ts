import type { Bus, JetStreamLogFeed } from '@davit/bus';
import { type LogRelay, relayLag } from '@davit/event-log';
import { systemClock } from '@davit/ports';
import type { ProjectionRunner } from '@davit/projection';
import { Inject, Injectable } from '@nestjs/common';
import * as token from '../tokens.js';
import { oldestPendingMs } from '../wiring/control-loop.js';
import type { ControlLoop } from '@davit/reconcile';
import { Metrics } from './metrics.js';

/** Shows the state of the parts as metrics, read when they are asked for. */
@Injectable()
export class StateMetrics {
  constructor(
    @Inject(Metrics) metrics: Metrics,
    @Inject(token.BUS) bus: Bus,
    @Inject(token.LOG_FEED) feed: JetStreamLogFeed,
    @Inject(token.RELAY) relay: LogRelay,
    @Inject(token.PROJECTION) projection: ProjectionRunner,
    @Inject(token.CONTROL_LOOP) loop: ControlLoop,
  ) {
    metrics.gauge('davit_bus_connected', '1 while connected to the broker', () => Number(bus.status().connected));
    metrics.gauge('davit_bus_reconnects', 'Connections after the first one', () => bus.status().reconnects);
    metrics.gauge('davit_relay_lag_events', 'Events in the log and not yet in its mirror', () => relayLag(relay.stats));
    metrics.gauge('davit_relay_leading', '1 while this process fills the mirror', () => Number(relay.stats.leading));
    metrics.gauge(
      'davit_relay_published_events',
      'Events this process has put into the mirror',
      () => relay.stats.published,
    );
    metrics.gauge('davit_relay_faults', 'Failed attempts of the relay', () => relay.stats.faults);
    metrics.gauge('davit_projection_position', 'Position folded in', () => projection.status().position);
    metrics.gauge('davit_projection_lag_events', 'Events not yet folded in', () => projection.status().lag);
    metrics.gauge('davit_projection_live', '1 while the projection follows the log', () =>
      Number(projection.status().state === 'live'),
    );
    metrics.gauge('davit_feed_last_heard_age_seconds', 'Silence of the log feed', () => feedAge(feed));
    metrics.gauge(
      'davit_oldest_pending_seconds',
      'Age of the oldest key that waits for a pass',
      () => oldestPendingMs(loop) / 1_000,
    );
  }
}

function feedAge(feed: JetStreamLogFeed): number | undefined {
  const heard = feed.stats().flatMap(({ lastHeardAtMs }) => lastHeardAtMs ?? []);
  return heard.length === 0 ? undefined : (systemClock.nowMs() - Math.max(...heard)) / 1_000;
}
