import { once } from 'node:events';
import { type Bus, ensureStreams } from '@davit/bus';
import type { LogRelay } from '@davit/event-log';
import { lifecycleProjection } from '@davit/domain';
import { type Logger, sleep, systemClock, systemRandom } from '@davit/ports';
import type { ProjectionRunner, ProjectionStores } from '@davit/projection';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ControlLoop } from '@davit/reconcile';
import { openDatabase } from './wiring/database.js';
import type { ClosableHttpClient } from './wiring/providers.js';
import { ServiceState } from './service-state.js';
import * as token from './tokens.js';

const RETRY_MS = 500;

/**
 * Starts the parts of a service in the order they need each other, and stops them in reverse. Nothing decides or acts
 * before the projection holds the whole log: work begins after state is restored.
 */
@Injectable()
export class ServiceLifecycle {
  constructor(
    private readonly database: DataSource,
    private readonly state: ServiceState,
    @Inject(token.LOGGER) private readonly logger: Logger,
    @Inject(token.BUS) private readonly bus: Bus,
    @Inject(token.RELAY) private readonly relay: LogRelay,
    @Inject(token.PROJECTION_STORES) private readonly stores: ProjectionStores,
    @Inject(token.PROJECTION) private readonly projection: ProjectionRunner,
    @Inject(token.CONTROL_LOOP) private readonly loop: ControlLoop,
    @Inject(token.HTTP_CLIENT) private readonly http: ClosableHttpClient,
  ) {}

  /** Migrations → streams → relay → tables of the projection. */
  async restore(): Promise<void> {
    const { logger } = this;
    const patience = { clock: systemClock, random: systemRandom, logger, signal: this.state.stopping };
    await openDatabase(this.database, patience);
    await this.untilDone('streams of the bus', () => ensureStreams(this.bus));
    this.relay.start();
    await this.untilDone('tables of the projection', () => this.stores.store(lifecycleProjection).prepare());
  }

  /** Projection caught up → control loop: what it decides rests on the whole log. Returns early when told to stop. */
  async work(): Promise<void> {
    const { stopping } = this.state;
    if (stopping.aborted) return;
    const startMs = systemClock.nowMs();
    await Promise.race([this.loop.start(), once(stopping, 'abort')]);
    if (this.state.stopping.aborted) return;
    const { position } = this.projection.status();
    this.logger.info({ position, ms: systemClock.nowMs() - startMs }, 'projection caught up');
  }

  /** The service takes requests and intents. */
  open(): void {
    this.state.run();
  }

  /** Waits for the pass under way of each key and gives the leases back. */
  async stopWork(): Promise<void> {
    this.state.stop();
    await this.loop.stop();
  }

  /** Ends what only reads and forwards, then the connections; the database is closed by its module. */
  async close(): Promise<void> {
    await this.projection.stop();
    await this.relay.stop();
    await this.http.close();
    await this.bus.close();
  }

  private async untilDone(what: string, step: () => Promise<void>): Promise<void> {
    for (let attempt = 1; !this.state.stopping.aborted; attempt++) {
      try {
        await step();
        return;
      } catch (error) {
        this.logger.warn({ err: error, attempt }, `${what} not ready; trying again`);
        await sleep(systemClock, Math.min(5_000, RETRY_MS * attempt), this.state.stopping);
      }
    }
  }
}
