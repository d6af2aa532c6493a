import { eventually, startNats, type NatsBroker } from '@davit/test-support';
import { type NatsConnection, StringCodec, connect } from 'nats';
import { PostgresEventLog } from '../../postgres/postgres-event-log.js';
import { type LogDatabase, logDatabase } from '../../testing/database.js';
import { appendTo } from '../../testing/fixtures.js';
import { defaultMirrorNames } from '../names.js';
import { natsPoke } from '../poke.js';
import { LogRelay, type RelayOptions } from '../relay.js';
import { type Fold, LabProjector, foldInto } from './projector.js';

const WRITERS = 4;
const STREAM = defaultMirrorNames.stream;
const codec = StringCodec();

export interface Audit {
  readonly first: number;
  readonly last: number;
  /** Messages whose place, number or id is not that of the event of the log. */
  readonly mismatches: readonly string[];
}

/** A log under load, a broker to hurt, relays and a projector between them. */
export class FailureLab {
  readonly relays: LogRelay[] = [];
  private readonly connections: NatsConnection[] = [];
  private writing: Promise<void>[] = [];
  private stopWriting = false;
  private theProjector: LabProjector | undefined;

  private constructor(
    readonly database: LogDatabase,
    readonly broker: NatsBroker,
    readonly log: PostgresEventLog,
  ) {}

  static async open(): Promise<FailureLab> {
    const [database, broker] = await Promise.all([logDatabase(), startNats()]);
    return new FailureLab(database, broker, new PostgresEventLog(database.dataSource));
  }

  async connect(): Promise<NatsConnection> {
    const connection = await connect({
      servers: this.broker.url,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 50,
      reconnectJitter: 10,
    });
    this.connections.push(connection);
    return connection;
  }

  async startRelay(options: Partial<RelayOptions> = {}): Promise<LogRelay> {
    const relay = new LogRelay({ source: this.log, connection: await this.connect(), ...options });
    this.relays.push(relay);
    relay.start();
    return relay;
  }

  async startProjector(): Promise<LabProjector> {
    this.theProjector = new LabProjector(await this.connect(), STREAM, this.log);
    return this.theProjector;
  }

  /** Writers of several processes' manner: each has its own log and commits one event at a time. */
  async startWriters(): Promise<void> {
    const poke = natsPoke(await this.connect());
    this.stopWriting = false;
    this.writing = Array.from({ length: WRITERS }, async (_, writer) => {
      const log = new PostgresEventLog(this.database.dataSource, { poke });
      for (let n = 0; !this.stopWriting; n++) await appendTo(log, `fleet/${writer}-${n % 7}`, 'any', 1 + (n % 3));
    });
  }

  async written(count: number): Promise<void> {
    const from = await this.log.head();
    await eventually(async () => (await this.log.head()) >= from + count, { timeoutMs: 30_000 });
  }

  async endWriters(): Promise<number> {
    this.stopWriting = true;
    await Promise.all(this.writing);
    return this.log.head();
  }

  /** Waits until the projector has seen everything, and compares its fold with one over the log itself. */
  async projectionMismatches(): Promise<number> {
    const projector = this.theProjector;
    if (!projector) throw new Error('no projector was started');
    const head = await this.log.head();
    await eventually(() => projector.position === head, { timeoutMs: 20_000 });
    const truth: Fold = new Map();
    for (let position = 0; position < head; position += 1_000) {
      for (const event of await this.log.read(position, 1_000)) foldInto(truth, event);
    }
    const streams = new Set([...truth.keys(), ...projector.fold.keys()]);
    return [...streams].filter((stream) => truth.get(stream) !== projector.fold.get(stream)).length;
  }

  async mirrored(): Promise<number> {
    const manager = await (await this.control()).jetstreamManager({ checkAPI: false });
    return (await manager.streams.info(STREAM)).state.last_seq;
  }

  /** Reads the whole stream from its first message to its last and compares each with the log. */
  async audit(): Promise<Audit> {
    const connection = await this.control();
    const manager = await connection.jetstreamManager();
    const { first_seq: first, last_seq: last, messages } = (await manager.streams.info(STREAM)).state;
    const mismatches: string[] = [];
    if (messages !== last - first + 1) mismatches.push(`${messages} messages in ${first}..${last}`);
    const consumer = await connection.jetstream().consumers.get(STREAM);
    const seen = await consumer.consume({ max_messages: 2_000 });
    let expected = first;
    let page: readonly { readonly id: string }[] = [];
    let pageStart = first;
    for await (const message of seen) {
      if (expected >= pageStart + page.length) {
        pageStart = expected;
        page = await this.log.readEnvelopes(expected - 1, 1_000);
      }
      // Our own relay wrote it; a message of any other shape shows as a mismatch.
      const event = JSON.parse(codec.decode(message.data)) as { position?: number; id?: string };
      const truth = page[expected - pageStart]?.id;
      if (message.seq !== expected || event.position !== expected || event.id !== truth) {
        mismatches.push(`sequence ${message.seq}, position ${event.position ?? '?'}, wanted ${expected}`);
      }
      expected += 1;
      if (message.seq >= last) break;
    }
    return { first, last, mismatches };
  }

  async close(): Promise<void> {
    await this.endWriters();
    await this.theProjector?.stop();
    await Promise.all(this.relays.map((relay) => relay.stop()));
    await Promise.all(this.connections.map((connection) => connection.close()));
    await Promise.all([this.database.dispose(), this.broker.dispose()]);
  }

  async control(): Promise<NatsConnection> {
    return this.connections.find((connection) => !connection.isClosed()) ?? this.connect();
  }
}
