import type { ProblemDocument } from '@davit/contracts';
import { sleep } from '@davit/ports';
import type { MessageHandler } from '@nestjs/microservices';
import { type Msg, type Subscription, headers as newHeaders } from 'nats';
import { decodeRequest, encodeJson, maxPayloadBytes } from '../codec.js';
import type { Bus } from '../connection.js';
import { reasonOf } from '../errors.js';
import { problem, problemOf } from '../rpc-problem.js';
import { busHeaders, isAnswerable } from '../subjects.js';
import { BusContext } from './context.js';
import type { RunHandler } from './run-handler.js';

export interface RpcServerOptions {
  /** Instances of one service share the requests under this name. */
  readonly queue: string;
  readonly concurrency: number;
  /** Longest time a handler may take; a shorter deadline of the requester wins. */
  readonly timeoutMs: number;
  readonly run: RunHandler;
}

class DeadlineError extends Error {
  readonly code = 'deadline-exceeded';
}

/** Answers core-NATS requests. Every request gets an answer: a result, or a problem document. */
export class RpcServer {
  private readonly subscriptions: Subscription[] = [];
  private readonly inFlight = new Set<Promise<void>>();

  constructor(
    private readonly bus: Bus,
    private readonly options: RpcServerOptions,
  ) {}

  get inFlightCount(): number {
    return this.inFlight.size;
  }

  serve(pattern: string, handler: MessageHandler): void {
    const subscription = this.bus.connection.subscribe(pattern, {
      queue: this.options.queue,
      callback: (error, message) => {
        if (error) this.bus.logger.error({ pattern, reason: error.message }, 'requests cannot be received');
        else this.accept(message, handler);
      },
    });
    this.subscriptions.push(subscription);
  }

  /** Takes no new request; those in work keep their chance to answer. */
  async close(): Promise<void> {
    if (!this.bus.connection.isClosed()) await Promise.all(this.subscriptions.splice(0).map((one) => one.drain()));
    await Promise.all(this.inFlight);
  }

  private accept(message: Msg, handler: MessageHandler): void {
    if (this.inFlight.size >= this.options.concurrency) {
      const text = `${this.inFlight.size} requests are in work here; try again`;
      this.answerProblem(message, problem('overloaded', 503, 'Too many requests at once', text));
      return;
    }
    const work: Promise<void> = this.answer(message, handler)
      .catch((error: unknown) => {
        this.bus.logger.error({ subject: message.subject, reason: reasonOf(error) }, 'request left without an answer');
      })
      .finally(() => this.inFlight.delete(work));
    this.inFlight.add(work);
  }

  private async answer(message: Msg, handler: MessageHandler): Promise<void> {
    const body = decodeRequest(message.data.length === 0 ? EMPTY_BODY : message.data);
    if (!body.ok) {
      this.answerProblem(message, problem('malformed-request', 400, 'The request is not JSON', body.reason));
      return;
    }
    const timeoutMs = this.timeoutOf(message);
    const deadlineMs = this.bus.clock.nowMs() + timeoutMs;
    const { subject, headers, data: payload } = message;
    const context = new BusContext({ subject, headers, payload, deadlineMs });
    try {
      const result = await this.beforeDeadline(this.options.run(handler, body.value, context), timeoutMs);
      const reply = encodeJson(subject, result, maxPayloadBytes(this.bus.connection));
      if (isAnswerable(message.reply)) message.respond(reply);
    } catch (error) {
      const answer = problemOf(error);
      this.bus.logger.warn({ subject, code: answer.code, reason: reasonOf(error) }, 'request not fulfilled');
      this.answerProblem(message, answer);
    }
  }

  private timeoutOf(message: Msg): number {
    const asked = Number(message.headers?.get(busHeaders.deadlineMs));
    return asked > 0 ? Math.min(asked, this.options.timeoutMs) : this.options.timeoutMs;
  }

  private async beforeDeadline(work: Promise<unknown>, timeoutMs: number): Promise<unknown> {
    const finished = new AbortController();
    const late = sleep(this.bus.clock, timeoutMs, finished.signal).then(() => {
      if (finished.signal.aborted) return undefined;
      throw new DeadlineError(`not finished within ${timeoutMs} ms`);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      finished.abort();
    }
  }

  private answerProblem(message: Msg, answer: ProblemDocument): void {
    if (this.bus.connection.isClosed() || !isAnswerable(message.reply)) return;
    const headers = newHeaders();
    headers.set(busHeaders.status, 'problem');
    message.respond(encodeJson(message.subject, answer, maxPayloadBytes(this.bus.connection)), { headers });
  }
}

/** A request without a body asks with nothing to say. */
const EMPTY_BODY = new TextEncoder().encode('null');
