import type { Bus } from '../connection.js';
import { maxPayloadBytes } from '../codec.js';
import { busSubjects } from '../subjects.js';
import { type DeadLetter, FACTS_BYTES, deadLetterHeaders } from './dead-letter.js';

/**
 * Writes the message to DEADLETTERS and returns once the broker holds it. The same message written again within a day,
 * by whichever instance, is kept once.
 */
export async function storeDeadLetter(bus: Bus, letter: DeadLetter): Promise<void> {
  const subject = busSubjects.deadLetter(letter.kind);
  const room = maxPayloadBytes(bus.connection) - letter.payload.length - FACTS_BYTES;
  await bus.connection.jetstream().publish(subject, letter.payload, {
    headers: deadLetterHeaders(letter, room),
    msgID: identityOf(letter),
  });
  const { kind, reason, stream, streamSequence, consumer, deliveries } = letter;
  bus.logger.error(
    { subject: letter.subject, kind, reason, stream, streamSequence, consumer, deliveries },
    'message set aside as a dead letter',
  );
}

// Seconds: a sequence alone comes back when a stream is created anew, and nanoseconds do not fit a JavaScript number.
const identityOf = (letter: DeadLetter): string =>
  `${letter.stream}:${letter.streamSequence}:${Math.floor(letter.storedAtMs / 1_000)}`;
