import { type RecordedEvent, parseRecordedEvent, subjects } from '@davit/contracts';
import { JSONCodec, type NatsConnection, connect } from 'nats';

const codec = JSONCodec();

/** Hears events a moment after they were committed, while the front door may be down. */
export class LogWatch {
  private constructor(private readonly connection: NatsConnection) {}

  static async open(natsUrl: string, onEvent: (event: RecordedEvent) => void): Promise<LogWatch> {
    const connection = await connect({ servers: natsUrl, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    connection.subscribe(subjects.allLog, {
      callback: (error, message) => {
        if (!error) onEvent(parseRecordedEvent(codec.decode(message.data)));
      },
    });
    await connection.flush();
    return new LogWatch(connection);
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
