import { busStreams } from '@davit/contracts';
import { AckPolicy, type JetStreamManager, type StoredMsg, nanos } from 'nats';
import type { IntentAnswers } from '../answers/intent-answers.js';
import { decodeJson } from '../codec.js';
import type { DeliveredMessage } from '../consumer/delivered.js';
import type { Bus } from '../connection.js';
import { reasonOf } from '../errors.js';
import { PullLoop } from '../consumer/pull-loop.js';
import { ensureStreams, isMessageMissing, isStreamMissing } from '../streams/ensure.js';
import { type GiveUpAdvisory, giveUpAdvisory } from './advisory.js';
import { headersOf } from './dead-letter.js';
import { storeDeadLetter } from './store.js';

/**
 * Turns the broker's give-up notices into dead letters with the payload. Needed for what no handler could set aside
 * itself: a process that died, or hung, on the last delivery of a message. Any number of instances may run.
 */
export class DeadLetterProcessor {
  private readonly loop: PullLoop;

  constructor(
    private readonly bus: Bus,
    private readonly answers?: IntentAnswers,
  ) {
    this.loop = new PullLoop(bus, {
      stream: busStreams.deadLetters,
      consumer: {
        durable_name: 'dead-letter-copier',
        ack_policy: AckPolicy.Explicit,
        filter_subject: '$JS.EVENT.ADVISORY.CONSUMER.>',
        ack_wait: nanos(30_000),
        max_deliver: -1,
      },
      concurrency: 4,
      prepare: () => ensureStreams(bus),
      onMessage: (message) => this.settle(message),
    });
  }

  start(): void {
    this.loop.start();
  }

  async close(timeoutMs = 5_000): Promise<void> {
    await this.loop.close(timeoutMs);
  }

  private async settle(message: DeliveredMessage): Promise<void> {
    try {
      const decoded = decodeJson(message.data);
      const advisory = giveUpAdvisory.safeParse(decoded.ok ? decoded.value : undefined);
      if (advisory.success) await this.copy(advisory.data);
      else this.bus.logger.warn({ subject: message.subject }, 'broker notice of an unknown shape left as it is');
      await message.ack();
    } catch (error) {
      this.bus.logger.warn({ reason: reasonOf(error) }, 'dead letter not copied yet; trying again');
      message.nak(1_000);
    }
  }

  private async copy(advisory: GiveUpAdvisory): Promise<void> {
    const manager = await this.bus.connection.jetstreamManager({ checkAPI: false });
    const stored = await storedMessage(manager, advisory.stream, advisory.stream_seq);
    // Gone: its handler has set it aside and ended it. Younger: the stream was created anew and counts from one again.
    if (!stored || stored.time.getTime() > Date.parse(advisory.timestamp)) return;
    const exhausted = advisory.type === 'io.nats.jetstream.advisory.v1.max_deliver';
    const kind = exhausted ? 'max-deliveries' : 'terminated';
    const reason = exhausted
      ? `not acknowledged after ${advisory.deliveries} deliveries`
      : (advisory.reason ?? 'ended by its consumer');
    await storeDeadLetter(this.bus, {
      kind,
      reason,
      stream: advisory.stream,
      streamSequence: advisory.stream_seq,
      subject: stored.subject,
      consumer: advisory.consumer,
      deliveries: advisory.deliveries,
      storedAtMs: stored.time.getTime(),
      headers: headersOf(stored.header),
      payload: stored.data,
    });
    this.answers?.publishProblem(stored.subject, stored.data, stored.header, { kind, reason });
    // A work queue keeps what it gave up; the copy is the one to keep.
    if (advisory.stream === busStreams.intents) await removeStored(manager, advisory.stream, advisory.stream_seq);
  }
}

async function storedMessage(
  manager: JetStreamManager,
  stream: string,
  sequence: number,
): Promise<StoredMsg | undefined> {
  try {
    return await manager.streams.getMessage(stream, { seq: sequence });
  } catch (error) {
    if (isMessageMissing(error) || isStreamMissing(error)) return undefined;
    throw error;
  }
}

async function removeStored(manager: JetStreamManager, stream: string, sequence: number): Promise<void> {
  try {
    await manager.streams.deleteMessage(stream, sequence, false);
  } catch (error) {
    if (!isMessageMissing(error)) throw error;
  }
}
