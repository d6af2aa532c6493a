import { type RecordedEvent, busStreams, parseRecordedEvent } from '@davit/contracts';
import { JSONCodec, type JetStreamManager, type NatsConnection, connect } from 'nats';

/** A message of the LOG stream: its place there, and the event that it holds. */
export interface Mirrored {
  readonly sequence: number;
  readonly event: RecordedEvent;
}

const codec = JSONCodec();

async function withBus<Value>(natsUrl: string, use: (connection: NatsConnection) => Promise<Value>): Promise<Value> {
  const connection = await connect({ servers: natsUrl, timeout: 5_000 });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

/** The last sequence of LOG; undefined while there is no such stream. */
export function mirroredUpTo(natsUrl: string): Promise<number | undefined> {
  return withBus(natsUrl, async (connection) => {
    const manager = await connection.jetstreamManager({ checkAPI: false });
    const info = await manager.streams.info(busStreams.log).catch(() => undefined);
    return info?.state.last_seq;
  });
}

/** Everything that LOG holds, in its order. */
export function readMirror(natsUrl: string): Promise<readonly Mirrored[]> {
  return withBus(natsUrl, async (connection) => {
    const manager = await connection.jetstreamManager();
    const { state } = await manager.streams.info(busStreams.log);
    const messages: Mirrored[] = [];
    for (let sequence = state.first_seq; sequence <= state.last_seq; sequence++)
      messages.push(await readOne(manager, sequence));
    return messages;
  });
}

async function readOne(manager: JetStreamManager, sequence: number): Promise<Mirrored> {
  const message = await manager.streams.getMessage(busStreams.log, { seq: sequence });
  return { sequence: message.seq, event: parseRecordedEvent(codec.decode(message.data)) };
}
