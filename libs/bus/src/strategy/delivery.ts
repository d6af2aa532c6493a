import { type BackoffOptions, backoffMs, type Cancel } from '@davit/ports';
import type { MessageHandler } from '@nestjs/microservices';
import type { IntentAnswers } from '../answers/intent-answers.js';
import { decodeRequest } from '../codec.js';
import type { Bus } from '../connection.js';
import type { DeliveredMessage } from '../consumer/delivered.js';
import { type DeadLetterKind, headersOf } from '../dead-letters/dead-letter.js';
import { storeDeadLetter } from '../dead-letters/store.js';
import { isPoisonMessage, reasonOf } from '../errors.js';
import { BusContext } from './context.js';
import type { RunHandler } from './run-handler.js';

export interface DeliveryCounts {
  handled: number;
  retried: number;
  deadLettered: number;
}

export interface DeliveryOptions {
  readonly ackWaitMs: number;
  readonly maxDeliver: number;
  readonly retry: BackoffOptions;
  readonly answers: IntentAnswers | undefined;
  readonly run: RunHandler;
  /** The one handler of the subject. */
  readonly handlerOf: (subject: string) => MessageHandler | undefined;
  readonly counts: DeliveryCounts;
}

/** Takes one stored message through its handler to its end: acknowledged, tried again later, or set aside. */
export class Delivery {
  constructor(
    private readonly bus: Bus,
    private readonly options: DeliveryOptions,
    private readonly message: DeliveredMessage,
  ) {}

  async settle(): Promise<void> {
    const stopHeartbeat = this.heartbeat();
    try {
      await this.handle();
    } finally {
      stopHeartbeat();
    }
  }

  private async handle(): Promise<void> {
    const { message, options } = this;
    const handler = options.handlerOf(message.subject);
    if (!handler) return this.setAside('no-handler', `nobody handles ${message.subject}`);
    const body = decodeRequest(message.data);
    if (!body.ok) return this.setAside('poison', body.reason);
    const context = new BusContext({
      subject: message.subject,
      headers: message.headers,
      payload: message.data,
      delivery: this.message.facts,
    });
    let result: unknown;
    try {
      result = await options.run(handler, body.value, context);
    } catch (error) {
      return this.failed(error);
    }
    this.publishOutcome(result);
    await this.acknowledge();
  }

  private async failed(error: unknown): Promise<void> {
    const reason = reasonOf(error);
    if (isPoisonMessage(error)) return this.setAside('poison', reason);
    if (this.message.facts.deliveries >= this.options.maxDeliver) return this.setAside('max-deliveries', reason);
    this.retryLater(reason);
  }

  private retryLater(reason: string): void {
    const delayMs = backoffMs(this.options.retry, this.message.facts.deliveries, this.bus.random);
    this.options.counts.retried += 1;
    const { deliveries, streamSequence } = this.message.facts;
    const fields = { subject: this.message.subject, streamSequence, deliveries, delayMs, reason };
    this.bus.logger.warn(fields, 'message not handled; trying again');
    this.message.nak(delayMs);
  }

  /** The copy is safe before the original is ended: a crash between the two repeats the copy, which is then kept once. */
  private async setAside(kind: DeadLetterKind, reason: string): Promise<void> {
    const { message } = this;
    try {
      await storeDeadLetter(this.bus, {
        kind,
        reason,
        ...this.message.facts,
        subject: message.subject,
        headers: headersOf(message.headers),
        payload: message.data,
      });
    } catch (error) {
      this.retryLater(`cannot be set aside (${reason}): ${reasonOf(error)}`);
      return;
    }
    this.options.counts.deadLettered += 1;
    this.options.answers?.publishProblem(message.subject, message.data, message.headers, { kind, reason });
    message.term();
  }

  private publishOutcome(result: unknown): void {
    const { message, options, bus } = this;
    try {
      options.answers?.publishOutcome(message.subject, message.data, message.headers, result);
    } catch (error) {
      // The intent has been carried out; only its answer is lost, as it is when the requester has gone.
      bus.logger.error({ subject: message.subject, reason: reasonOf(error) }, 'outcome not published');
    }
  }

  private async acknowledge(): Promise<void> {
    this.options.counts.handled += 1;
    try {
      await this.message.ack();
    } catch (error) {
      const fields = { subject: this.message.subject, ...this.message.facts, reason: reasonOf(error) };
      this.bus.logger.warn(fields, 'acknowledgement not confirmed; the message may come again');
    }
  }

  /** Tells the broker, three times per `ackWaitMs`, that the handler is still at work. */
  private heartbeat(): Cancel {
    let cancel: Cancel = () => undefined;
    const beat = (): void => {
      this.message.working();
      schedule();
    };
    const schedule = (): void => {
      cancel = this.bus.clock.schedule(this.options.ackWaitMs / 3, beat);
    };
    schedule();
    return () => cancel();
  }
}
