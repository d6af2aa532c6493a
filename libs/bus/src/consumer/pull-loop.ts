import { backoffMs, sleep } from '@davit/ports';
import { type ConsumerConfig, DeliverPolicy } from 'nats';
import type { Bus } from '../connection.js';
import { reasonOf } from '../errors.js';
import { isConsumerDifferent } from '../streams/ensure.js';
import type { DeliveredMessage } from './delivered.js';
import { Pull } from './pull.js';

export interface PullLoopOptions {
  readonly stream: string;
  readonly consumer: Partial<ConsumerConfig> & { readonly durable_name: string };
  /** Messages in the hands of `onMessage` at once. */
  readonly concurrency: number;
  /** Creates what the consumer needs; runs before the consumer is made, again after each failure. */
  readonly prepare: () => Promise<void>;
  /** Settles the message itself (ack, nak, term). It must not throw. */
  readonly onMessage: (message: DeliveredMessage) => Promise<void>;
}

const RETRY = { firstMs: 100, maxMs: 3_000 };

/**
 * Reads a durable pull consumer, asking for no more than it can work on, so that no message grows old in a buffer.
 * When stream or consumer vanish it says so, makes them anew and goes on.
 */
export class PullLoop {
  private readonly inFlight = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private current: Pull | undefined;
  private running: Promise<void> | undefined;
  private forgetReconnect: (() => void) | undefined;
  private wakeForSlot: (() => void) | undefined;
  private markReady: () => void = () => undefined;
  private isConsuming = false;
  /** Resolves when the consumer has been made, or found, for the first time. */
  readonly ready: Promise<void> = new Promise((resolve) => {
    this.markReady = resolve;
  });

  constructor(
    private readonly bus: Bus,
    private readonly options: PullLoopOptions,
  ) {}

  get inFlightCount(): number {
    return this.inFlight.size;
  }

  /** True while the consumer is known to exist. */
  get consuming(): boolean {
    return this.isConsuming;
  }

  start(): void {
    if (this.running) return;
    // The broker may have forgotten the request that was open; a new one costs nothing.
    this.forgetReconnect = this.bus.onReconnect(() => this.current?.stop());
    this.running = this.run();
  }

  /** Takes no new message and waits for those in work; false when some were still in work after `timeoutMs`. */
  async close(timeoutMs: number): Promise<boolean> {
    this.stopping.abort();
    this.forgetReconnect?.();
    this.wakeForSlot?.();
    this.current?.stop();
    const finished = (async (): Promise<boolean> => {
      await this.running;
      await Promise.all(this.inFlight);
      return true;
    })();
    const patience = new AbortController();
    const tooLate = sleep(this.bus.clock, timeoutMs, patience.signal).then(() => false);
    const result = await Promise.race([finished, tooLate]);
    patience.abort();
    return result;
  }

  private isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    for (let attempt = 1; !this.isStopped();) {
      try {
        await this.open();
        attempt = 1;
        while (!this.isStopped()) await this.pull();
      } catch (error) {
        this.isConsuming = false;
        if (this.isStopped()) return;
        const { stream, consumer } = this.options;
        const fields = { stream, consumer: consumer.durable_name, attempt, reason: reasonOf(error) };
        this.bus.logger.warn(fields, 'consumer interrupted; opening it again');
        await sleep(this.bus.clock, backoffMs(RETRY, attempt++, this.bus.random), this.stopping.signal);
      }
    }
  }

  private async open(): Promise<void> {
    const { stream, consumer, prepare } = this.options;
    await prepare();
    const manager = await this.bus.connection.jetstreamManager({ checkAPI: false });
    try {
      await manager.consumers.add(stream, { deliver_policy: DeliverPolicy.All, ...consumer });
    } catch (error) {
      if (!isConsumerDifferent(error)) throw error;
      // Left by a release with other settings.
      await manager.consumers.update(stream, consumer.durable_name, consumer);
      this.bus.logger.info({ stream, consumer: consumer.durable_name }, 'consumer settings written');
    }
    this.isConsuming = true;
    this.markReady();
  }

  private async pull(): Promise<void> {
    const free = this.options.concurrency - this.inFlight.size;
    if (free <= 0) {
      await new Promise<void>((resolve) => (this.wakeForSlot = resolve));
      return;
    }
    this.current = new Pull(this.bus, {
      stream: this.options.stream,
      durable: this.options.consumer.durable_name,
      batch: free,
      onMessage: (message) => this.begin(message),
    });
    await this.current.finished;
  }

  private begin(message: DeliveredMessage): void {
    if (this.isStopped()) {
      message.nak();
      return;
    }
    const work = this.options.onMessage(message).catch((error: unknown) => {
      this.bus.logger.error({ subject: message.subject, reason: reasonOf(error) }, 'message left unsettled');
    });
    const tracked: Promise<void> = work.finally(() => {
      this.inFlight.delete(tracked);
      this.wakeForSlot?.();
    });
    this.inFlight.add(tracked);
  }
}
