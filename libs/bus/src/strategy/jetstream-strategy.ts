import { subjects } from '@davit/contracts';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { AckPolicy, nanos } from 'nats';
import { type BackoffOptions, sleep } from '@davit/ports';
import type { IntentAnswers } from '../answers/intent-answers.js';
import type { Bus } from '../connection.js';
import { DuplicateHandlerError } from '../errors.js';
import { ensureStreams } from '../streams/ensure.js';
import { mostSpecificPattern } from '../subjects.js';
import type { BusContext } from './context.js';
import { Delivery, type DeliveryCounts } from './delivery.js';
import { PullLoop } from '../consumer/pull-loop.js';
import { RpcServer } from './rpc-server.js';
import { type AroundHandler, settle } from './run-handler.js';

export interface JetStreamStrategyOptions {
  readonly bus: Bus;
  /** Name of the service: queue group of its requests. */
  readonly service: string;
  /** Stream that feeds the `@EventPattern` handlers; without it only requests are served. */
  readonly events?:
    | {
        readonly stream: string;
        /** Durable consumer, named after service and purpose; instances share it. */
        readonly durable: string;
        /** Narrows the consumer to a part of the stream. */
        readonly filterSubject?: string;
      }
    | undefined;
  /** Given the intents' stream, requesters are answered with what the handlers return. */
  readonly answers?: IntentAnswers;
  /** Stored messages in work at once in this instance. Default 8. */
  readonly concurrency?: number;
  /**
   * Silence after which the broker gives a message to another instance. Default 4 000: a handler at work is not
   * silent, so this is only how long the messages of a dead process wait.
   */
  readonly ackWaitMs?: number;
  /** Deliveries after which a message is set aside. Default 20: with the default pauses, some six minutes. */
  readonly maxDeliver?: number;
  /** Pause before the next delivery. Default 250 doubling to 30 000. */
  readonly retry?: BackoffOptions;
  readonly rpcConcurrency?: number;
  /** Default 30 000. */
  readonly rpcTimeoutMs?: number;
  /** How long `close` waits for handlers. Default 10 000. */
  readonly drainTimeoutMs?: number;
  /** Every handler runs inside it. */
  readonly around?: AroundHandler;
  /** Makes the stream; default {@link ensureStreams}. */
  readonly prepare?: () => Promise<void>;
}

export interface StrategyStats extends Readonly<DeliveryCounts> {
  readonly inFlight: number;
  /** False while stream or consumer cannot be reached. */
  readonly consuming: boolean;
}

const START_TIMEOUT_MS = 5_000;

/**
 * Nest transport over JetStream. `@EventPattern` handlers read a durable pull consumer and may name a subject or a
 * wildcard (`@BusEvent` is the same with usable types); `@MessagePattern` handlers answer core-NATS requests. The
 * connection belongs to the caller, who closes the bus after the application.
 */
export class JetStreamStrategy extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol('davit-jetstream');
  /** The strategy awaits handlers and reports their failures itself. */
  override readonly propagatesEventHandlerErrors = true;
  private readonly counts: DeliveryCounts = { handled: 0, retried: 0, deadLettered: 0 };
  private readonly rpc: RpcServer;
  private loop: PullLoop | undefined;

  constructor(private readonly options: JetStreamStrategyOptions) {
    super();
    this.rpc = new RpcServer(options.bus, {
      queue: options.service,
      concurrency: options.rpcConcurrency ?? 64,
      timeoutMs: options.rpcTimeoutMs ?? 30_000,
      run: (handler, data, context) => this.run(handler, data, context),
    });
  }

  /** @throws DuplicateHandlerError when the pattern is taken */
  override addHandler(
    pattern: unknown,
    callback: MessageHandler,
    isEventHandler = false,
    extras: Record<string, unknown> = {},
  ): void {
    const route = typeof pattern === 'string' ? pattern : JSON.stringify(pattern);
    if (this.messageHandlers.has(route)) throw new DuplicateHandlerError(route);
    super.addHandler(route, callback, isEventHandler, extras);
  }

  listen(callback: (error?: unknown) => void): void {
    this.begin().then(() => callback(), callback);
  }

  async close(): Promise<void> {
    const timeoutMs = this.options.drainTimeoutMs ?? 10_000;
    const patience = new AbortController();
    const [drained] = await Promise.all([
      this.loop?.close(timeoutMs) ?? true,
      Promise.race([this.rpc.close(), sleep(this.options.bus.clock, timeoutMs, patience.signal)]),
    ]);
    patience.abort();
    if (!drained) {
      const fields = { inFlight: this.loop?.inFlightCount, timeoutMs };
      this.options.bus.logger.warn(fields, 'handlers still at work at shutdown; their messages go to another instance');
    }
    this.options.answers?.close();
    if (this.options.bus.status().connected) await this.options.bus.connection.flush();
  }

  on(event: string): never {
    throw new Error(`the bus strategy has no event ${event}; ask Bus.status() or Bus.onReconnect()`);
  }

  /** Nest's signature leaves the type to the caller; it is the NATS connection. */
  unwrap<T>(): T {
    return this.options.bus.connection as T;
  }

  stats(): StrategyStats {
    const inFlight = (this.loop?.inFlightCount ?? 0) + this.rpc.inFlightCount;
    return { ...this.counts, inFlight, consuming: this.loop?.consuming ?? false };
  }

  private async begin(): Promise<void> {
    const { bus, events, answers } = this.options;
    for (const [pattern, handler] of this.messageHandlers) {
      if (handler.isEventHandler !== true) this.rpc.serve(pattern, handler);
    }
    // Requests must be heard from before the first intent is handled.
    await answers?.start();
    if (!events) return bus.connection.flush();
    this.loop = this.createLoop(events);
    this.loop.start();
    const patience = new AbortController();
    await Promise.race([this.loop.ready, sleep(bus.clock, START_TIMEOUT_MS, patience.signal)]);
    patience.abort();
    await bus.connection.flush();
  }

  private createLoop(events: NonNullable<JetStreamStrategyOptions['events']>): PullLoop {
    const { options } = this;
    const { bus } = options;
    const ackWaitMs = options.ackWaitMs ?? 4_000;
    const maxDeliver = options.maxDeliver ?? 20;
    const concurrency = options.concurrency ?? 8;
    const delivery = {
      ackWaitMs,
      maxDeliver,
      retry: options.retry ?? { firstMs: 250, maxMs: 30_000 },
      answers: options.answers,
      run: (handler: MessageHandler, data: unknown, context: BusContext) => this.run(handler, data, context),
      handlerOf: (subject: string) => this.eventHandlerOf(subject),
      counts: this.counts,
    };
    return new PullLoop(bus, {
      stream: events.stream,
      consumer: {
        durable_name: events.durable,
        ack_policy: AckPolicy.Explicit,
        ack_wait: nanos(ackWaitMs),
        max_deliver: maxDeliver,
        ...(events.filterSubject === undefined ? {} : { filter_subject: events.filterSubject }),
      },
      concurrency,
      prepare: options.prepare ?? (() => ensureStreams(bus)),
      onMessage: (message) => new Delivery(bus, delivery, message).settle(),
    });
  }

  private eventHandlerOf(subject: string): MessageHandler | undefined {
    const patterns = [...this.messageHandlers].filter(([, handler]) => handler.isEventHandler === true);
    const pattern = mostSpecificPattern(
      patterns.map(([name]) => name),
      subject,
    );
    return pattern === undefined ? undefined : this.messageHandlers.get(pattern);
  }

  /** Runs a handler between Nest's processing hooks. */
  private run(handler: MessageHandler, data: unknown, context: BusContext): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.runWithProcessingHooks(context, async (runEndHook) => {
        try {
          const work = (): Promise<unknown> => settle(handler, data, context);
          resolve(await (this.options.around ? this.options.around(context, work) : work()));
        } catch (error) {
          // Handlers may throw anything, and what they threw must stay recognisable.
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
          reject(error);
        } finally {
          runEndHook();
        }
      });
    });
  }
}

/** Where intents come from: what spec-api passes as `events`. */
export const intentEvents = {
  stream: 'INTENTS',
  durable: 'spec-api-intents',
  filterSubject: subjects.allIntents,
} as const;
