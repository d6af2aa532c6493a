import { BaseRpcContext } from '@nestjs/microservices';
import type { MsgHdrs } from 'nats';
import type { DeliveryFacts } from '../consumer/delivered.js';
import { busHeaders } from '../subjects.js';

/** What a handler may know about its message beside the body; injected with `@Ctx()`. */
export interface MessageFacts {
  readonly subject: string;
  readonly headers: MsgHdrs | undefined;
  readonly payload: Uint8Array;
  /** Only for messages of a stream. */
  readonly delivery?: DeliveryFacts;
  /** Only for requests: when the requester stops waiting, in milliseconds since the epoch. */
  readonly deadlineMs?: number;
}

/** Context of a message from the bus. */
export class BusContext extends BaseRpcContext<[MessageFacts]> {
  constructor(facts: MessageFacts) {
    super([facts]);
  }

  get facts(): MessageFacts {
    return this.args[0];
  }

  get subject(): string {
    return this.facts.subject;
  }

  header(name: string): string | undefined {
    const value = this.facts.headers?.get(name);
    return value === '' ? undefined : value;
  }

  get traceparent(): string | undefined {
    return this.header(busHeaders.traceparent);
  }

  /**
   * An identity that is the same for every delivery of one stored message: the sender's `Nats-Msg-Id`, else its place
   * in the stream with the second it was stored in, because sequences start anew when a stream does.
   */
  get messageId(): string | undefined {
    const { delivery } = this.facts;
    const own = this.header(busHeaders.messageId);
    if (own !== undefined || !delivery) return own;
    return `${delivery.stream}:${delivery.streamSequence}:${Math.floor(delivery.storedAtMs / 1_000)}`;
  }
}
