import type { Envelope } from '@davit/contracts';
import {
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  type StreamConfig,
  DiscardPolicy,
  NatsError,
  RetentionPolicy,
  StorageType,
  StringCodec,
  headers,
  nanos,
} from 'nats';
import type { ConnectionWatch } from './connection-watch.js';
import type { Mirror, MirrorState, PublishOutcome } from './mirror.js';
import type { MirrorNames } from './names.js';

export interface MirrorLimits {
  /** How long the broker keeps events. Default 7 days. */
  readonly maxAgeMs?: number;
  /** Upper bound of the stream on disk. Default none. */
  readonly maxBytes?: number;
  /** Copies in a cluster. Default 1. */
  readonly replicas?: number;
}

const SEVEN_DAYS_MS = 7 * 24 * 3_600_000;
/** Long enough for a busy broker, short enough to get on after one that died with our messages in hand. */
const ACKNOWLEDGE_TIMEOUT_MS = 2_000;
const STREAM_NOT_FOUND = 10_059;
const MESSAGE_NOT_FOUND = 10_037;
const MESSAGE_ID = 'Nats-Msg-Id';

const codec = StringCodec();

/** The mirror as a JetStream stream. */
export class JetStreamMirror implements Mirror {
  /**
   * Servers before 2.10 check the expected sequence wrongly after a purge until they restart (seen on 2.9.10), so there a
   * new mirror is filled from position 1.
   */
  readonly canStartAnywhere: boolean;
  private readonly client: JetStreamClient;

  constructor(
    private readonly connection: NatsConnection,
    private readonly names: MirrorNames,
    private readonly limits: MirrorLimits,
    private readonly watch: ConnectionWatch,
  ) {
    this.client = connection.jetstream({ timeout: ACKNOWLEDGE_TIMEOUT_MS });
    this.canStartAnywhere = atLeast(connection.info?.version ?? '0', 2, 10);
  }

  async state(): Promise<MirrorState | undefined> {
    const manager = await this.manager();
    const info = await orUndefined(manager.streams.info(this.names.stream), STREAM_NOT_FOUND);
    return info && { lastSequence: info.state.last_seq, messages: info.state.messages };
  }

  async eventIdAt(sequence: number): Promise<string | undefined> {
    const manager = await this.manager();
    const message = await orUndefined(
      manager.streams.getMessage(this.names.stream, { seq: sequence }),
      MESSAGE_NOT_FOUND,
    );
    return message?.header.get(MESSAGE_ID);
  }

  async ensure(): Promise<void> {
    const manager = await this.manager();
    const info = await orUndefined(manager.streams.info(this.names.stream), STREAM_NOT_FOUND);
    // `first_seq` must stay unset: servers 2.10.0 to 2.10.27 empty such a stream at every restart
    // (github.com/nats-io/nats-server/pull/6753).
    if (!info) await manager.streams.add(this.config());
    else if (differs(info.config, this.config())) await manager.streams.update(this.names.stream, this.config());
  }

  async startAt(sequence: number): Promise<void> {
    const manager = await this.manager();
    await manager.streams.purge(this.names.stream, { seq: sequence });
  }

  async remove(): Promise<void> {
    const manager = await this.manager();
    await orUndefined(manager.streams.delete(this.names.stream), STREAM_NOT_FOUND);
  }

  async publish(events: readonly Envelope[]): Promise<PublishOutcome> {
    const answers = await this.watch.unlessGone(Promise.all(events.map((event) => this.publishOne(event))));
    if (!answers) return { outcome: 'refused', position: events[0]?.position ?? 0, reason: 'the broker went away' };
    let duplicates = 0;
    for (const [index, { duplicate, refusal }] of answers.entries()) {
      if (refusal !== undefined) {
        return { outcome: 'refused', position: events[index]?.position ?? 0, reason: refusal };
      }
      if (duplicate) duplicates += 1;
    }
    return { outcome: 'published', duplicates };
  }

  /** Never rejects, so that one refusal does not leave the other answers unheard. */
  private async publishOne(event: Envelope): Promise<{ readonly duplicate: boolean; readonly refusal?: string }> {
    const contentType = headers();
    contentType.set('Content-Type', 'application/cloudevents+json');
    try {
      const answer = await this.client.publish(this.names.subjectOf(event.type), codec.encode(JSON.stringify(event)), {
        msgID: event.id,
        expect: { streamName: this.names.stream, lastSequence: event.position - 1 },
        headers: contentType,
      });
      // The broker may know the message id and answer with the place of the earlier copy.
      if (answer.seq === event.position) return { duplicate: answer.duplicate };
      return { duplicate: answer.duplicate, refusal: `the broker has it at sequence ${answer.seq}` };
    } catch (error) {
      return { duplicate: false, refusal: error instanceof Error ? error.message : String(error) };
    }
  }

  private manager(): Promise<JetStreamManager> {
    return this.connection.jetstreamManager({ checkAPI: false, timeout: ACKNOWLEDGE_TIMEOUT_MS });
  }

  private config(): Partial<StreamConfig> & { readonly name: string } {
    return {
      name: this.names.stream,
      subjects: [this.names.allSubjects],
      description: 'Mirror of the event log: sequence = position. Only relays may write.',
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      storage: StorageType.File,
      max_age: nanos(this.limits.maxAgeMs ?? SEVEN_DAYS_MS),
      max_bytes: this.limits.maxBytes ?? -1,
      num_replicas: this.limits.replicas ?? 1,
      deny_delete: true,
    };
  }
}

/** Only what may be changed on a living stream. */
const differs = (present: StreamConfig, wanted: Partial<StreamConfig>): boolean =>
  present.max_age !== wanted.max_age ||
  present.max_bytes !== wanted.max_bytes ||
  present.num_replicas !== wanted.num_replicas ||
  present.subjects.join() !== wanted.subjects?.join();

async function orUndefined<T>(answer: Promise<T>, absentCode: number): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.err_code === absentCode) return undefined;
    throw error;
  }
}

function atLeast(version: string, major: number, minor: number): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number);
  return first > major || (first === major && second >= minor);
}
