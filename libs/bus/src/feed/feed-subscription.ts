import type { RecordedEvent } from '@davit/contracts';
import type { FeedSubscription } from '@davit/event-log';
import { backoffMs, type Logger, sleep } from '@davit/ports';
import type { Bus } from '../connection.js';
import { reasonOf } from '../errors.js';
import { FeedSession } from './feed-session.js';
import type { ResolvedFeedOptions } from './log-feed.js';
import { startingPoint } from './starting-point.js';

export interface FeedStats {
  /** Position of the last event that the reader has taken. */
  readonly position: number;
  /** When the broker was last heard, in milliseconds since the epoch; undefined before the first time. */
  readonly lastHeardAtMs: number | undefined;
  /** Consumers built after the first one. */
  readonly restarts: number;
  /** Messages of the stream that were no events and were left out. */
  readonly invalid: number;
  readonly state: 'connecting' | 'waiting' | 'streaming' | 'stopped';
  readonly lastError: string | undefined;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
const POLL_MS = 250;

/** One reader of the log's mirror: builds a consumer, and another when that one ends, until it is stopped. */
export class JetStreamFeedSubscription implements FeedSubscription {
  readonly finished: Promise<void>;
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private readonly current: Mutable<FeedStats>;
  private streamCreated: string | undefined;
  private session: FeedSession | undefined;

  constructor(
    private readonly bus: Bus,
    private readonly options: ResolvedFeedOptions,
    afterPosition: number,
    private readonly onEvents: (events: readonly RecordedEvent[]) => Promise<void>,
  ) {
    this.logger = bus.logger.child({ stream: options.stream });
    this.current = {
      position: afterPosition,
      lastHeardAtMs: undefined,
      restarts: 0,
      invalid: 0,
      state: 'connecting',
      lastError: undefined,
    };
    this.finished = this.run();
  }

  stats(): FeedStats {
    return { ...this.current, lastHeardAtMs: this.session?.lastHeardAtMs ?? this.current.lastHeardAtMs };
  }

  /** Takes no further event; returns when the reader has finished with those it was given. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.session?.end();
    await this.finished;
  }

  private isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.isStopped()) {
      const before = this.current.position;
      try {
        await this.stream();
      } catch (error) {
        if (this.isStopped()) break;
        failures = this.current.position > before ? 1 : failures + 1;
        const delayMs = backoffMs(this.options.retry, failures, this.bus.random);
        this.current.restarts += 1;
        this.current.lastError = reasonOf(error);
        this.current.state = 'connecting';
        const fields = { position: this.current.position, reason: this.current.lastError, delayMs };
        this.logger.warn(fields, 'log feed interrupted; reading on from the last event');
        await sleep(this.bus.clock, delayMs, this.stopping.signal);
      }
    }
    this.current.state = 'stopped';
  }

  /** Reads until something fails. */
  private async stream(): Promise<void> {
    const start = await this.waitForStart();
    if (start === undefined) return;
    const session = new FeedSession(this.bus, this.options, start, {
      deliver: (events, lastSequence) => this.deliver(events, lastSequence),
      onInvalid: (sequence, reason) => {
        this.current.invalid += 1;
        this.logger.error({ sequence, reason }, 'message of the log stream is not an event; left out');
      },
    });
    this.session = session;
    if (this.isStopped()) session.end();
    try {
      this.current.state = 'streaming';
      await session.run();
    } finally {
      this.current.lastHeardAtMs = session.lastHeardAtMs;
      this.session = undefined;
    }
  }

  private async deliver(events: readonly RecordedEvent[], lastSequence: number): Promise<void> {
    if (this.isStopped()) return;
    if (events.length > 0) await this.onEvents(events);
    this.current.position = lastSequence;
  }

  /** The sequence to begin with; undefined when stopped. Waits while the stream ends before the place to read on from. */
  private async waitForStart(): Promise<number | undefined> {
    for (let announced = false; !this.isStopped();) {
      const point = await startingPoint(this.bus, this.options.stream, this.current.position);
      this.noticeRecreation(point.created);
      if (point.kind === 'start') {
        if (point.skipped > 0) {
          const fields = { position: this.current.position, first: point.sequence, missing: point.skipped };
          this.logger.warn(fields, 'the stream no longer holds the next events; starting at its first one');
        }
        return point.sequence;
      }
      if (!announced) {
        const fields = { position: this.current.position, last: point.lastSequence };
        this.logger.warn(fields, 'the stream ends before the last event read; waiting until it is filled again');
        announced = true;
      }
      this.current.state = 'waiting';
      this.current.lastHeardAtMs = this.bus.clock.nowMs();
      await sleep(this.bus.clock, POLL_MS, this.stopping.signal);
    }
    return undefined;
  }

  private noticeRecreation(created: string): void {
    if (this.streamCreated !== undefined && this.streamCreated !== created) {
      this.logger.warn({ before: this.streamCreated, now: created }, 'the stream was created anew');
    }
    this.streamCreated = created;
  }
}
