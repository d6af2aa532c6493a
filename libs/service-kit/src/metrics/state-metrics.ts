import type { Bus, JetStreamLogFeed } from '@davit/bus';
import { type LogRelay, relayLag } from '@davit/event-log';
import { systemClock } from '@davit/ports';
import type { ProjectionRunner } from '@davit/projection';
import type { ControlLoop } from '@davit/reconcile';
import { Inject, Injectable } from '@nestjs/common';
import * as token from '../tokens.js';
import { oldestPendingMs } from '../wiring/control-loop.js';
import { type MetricDefinition, single } from './definition.js';
import { Metrics } from './metrics.js';
import * as shown from './service-metrics.js';

/** Shows the state of the parts as metrics, read when they are asked for. */
@Injectable()
export class StateMetrics {
  constructor(
    @Inject(Metrics) metrics: Metrics,
    @Inject(token.BUS) bus: Bus,
    @Inject(token.LOG_FEED) feed: JetStreamLogFeed,
    @Inject(token.RELAY) { stats: relay }: LogRelay,
    @Inject(token.PROJECTION) projection: ProjectionRunner,
    @Inject(token.CONTROL_LOOP) loop: ControlLoop,
  ) {
    const gauge = (definition: MetricDefinition, read: () => number | undefined): void =>
      metrics.gauge(definition, () => single(read()));
    const counted = (definition: MetricDefinition, read: () => number): void =>
      metrics.counted(definition, () => single(read()));
    gauge(shown.BUS_CONNECTED, () => Number(bus.status().connected));
    counted(shown.BUS_RECONNECTS, () => bus.status().reconnects);
    gauge(shown.RELAY_LAG, () => relayLag(relay));
    gauge(shown.RELAY_LEADING, () => Number(relay.leading));
    counted(shown.RELAY_PUBLISHED, () => relay.published);
    counted(shown.RELAY_FAULTS, () => relay.faults);
    gauge(shown.PROJECTION_POSITION, () => projection.status().position);
    gauge(shown.PROJECTION_LAG, () => projection.status().lag);
    gauge(shown.PROJECTION_LIVE, () => Number(projection.status().state === 'live'));
    gauge(shown.FEED_LAG, () => feedLag(feed, projection.status().head));
    gauge(shown.FEED_SILENCE, () => feedAge(feed));
    counted(shown.FEED_RESTARTS, () => feed.stats().reduce((sum, { restarts }) => sum + restarts, 0));
    gauge(shown.OLDEST_PENDING, () => oldestPendingMs(loop) / 1_000);
  }
}

/** Undefined before the feed is asked for, while the service catches up from the log itself. */
function feedLag(feed: JetStreamLogFeed, head: number): number | undefined {
  const positions = feed.stats().map(({ position }) => position);
  return positions.length === 0 ? undefined : Math.max(0, head - Math.min(...positions));
}

function feedAge(feed: JetStreamLogFeed): number | undefined {
  const heard = feed.stats().flatMap(({ lastHeardAtMs }) => lastHeardAtMs ?? []);
  return heard.length === 0 ? undefined : (systemClock.nowMs() - Math.max(...heard)) / 1_000;
}
