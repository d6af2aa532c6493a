import { type EventFilter, isWhole } from '@davit/domain';
import type { Cancel, Clock } from '@davit/ports';
import { Checkpoints } from './checkpoints.js';
import type { EventTail } from './event-tail.js';
import { type Choice, type Page, choiceOf } from './page.js';

/** Where a stream of server-sent events is written to; a `Socket` is one. */
export interface StreamSink {
  write(bytes: string | Buffer): boolean;
  /** Bytes that wait for the reader to take them. */
  readonly writableLength: number;
  once(event: 'drain', listener: () => void): unknown;
}

export interface EventStreamOptions {
  readonly tail: Pick<EventTail, 'after' | 'onWake'>;
  /** Position after which the stream begins. */
  readonly after: number;
  readonly filter: EventFilter;
  readonly clock: Clock;
  /** Silence after which the stream says that it is still there. */
  readonly heartbeatMs: number;
  /** A reader that takes nothing for this long is let go; it resumes from what it had. */
  readonly stallMs: number;
  /** Ends the stream: the reader left, or the service stops. */
  readonly signal: AbortSignal;
}

/**
 * Writes events from a position on, for as long as the reader stays. The next page is taken only when the last one has
 * left, so a slow reader costs one page of memory and falls behind instead. Positions of a stream of everything have no gaps; a
 * filtered one says now and then how far it has looked and how many it sent since the last time, so that a reader can tell that
 * nothing was lost on the way, and resumes behind what it need not see again.
 * @throws {StalledReaderError}
 */
export function streamEvents(sink: StreamSink, options: EventStreamOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = new EventStream(sink, options, (error) => {
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('the event stream failed', { cause: error }));
    });
    stream.begin();
  });
}

/** The reader of a stream has not taken anything for too long. */
export class StalledReaderError extends Error {
  readonly code = 'stalled-reader';
  constructor(stallMs: number) {
    super(`the reader took nothing for ${stallMs} ms; it resumes from its last event`);
    this.name = 'StalledReaderError';
  }
}

/**
 * Whoever is at the end of the log is served where the tail wakes it, without a promise or a timer of its own: with hundreds of
 * readers these are what a stream costs.
 */
class EventStream {
  private readonly choice: Choice;
  private readonly checkpoints: Checkpoints | undefined;
  private position: number;
  private spokeAtMs = 0;
  /** A page is being read, or the reader has not yet taken the last. */
  private waits = false;
  /** It was woken while it waited. */
  private missed = false;
  private ended = false;
  private readonly leave: Cancel[] = [];
  private cancelStall: Cancel = () => undefined;

  constructor(
    private readonly sink: StreamSink,
    private readonly options: EventStreamOptions,
    private readonly settle: (error?: unknown) => void,
  ) {
    this.choice = choiceOf(options.filter);
    this.position = options.after;
    if (!isWhole(options.filter)) this.checkpoints = new Checkpoints(options.after);
  }

  begin(): void {
    const { tail, signal } = this.options;
    const left = (): void => this.end();
    signal.addEventListener('abort', left, { once: true });
    this.leave.push(
      () => signal.removeEventListener('abort', left),
      tail.onWake(() => this.goOn()),
    );
    if (signal.aborted) this.end();
    else {
      this.say('retry: 1000\n\n');
      this.goOn();
    }
  }

  private end(error?: unknown): void {
    if (this.ended) return;
    this.ended = true;
    this.cancelStall();
    for (const leave of this.leave) leave();
    this.settle(error);
  }

  /** Sends what there is, until the end is reached, the reader is full or a page has to be read from the log. */
  private goOn(): void {
    this.missed = this.waits;
    try {
      while (!this.waits && !this.ended) {
        const page = this.options.tail.after(this.position);
        if (page instanceof Promise) {
          this.await(page);
          return;
        }
        this.give(page);
        if (page.isEmpty) return;
      }
    } catch (error) {
      this.end(error);
    }
  }

  private await(coming: Promise<Page>): void {
    this.waits = true;
    coming
      .then((page) => {
        this.waits = false;
        if (this.ended) return;
        this.give(page);
        if (!page.isEmpty || this.missed) this.goOn();
      })
      .catch((error: unknown) => this.end(error));
  }

  private give(page: Page): void {
    const { clock, heartbeatMs } = this.options;
    const { bytes, count } = page.framed(this.choice);
    this.position = page.last ?? this.position;
    if (count > 0) this.say(bytes);
    const nowMs = clock.monotonicMs();
    const isSilent = nowMs - this.spokeAtMs >= heartbeatMs;
    const due = this.checkpoints?.next(this.position, count, nowMs, isSilent);
    if (due !== undefined) this.say(due);
    // A line that starts with a colon is a comment: it keeps the connection open.
    else if (isSilent) this.say(`: at ${this.position}\n\n`);
  }

  private say(bytes: string | Buffer): void {
    const { clock, stallMs } = this.options;
    this.spokeAtMs = clock.monotonicMs();
    // A large piece is told to wait even where all of it went out at once.
    if (this.sink.write(bytes) || this.sink.writableLength === 0 || this.waits) return;
    this.waits = true;
    this.cancelStall = clock.schedule(stallMs, () => {
      this.end(new StalledReaderError(stallMs));
    });
    this.sink.once('drain', () => {
      this.cancelStall();
      this.waits = false;
      this.goOn();
    });
  }
}
