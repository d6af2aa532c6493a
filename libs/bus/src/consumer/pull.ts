import { type Msg, type Subscription, createInbox, nanos } from 'nats';
import type { Bus } from '../connection.js';
import { DeliveredMessage } from './delivered.js';

export interface PullRequest {
  readonly stream: string;
  readonly durable: string;
  readonly batch: number;
  readonly onMessage: (message: DeliveredMessage) => void;
}

const EXPIRES_MS = 5_000;
/** After this much silence past its end, the broker has forgotten the request. */
const GRACE_MS = 2_000;

/**
 * One request for up to `batch` messages. The client's own `fetch` drops what is on the way when it is closed, which
 * then lies until the acknowledgement time-out; this one ends its subscription only after everything sent has arrived.
 */
export class Pull {
  /** Resolves when the request has been used up, has expired or was stopped; rejects when no consumer answers it. */
  readonly finished: Promise<void>;
  private readonly subscription: Subscription;
  private readonly cancelGuard: () => void;
  private received = 0;
  private isEnding = false;
  private resolve: () => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;

  constructor(
    private readonly bus: Bus,
    private readonly options: PullRequest,
  ) {
    this.finished = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    const { connection } = bus;
    const inbox = createInbox();
    this.subscription = connection.subscribe(inbox, {
      callback: (error, message) => {
        if (error) this.end(error);
        else if (message.subject === inbox) this.onStatus(message);
        else this.onMessage(message);
      },
    });
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${options.stream}.${options.durable}`;
    connection.publish(subject, JSON.stringify({ batch: options.batch, expires: nanos(EXPIRES_MS) }), { reply: inbox });
    this.cancelGuard = bus.clock.schedule(EXPIRES_MS + GRACE_MS, () => this.end());
  }

  /** Withdraws the request. What the broker has already sent still arrives before `finished` resolves. */
  stop(): void {
    this.end();
  }

  private onMessage(message: Msg): void {
    this.received += 1;
    this.options.onMessage(new DeliveredMessage(this.bus.connection, message));
    if (this.received >= this.options.batch) this.end();
  }

  private onStatus(message: Msg): void {
    const code = message.headers?.code ?? 0;
    const isOver = code === 404 || code === 408;
    if (isOver) this.end();
    else if (code === 503) this.end(new Error('stream or consumer does not exist, or JetStream is not ready'));
    else if (code >= 400) this.end(new Error(`pull refused: ${code} ${message.headers?.description ?? ''}`));
  }

  private end(error?: Error): void {
    if (this.isEnding) return;
    this.isEnding = true;
    this.cancelGuard();
    const settle = (): void => (error ? this.reject(error) : this.resolve());
    if (this.subscription.isClosed() || !this.bus.status().connected) {
      this.subscription.unsubscribe();
      settle();
      return;
    }
    this.subscription.drain().then(settle, settle);
  }
}
