import { setImmediate as yieldToArrivals } from 'node:timers/promises';
import { type RecordedEvent, parseRecordedEvent } from '@davit/contracts';
import type { Cancel } from '@davit/ports';
import { AckPolicy, ConsumerEvents, type ConsumerMessages, DeliverPolicy, type JsMsg, nanos, nuid } from 'nats';
import { decodeJson } from '../codec.js';
import type { Bus } from '../connection.js';
import { reasonOf } from '../errors.js';
import type { ResolvedFeedOptions } from './log-feed.js';

export interface FeedSink {
  /** Events in order, and the sequence up to which the stream has been read with them. */
  deliver(events: readonly RecordedEvent[], lastSequence: number): Promise<void>;
  onInvalid(sequence: number, reason: string): void;
}

interface Arrival {
  readonly sequence: number;
  readonly event: RecordedEvent | undefined;
}

/** The consumer goes by itself when its process does. */
const INACTIVE_MS = 60_000;
const EXPIRES_MS = 30_000;
const MAX_BUFFERED = 2_000;

/**
 * One consumer's life: ephemeral, in order, without acknowledgements. Ends by throwing at the first sign that it no
 * longer sees the whole stream. The client's own ordered consumer is not used: it stays silent after a wiped stream,
 * and the rejection of its reset is not handled anywhere.
 */
export class FeedSession {
  lastHeardAtMs: number | undefined;
  private readonly buffer: Arrival[] = [];
  private messages: ConsumerMessages | undefined;
  private failure: Error | undefined;
  private ended = false;
  private delivering = false;
  private nextDelivery = 1;
  private lastSequence: number;
  private wakeReader: (() => void) | undefined;
  private wakeCollector: (() => void) | undefined;

  constructor(
    private readonly bus: Bus,
    private readonly options: ResolvedFeedOptions,
    private readonly startSequence: number,
    private readonly sink: FeedSink,
  ) {
    this.lastSequence = startSequence - 1;
  }

  /** Ends the session without an error. */
  end(): void {
    this.ended = true;
    void this.messages?.close();
    this.wake();
  }

  /** @throws when the consumer, the stream or the connection fails, or when the reader throws */
  async run(): Promise<void> {
    const name = `feed_${nuid.next()}`;
    const stopWatching: Cancel[] = [];
    try {
      const messages = await this.open(name);
      stopWatching.push(this.bus.onReconnect(() => this.fail(new Error('the connection was renewed'))));
      stopWatching.push(this.watchdog());
      void this.watchHeartbeats(messages);
      void this.collect(messages);
      await this.hand();
    } finally {
      for (const stop of stopWatching) stop();
      this.end();
      this.discard(name);
    }
  }

  private async open(name: string): Promise<ConsumerMessages> {
    const { stream, heartbeatMs, maxBatch } = this.options;
    const manager = await this.bus.connection.jetstreamManager({ checkAPI: false });
    await manager.consumers.add(stream, {
      name,
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: this.startSequence,
      inactive_threshold: nanos(INACTIVE_MS),
      mem_storage: true,
      num_replicas: 1,
      max_deliver: 1,
    });
    const consumer = await this.bus.connection.jetstream().consumers.get(stream, name);
    this.messages = await consumer.consume({
      max_messages: maxBatch,
      expires: EXPIRES_MS,
      idle_heartbeat: heartbeatMs,
      abort_on_missing_resource: true,
    });
    if (this.ended) void this.messages.close();
    this.heard();
    return this.messages;
  }

  /** Keeps what arrives, and stops pulling while the reader is far behind. */
  private async collect(messages: ConsumerMessages): Promise<void> {
    try {
      for await (const message of messages) {
        this.heard();
        this.take(message);
        this.wakeReader?.();
        if (this.buffer.length >= MAX_BUFFERED) await new Promise<void>((resolve) => (this.wakeCollector = resolve));
      }
      if (!this.ended) this.fail(new Error('the consumer ended'));
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(reasonOf(error)));
    }
  }

  private take(message: JsMsg): void {
    const { deliverySequence, streamSequence } = message.info;
    if (deliverySequence !== this.nextDelivery) {
      throw new Error(`delivery ${this.nextDelivery} was lost on the way (got ${deliverySequence})`);
    }
    this.nextDelivery += 1;
    this.buffer.push({ sequence: streamSequence, event: this.parse(message, streamSequence) });
  }

  private parse(message: JsMsg, sequence: number): RecordedEvent | undefined {
    const decoded = decodeJson(message.data);
    try {
      if (!decoded.ok) throw new Error(decoded.reason);
      const event = parseRecordedEvent(decoded.value);
      if (event.position !== sequence) throw new Error(`event of position ${event.position}`);
      return event;
    } catch (error) {
      this.sink.onInvalid(sequence, reasonOf(error));
      return undefined;
    }
  }

  /** Hands over whatever has arrived, one batch after the other. */
  private async hand(): Promise<void> {
    for (;;) {
      if (this.ended) return;
      const batch = this.buffer.splice(0, this.options.maxBatch);
      const last = batch.at(-1);
      if (last) {
        this.wakeCollector?.();
        this.delivering = true;
        await this.sink.deliver(
          batch.flatMap((arrival) => (arrival.event ? [arrival.event] : [])),
          last.sequence,
        );
        this.delivering = false;
        this.lastSequence = last.sequence;
      } else if (this.failure) {
        throw this.failure;
      } else {
        await new Promise<void>((resolve) => (this.wakeReader = resolve));
        // Lets everything that came with the first message be collected, so that it goes as one batch.
        await yieldToArrivals();
      }
    }
  }

  private async watchHeartbeats(messages: ConsumerMessages): Promise<void> {
    for await (const status of await messages.status()) {
      // While the reader is busy nothing is pulled, so silence then says nothing about the broker.
      if (status.type === ConsumerEvents.HeartbeatsMissed && !this.delivering) {
        this.fail(new Error(`nothing heard for ${this.options.heartbeatMs * 2} ms or more`));
      }
    }
  }

  /** Catches what heartbeats do not: a consumer that lives but delivers nothing, a stream that has gone back. */
  private watchdog(): Cancel {
    let cancel: Cancel = () => undefined;
    let stuckAt: number | undefined;
    const look = async (): Promise<void> => {
      const before = this.lastSequence;
      const last = await this.streamEnd();
      const idle = before === this.lastSequence && !this.delivering && this.buffer.length === 0;
      if (last !== undefined && last < before) this.fail(new Error(`the stream went back from ${before} to ${last}`));
      const stuck = last !== undefined && last > before && idle;
      // One look may fall between storing and delivering; two with nothing in between do not.
      if (stuck && stuckAt === before) this.fail(new Error(`${last - before} events wait but none is delivered`));
      stuckAt = stuck ? before : undefined;
      if (!this.ended) schedule();
    };
    const schedule = (): void => {
      cancel = this.bus.clock.schedule(this.options.watchdogMs, () => void look());
    };
    schedule();
    return () => cancel();
  }

  /** Last sequence of the stream; undefined when the broker does not say. */
  private async streamEnd(): Promise<number | undefined> {
    try {
      const manager = await this.bus.connection.jetstreamManager({ checkAPI: false });
      const { state } = await manager.streams.info(this.options.stream);
      this.heard();
      return state.last_seq;
    } catch (error) {
      if (this.bus.status().connected) this.fail(new Error(`the stream cannot be asked: ${reasonOf(error)}`));
      return undefined;
    }
  }

  private fail(error: Error): void {
    this.failure ??= error;
    void this.messages?.close();
    this.wake();
  }

  private heard(): void {
    this.lastHeardAtMs = this.bus.clock.nowMs();
  }

  private wake(): void {
    this.wakeReader?.();
    this.wakeCollector?.();
  }

  private discard(name: string): void {
    if (this.bus.connection.isClosed() || !this.bus.status().connected) return;
    void this.bus.connection
      .jetstreamManager({ checkAPI: false })
      .then((manager) => manager.consumers.delete(this.options.stream, name))
      .catch((error: unknown) => {
        this.bus.logger.debug({ consumer: name, reason: reasonOf(error) }, 'consumer already gone');
      });
  }
}
