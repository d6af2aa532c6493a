import { busStreams, subjects } from '@davit/contracts';
import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig, nanos } from 'nats';
import { busSubjects } from '../subjects.js';

const DAY_MS = 86_400_000;

/** Largest intent, payload and headers together. Leaves room, under the broker's usual 1 MiB, for what a dead letter adds. */
export const MAX_INTENT_BYTES = 983_040;

/** How long the broker recognises a repeated `Nats-Msg-Id` on INTENTS, and how long answers to such intents are kept. */
export const INTENT_DUPLICATE_WINDOW_MS = 120_000;

export type StreamDefinition = Pick<StreamConfig, 'name' | 'subjects' | 'retention' | 'storage'> &
  Partial<StreamConfig>;

/**
 * Intents wait here until one instance has handled them. `no_ack`: the reply subject of an intent belongs to the
 * answer, so the broker must not use it for its own acknowledgement; a JetStream publish to this stream gets none.
 */
export const intentsStream: StreamDefinition = {
  name: busStreams.intents,
  subjects: [subjects.allIntents],
  retention: RetentionPolicy.Workqueue,
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  no_ack: true,
  max_msg_size: MAX_INTENT_BYTES,
  duplicate_window: nanos(INTENT_DUPLICATE_WINDOW_MS),
};

/** Every advisory by which the broker tells that it gave up a message of the stream. */
export const giveUpAdvisories = (stream: string): readonly string[] => [
  `$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.${stream}.*`,
  `$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.${stream}.*`,
];

/** Messages that were set aside, and the broker's own notices, so that none is lost while nobody listens. */
export const deadLettersStream: StreamDefinition = {
  name: busStreams.deadLetters,
  subjects: [busSubjects.allDeadLetters, ...giveUpAdvisories(busStreams.intents)],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.Old,
  max_age: nanos(30 * DAY_MS),
  max_bytes: 1_073_741_824,
  duplicate_window: nanos(DAY_MS),
};
