import { type RecordedEvent, parseRecordedEvent } from '@davit/contracts';
import { type ConsumerMessages, type NatsConnection, StringCodec } from 'nats';
import { ConnectionWatch } from '../connection-watch.js';
import type { PostgresEventLog } from '../../postgres/postgres-event-log.js';

const codec = StringCodec();

/** What a fold of the log knows of each stream: enough to see a lost, doubled or reordered event. */
export type Fold = Map<string, string>;

export function foldInto(fold: Fold, event: RecordedEvent): void {
  fold.set(event.stream, `${fold.get(event.stream) ?? ''} ${event.version}@${event.position}`);
}

/** A reader of the mirror by the book: skips what it knows, takes holes from the log, starts anew when the stream vanishes. */
export class LabProjector {
  position = 0;
  skipped = 0;
  repaired = 0;
  readonly fold: Fold = new Map();
  private stopping = false;
  private messages: ConsumerMessages | undefined;
  private readonly watch: ConnectionWatch;
  private readonly running: Promise<void>;

  constructor(
    private readonly connection: NatsConnection,
    private readonly stream: string,
    private readonly log: PostgresEventLog,
  ) {
    this.watch = new ConnectionWatch(connection, () => this.messages?.stop());
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.messages?.stop();
    this.watch.close();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      try {
        await this.tail();
      } catch {
        // The stream or the broker is gone for now; the place to go on from is ours, not theirs.
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  private async tail(): Promise<void> {
    const consumer = await this.connection
      .jetstream({ timeout: 1_000 })
      .consumers.get(this.stream, { opt_start_seq: this.position + 1 });
    this.messages = await consumer.consume({ max_messages: 1_000, expires: 1_000, abort_on_missing_resource: true });
    for await (const message of this.messages) {
      await this.take(parseRecordedEvent(JSON.parse(codec.decode(message.data))));
      if (this.stopping) break;
    }
  }

  private async take(event: RecordedEvent): Promise<void> {
    if (event.position <= this.position) {
      this.skipped += 1;
      return;
    }
    while (event.position > this.position + 1) {
      const hole = await this.log.read(this.position, Math.min(1_000, event.position - this.position - 1));
      this.repaired += hole.length;
      for (const missed of hole) this.apply(missed);
    }
    this.apply(event);
  }

  private apply(event: RecordedEvent): void {
    foldInto(this.fold, event);
    this.position = event.position;
  }
}
