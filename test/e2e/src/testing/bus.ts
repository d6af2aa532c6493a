import { type DeadLetter, readDeadLetter } from '@davit/bus';
import { busStreams } from '@davit/contracts';
import { type NatsConnection, NatsError } from 'nats';

/** What a requester on the bus hears: an answer, or a problem document where `status` says so. */
export interface BusReply {
  readonly isProblem: boolean;
  readonly body: unknown;
}

/** Sends bytes as an intent, as any publisher can, and waits for the reply. */
export async function askBus(connection: NatsConnection, subject: string, payload: Uint8Array): Promise<BusReply> {
  const reply = await connection.request(subject, payload, { timeout: 20_000 });
  return { isProblem: reply.headers?.get('Davit-Status') === 'problem', body: JSON.parse(reply.string()) };
}

export const utf8 = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

/** Everything that was set aside so far. */
export async function deadLetters(connection: NatsConnection): Promise<readonly DeadLetter[]> {
  const manager = await connection.jetstreamManager();
  const { state } = await manager.streams.info(busStreams.deadLetters);
  const letters: DeadLetter[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
    try {
      const message = await manager.streams.getMessage(busStreams.deadLetters, { seq });
      const letter = readDeadLetter({ headers: message.header, data: message.data });
      if (letter) letters.push(letter);
    } catch (error) {
      if (!(error instanceof NatsError && /no message found/i.test(error.message))) throw error;
    }
  }
  return letters;
}
