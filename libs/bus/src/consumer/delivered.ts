import { type Msg, type MsgHdrs, type NatsConnection, nanos } from 'nats';

/** Where a stored message came from, as the broker tells it in the acknowledgement subject. */
export interface DeliveryFacts {
  readonly stream: string;
  readonly consumer: string;
  /** 1 on the first delivery. */
  readonly deliveries: number;
  readonly streamSequence: number;
  readonly storedAtMs: number;
}

const ACK_TIMEOUT_MS = 5_000;

/** A message of a stream in the hands of a consumer, to be settled once: acknowledged, given back or ended. */
export class DeliveredMessage {
  readonly facts: DeliveryFacts;
  private readonly ackSubject: string;
  private isSettled = false;

  /** @throws when the message was not delivered by a consumer that wants acknowledgements */
  constructor(
    private readonly connection: NatsConnection,
    private readonly message: Msg,
  ) {
    this.ackSubject = message.reply ?? '';
    this.facts = readAckSubject(this.ackSubject);
  }

  get subject(): string {
    return this.message.subject;
  }

  get data(): Uint8Array {
    return this.message.data;
  }

  get headers(): MsgHdrs | undefined {
    return this.message.headers;
  }

  /** Acknowledges and waits until the broker has confirmed it. Faults of the connection pass through. */
  async ack(): Promise<void> {
    if (this.isSettled) return;
    this.isSettled = true;
    await this.connection.request(this.ackSubject, '+ACK', { timeout: ACK_TIMEOUT_MS });
  }

  /** Gives the message back, to be delivered again after `delayMs`. */
  nak(delayMs = 0): void {
    this.settle(delayMs > 0 ? `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}` : '-NAK');
  }

  /** Ends the message: it is not delivered again. */
  term(): void {
    // Without a reason: servers before 2.10.4 do not know the longer form and would ignore it.
    this.settle('+TERM');
  }

  /** Tells the broker that the message is still being worked on. */
  working(): void {
    if (this.isSettled || this.connection.isClosed() || this.connection.isDraining()) return;
    this.connection.publish(this.ackSubject, '+WPI');
  }

  private settle(verdict: string): void {
    if (this.isSettled) return;
    this.isSettled = true;
    if (!this.connection.isClosed()) this.connection.publish(this.ackSubject, verdict);
  }
}

/**
 * `$JS.ACK.<stream>.<consumer>.<deliveries>.<stream seq>.<consumer seq>.<time>.<pending>`, with domain and account
 * before the stream on servers that use them. Shape: the NATS architecture record ADR-15.
 */
export function readAckSubject(subject: string): DeliveryFacts {
  const tokens = subject.split('.');
  const offset = tokens.length === 9 ? 2 : 4;
  const [stream, consumer, deliveries, streamSequence, , time] = tokens.slice(offset);
  if (!subject.startsWith('$JS.ACK.') || stream === undefined || consumer === undefined || time === undefined) {
    throw new Error(`message is not from a consumer with acknowledgements: ${subject === '' ? 'no reply' : subject}`);
  }
  return {
    stream,
    consumer,
    deliveries: Number(deliveries),
    streamSequence: Number(streamSequence),
    storedAtMs: Number(BigInt(time) / 1_000_000n),
  };
}
