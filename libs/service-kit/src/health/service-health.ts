import type { Bus, JetStreamLogFeed } from '@davit/bus';
import { type EventLog, type LogRelay, relayLag } from '@davit/event-log';
import { sleep, systemClock } from '@davit/ports';
import type { ProjectionRunner } from '@davit/projection';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { AppendWatch } from './append-watch.js';
import { Metrics } from '../metrics/metrics.js';
import type { ServiceConfig, ServiceDefinition } from '../service-definition.js';
import type { ServicePorts } from '../service-ports.js';
import { ServiceState } from '../service-state.js';
import * as token from '../tokens.js';
import { oldestPendingMs } from '../wiring/control-loop.js';
import type { ControlLoop } from '@davit/reconcile';
import { type HealthCheck, type HealthReport, healthReport, queueCheck } from './readiness.js';

const LOG_TIMEOUT_MS = 1_000;

/**
 * Whether the service can do its work. The log, a projection close to its end, and keys that do not starve are required.
 * The bus is told but not required: without it the log is polled and everything goes on, only slower.
 */
@Injectable()
export class ServiceHealth {
  private own: readonly (() => Promise<HealthCheck>)[] | undefined;

  constructor(
    private readonly state: ServiceState,
    @Inject(token.CONFIG) private readonly config: ServiceConfig<z.ZodObject>,
    @Inject(token.RAW_LOG) private readonly log: EventLog,
    @Inject(token.BUS) private readonly bus: Bus,
    @Inject(token.LOG_FEED) private readonly feed: JetStreamLogFeed,
    @Inject(token.RELAY) private readonly relay: LogRelay,
    @Inject(token.PROJECTION) private readonly projection: ProjectionRunner,
    @Inject(token.CONTROL_LOOP) private readonly loop: ControlLoop,
    private readonly appends: AppendWatch,
    @Inject(token.DEFINITION) private readonly definition: ServiceDefinition,
    @Inject(token.SERVICE_PORTS) private readonly ports: ServicePorts,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {}

  async report(): Promise<HealthReport> {
    const { ports, config, metrics } = this;
    this.own ??= this.definition.checks?.({ ports, config, metrics }) ?? [];
    return healthReport([
      { name: 'phase', required: true, ok: this.state.phase === 'running', detail: { phase: this.state.phase } },
      await this.checkLog(),
      this.appends.check(systemClock.nowMs()),
      this.checkProjection(),
      this.checkQueues(),
      this.checkBus(),
      ...(await Promise.all(this.own.map((check) => check()))),
    ]);
  }

  private async checkLog(): Promise<HealthCheck> {
    const patience = new AbortController();
    const late = sleep(systemClock, LOG_TIMEOUT_MS, patience.signal).then(() => {
      throw new Error(`no answer within ${LOG_TIMEOUT_MS} ms`);
    });
    late.catch(() => undefined);
    try {
      const head = await Promise.race([this.log.head(), late]);
      return { name: 'log', required: true, ok: true, detail: { head } };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { name: 'log', required: true, ok: false, detail: { reason } };
    } finally {
      patience.abort();
    }
  }

  private checkProjection(): HealthCheck {
    const status = this.projection.status();
    const ok = status.state === 'live' && status.lag <= this.config.DAVIT_READY_MAX_LAG;
    return { name: 'projection', required: true, ok, detail: { ...status } };
  }

  private checkQueues(): HealthCheck {
    return queueCheck(oldestPendingMs(this.loop), this.config.DAVIT_READY_MAX_PENDING);
  }

  private checkBus(): HealthCheck {
    const { connected, server, reconnects } = this.bus.status();
    const heard = this.feed.stats().flatMap(({ lastHeardAtMs }) => lastHeardAtMs ?? []);
    const feedAgeMs = heard.length === 0 ? null : systemClock.nowMs() - Math.max(...heard);
    const { failing, lastFault } = this.relay.stats;
    const relayFault = failing ? lastFault : undefined;
    const detail = { connected, server, reconnects, feedAgeMs, relayLag: relayLag(this.relay.stats), relayFault };
    return { name: 'bus', required: false, ok: connected && !failing, detail };
  }
}
