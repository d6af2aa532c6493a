import { backoffMs, type Clock, type Logger, type Random, sleep, systemClock, systemRandom } from '@davit/ports';
import { Events, type NatsConnection, connect } from 'nats';
import { brokerAddresses } from './addresses.js';
import { BusUnavailableError, reasonOf } from './errors.js';

export interface BusOptions {
  /** One address or several, separated by commas; with `user:password@` or `token@` where the broker wants to know. */
  readonly url: string;
  /** Shown in the broker's connection list: the service and its instance. */
  readonly name: string;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Gives up the first connection; without it the attempt lasts until the broker answers. */
  readonly signal?: AbortSignal;
  /** Silence after which the broker is probed; two unanswered probes end the connection. Default 5 000. */
  readonly pingIntervalMs?: number;
}

export interface BusStatus {
  readonly connected: boolean;
  /** When the present state began, in milliseconds since the epoch. */
  readonly sinceMs: number;
  readonly server: string | undefined;
  /** Connections after the first one. */
  readonly reconnects: number;
}

/** A connection that comes back by itself, and says whether it is there. */
export interface Bus {
  readonly name: string;
  readonly connection: NatsConnection;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
  status(): BusStatus;
  /** Calls `listener` after each reconnection, until the returned function is called. */
  onReconnect(listener: () => void): () => void;
  /** Sends what is buffered, lets subscriptions finish, and closes. Calling it twice does nothing. */
  close(): Promise<void>;
}

const FIRST_CONNECT = { firstMs: 100, maxMs: 2_000 };

/**
 * Connects to the broker, waiting for it if need be, and reconnects for ever after.
 * @throws BusUnavailableError when `signal` aborts before the first connection
 */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const logger = options.logger.child({ bus: options.name });
  const connection = await firstConnection(options, clock, random, logger);
  return new NatsBus(options.name, connection, logger, clock, random);
}

async function firstConnection(
  options: BusOptions,
  clock: Clock,
  random: Random,
  logger: Logger,
): Promise<NatsConnection> {
  const { servers, credentials, shown } = brokerAddresses(options.url);
  for (let attempt = 1; ; attempt++) {
    try {
      return await connect({
        servers: [...servers],
        ...credentials,
        name: options.name,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 200,
        reconnectJitter: 100,
        pingInterval: options.pingIntervalMs ?? 5_000,
        maxPingOut: 2,
        // Credentials that are being replaced are refused for a while; giving up would need a restart of every service.
        ignoreAuthErrorAbort: true,
        timeout: 5_000,
        // Else the client makes an error, with its stack, for every request and every publish that waits for its acknowledgement.
        noAsyncTraces: true,
      });
    } catch (error) {
      logger.warn({ url: shown, attempt, reason: reasonOf(error) }, 'broker not reached; trying again');
      await sleep(clock, backoffMs(FIRST_CONNECT, attempt, random), options.signal);
      if (options.signal?.aborted) throw new BusUnavailableError(shown, reasonOf(error), error);
    }
  }
}

class NatsBus implements Bus {
  private current: BusStatus;
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly name: string,
    readonly connection: NatsConnection,
    readonly logger: Logger,
    readonly clock: Clock,
    readonly random: Random,
  ) {
    this.current = { connected: true, sinceMs: clock.nowMs(), server: connection.getServer(), reconnects: 0 };
    void this.watch();
    void this.watchEnd();
  }

  status(): BusStatus {
    return this.current;
  }

  onReconnect(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  async close(): Promise<void> {
    if (this.connection.isClosed()) return;
    if (!this.connection.isDraining() && this.current.connected) await this.connection.drain();
    else await this.connection.close();
  }

  private async watch(): Promise<void> {
    for await (const event of this.connection.status()) {
      if (event.type === Events.Disconnect) this.turn(false);
      else if (event.type === Events.Reconnect) this.turn(true);
      else if (event.type === Events.Error) this.logger.error({ error: event.data }, 'broker reported an error');
    }
  }

  private async watchEnd(): Promise<void> {
    const error = await this.connection.closed();
    if (error) this.logger.error({ reason: reasonOf(error) }, 'connection to the broker ended');
    this.current = { ...this.current, connected: false, sinceMs: this.clock.nowMs(), server: undefined };
  }

  private turn(connected: boolean): void {
    if (connected === this.current.connected) return;
    const reconnects = this.current.reconnects + (connected ? 1 : 0);
    const server = connected ? this.connection.getServer() : undefined;
    this.current = { connected, sinceMs: this.clock.nowMs(), server, reconnects };
    if (!connected) {
      this.logger.warn({}, 'connection to the broker lost');
      return;
    }
    this.logger.info({ server, reconnects }, 'connection to the broker is back');
    for (const listener of [...this.listeners]) listener();
  }
}
