import type { RecordedEvent } from '@davit/contracts';
import {
  AckPolicy,
  type ConsumerDebugEvents,
  ConsumerEvents,
  type ConsumerMessages,
  DeliverPolicy,
  type NatsConnection,
  NatsError,
} from 'nats';
import { Cursor } from './cursor.js';
import { pause } from './pause.js';
import { EventReader } from './read-event.js';

const STREAM = 'LOG';
/** The broker drops a consumer that nobody has asked for so long. */
const INACTIVE_NS = 60_000_000_000;
const HEARTBEAT_MS = 5_000;
const PAUSE_MS = 500;
/** Of all subscriptions of this process. */
const reader = new EventReader();

/** The broker no longer holds what follows a position. Read on over HTTP, or begin anew from the present state. */
export class PositionLostError extends Error {
  readonly code = 'position-lost';
  constructor(
    readonly after: number,
    readonly first: number,
    readonly last: number,
  ) {
    super(
      `the broker holds positions ${first} to ${last}, not what follows ${after}; read GET /v1/events?after=${after}, or begin anew from GET /v1/routes`,
    );
    this.name = 'PositionLostError';
  }
}

export type FollowOptions = {
  /** Position of the last event that was handled; 0 for the beginning, `head` for what comes from now on. Default `head`. */
  readonly after?: number | 'head';
  /** Types to follow, such as `davit.route.*` or `davit.replica.ready`; all by default. */
  readonly types?: readonly string[];
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Told of every gap, silence and loss that was mended. */
  readonly onTrouble?: (what: string) => void;
};

/**
 * Events of the log in its order, none twice and none missing, from any position on. A connection that breaks, a broker that is
 * restarted, wiped and filled again, or a delivery that is lost makes it begin again after the last event that it yielded. Events are
 * frozen: every subscription of the process that follows their types gets the same ones.
 * @throws PositionLostError when what follows the position is no longer there
 * @throws InvalidEventError for an event of a newer Davit that this library cannot read
 */
export async function* followLog(
  connection: NatsConnection,
  options: FollowOptions = {},
): AsyncGenerator<RecordedEvent> {
  const { types = ['davit.>'], signal, onTrouble = () => undefined } = options;
  const manager = await connection.jetstreamManager({ checkAPI: false });
  const isStopped = (): boolean => signal?.aborted === true;
  const { after = 'head' } = options;
  const cursor = new Cursor(after === 'head' ? (await manager.streams.info(STREAM)).state.last_seq : after);
  const subjects = types.map((type) => type.replace(/^davit\./, 'davit.log.'));
  while (!isStopped()) {
    let messages: ConsumerMessages | undefined;
    const stop = (): void => messages?.stop();
    try {
      const { state } = await manager.streams.info(STREAM);
      // A broker that was wiped is filled again from the log: until then it holds less than was seen, and that is no loss.
      if (state.messages > 0 && state.first_seq > cursor.position + 1) {
        throw new PositionLostError(cursor.position, state.first_seq, state.last_seq);
      }
      const { name } = await manager.consumers.add(STREAM, {
        filter_subjects: subjects,
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: cursor.position + 1,
        ack_policy: AckPolicy.None,
        inactive_threshold: INACTIVE_NS,
        mem_storage: true,
        num_replicas: 1,
      });
      cursor.restart();
      messages = await (
        await connection.jetstream().consumers.get(STREAM, name)
      ).consume({ idle_heartbeat: HEARTBEAT_MS });
      signal?.addEventListener('abort', stop, { once: true });
      // Told so while the consumer was being made.
      if (isStopped()) return;
      void watch(messages, onTrouble);
      for await (const message of messages) {
        const step = cursor.take(message.seq, message.info.deliverySequence);
        if (step === 'gap') {
          onTrouble(`a delivery is missing before position ${message.seq}`);
          break;
        }
        if (step === 'next') yield reader.read(message.seq, message.data);
      }
    } catch (error) {
      // Whatever the broker cannot do now it may do later; what is wrong with an event stays wrong.
      if (!(error instanceof NatsError)) throw error;
      onTrouble(error.message);
    } finally {
      signal?.removeEventListener('abort', stop);
      // Its end is not waited for: the client tells it only to somebody who reads on.
      messages?.stop();
    }
    await pause(PAUSE_MS, signal);
  }
}

const LOST: ReadonlySet<ConsumerEvents | ConsumerDebugEvents> = new Set([
  ConsumerEvents.ConsumerDeleted,
  ConsumerEvents.ConsumerNotFound,
  ConsumerEvents.StreamNotFound,
]);

/** Ends a subscription that the broker no longer serves; whoever reads it begins again. */
async function watch(messages: ConsumerMessages, onTrouble: (what: string) => void): Promise<void> {
  let missed = 0;
  for await (const { type } of await messages.status()) {
    missed = type === ConsumerEvents.HeartbeatsMissed ? missed + 1 : 0;
    const isLost = LOST.has(type);
    if (!isLost && missed < 2) continue;
    onTrouble(type);
    messages.stop();
  }
}
