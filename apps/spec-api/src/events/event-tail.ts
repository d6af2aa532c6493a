import type { RecordedEvent } from '@davit/contracts';
import type { EventLog, FeedSubscription, LogFeed } from '@davit/event-log';
import type { Cancel, Clock, Logger } from '@davit/ports';

export interface EventTailOptions {
  readonly log: EventLog;
  readonly feed: LogFeed;
  readonly clock: Clock;
  readonly logger?: Logger;
  /** Events kept for readers near the end. Default 500, which is what a reader takes at once. */
  readonly keep?: number;
  /** Longest silence of the feed after which the log itself is asked. Default 500. */
  readonly pollMs?: number;
  /** Readers are woken at most once in this time, so that a busy log costs them a few writes and not one an event. Default 40. */
  readonly gatherMs?: number;
}

const PAGE = 500;

/**
 * The end of the log for any number of readers at once: one feed, one window of recent events and one timer for all of them. A
 * reader behind the window reads the log itself; the feed only makes it faster, since silence is answered by asking the log.
 */
export class EventTail {
  private readonly window: RecordedEvent[] = [];
  /** Position up to which the end of the log is known here. */
  private end = 0;
  private following: Promise<FeedSubscription> | undefined;
  private readonly sleepers = new Set<() => void>();
  private wokenAtMs = -Infinity;
  private cancelWake: Cancel | undefined;
  private cancelPoll: Cancel = () => undefined;
  private stopped = false;

  constructor(private readonly options: EventTailOptions) {}

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelPoll();
    this.cancelWake?.();
    const subscription = await this.following;
    await subscription?.stop();
    this.wake();
  }

  /** A reader from a position on, until `signal` ends it. */
  reader(after: number, signal: AbortSignal): EventReader {
    return new EventReader(this, after, signal);
  }

  /** Up to a page of the events after `position`, in order and without gaps; empty where there is none yet. */
  async after(position: number): Promise<readonly RecordedEvent[]> {
    this.following ??= this.follow();
    await this.following;
    return this.fromWindow(position) ?? (await this.options.log.read(position, PAGE));
  }

  /** Calls once when something may have come, and at the latest after the poll of the log. */
  onChange(listener: () => void): Cancel {
    this.sleepers.add(listener);
    return () => this.sleepers.delete(listener);
  }

  /** Begins to follow the log; done once, by the first reader. */
  private async follow(): Promise<FeedSubscription> {
    this.end = await this.options.log.head();
    this.schedulePoll();
    return this.options.feed.subscribe(this.end, (events) => {
      this.keep(events);
      return Promise.resolve();
    });
  }

  /** Undefined when the window does not reach back that far. */
  private fromWindow(position: number): readonly RecordedEvent[] | undefined {
    if (position >= this.end) return [];
    const first = this.window[0]?.position;
    if (first === undefined || position < first - 1) return undefined;
    const start = position - first + 1;
    return this.window.slice(start, start + PAGE);
  }

  /** The feed may repeat or skip: repeats are dropped, and after a gap the window begins anew. */
  private keep(events: readonly RecordedEvent[]): void {
    const { window } = this;
    const { keep = 500 } = this.options;
    for (const event of events) {
      if (event.position <= this.end) continue;
      if (event.position !== this.end + 1) window.length = 0;
      window.push(event);
      this.end = event.position;
    }
    if (window.length > 2 * keep) window.splice(0, window.length - keep);
    this.schedulePoll();
    this.wakeSoon();
  }

  private schedulePoll(): void {
    this.cancelPoll();
    if (this.stopped) return;
    this.cancelPoll = this.options.clock.schedule(this.options.pollMs ?? 500, () => void this.poll());
  }

  /** What the feed did not bring, the log has. */
  private async poll(): Promise<void> {
    try {
      this.keep(await this.options.log.read(this.end, PAGE));
    } catch (error) {
      this.options.logger?.warn({ err: error }, 'the end of the log could not be read; asked again');
    }
    this.schedulePoll();
    this.wake();
  }

  private wakeSoon(): void {
    const { clock, gatherMs = 40 } = this.options;
    if (this.cancelWake) return;
    const leftMs = this.wokenAtMs + gatherMs - clock.monotonicMs();
    if (leftMs <= 0) this.wake();
    else this.cancelWake = clock.schedule(leftMs, () => this.wake());
  }

  private wake(): void {
    this.cancelWake?.();
    this.cancelWake = undefined;
    this.wokenAtMs = this.options.clock.monotonicMs();
    const listeners = [...this.sleepers];
    this.sleepers.clear();
    for (const listener of listeners) listener();
  }
}

/** One reader's place in the log. */
export class EventReader {
  private leave: () => void = () => undefined;

  constructor(
    private readonly tail: EventTail,
    private position: number,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.leave(), { once: true });
  }

  /** Where it is: all events up to here were given. */
  get at(): number {
    return this.position;
  }

  /** What follows, in order and without gaps. Empty when nothing came for about the time of a poll, or the reader was ended. */
  async next(): Promise<readonly RecordedEvent[]> {
    // Listens before it looks, so that what comes in between is not slept through.
    const changed = new Promise<void>((resolve) => {
      const forget = this.tail.onChange(resolve);
      this.leave = () => {
        forget();
        resolve();
      };
    });
    let page = await this.tail.after(this.position);
    if (page.length === 0 && !this.signal.aborted) {
      await changed;
      page = await this.tail.after(this.position);
    }
    this.leave();
    if (isEnded(this.signal)) return [];
    this.position = page.at(-1)?.position ?? this.position;
    return page;
  }
}

const isEnded = ({ aborted }: AbortSignal): boolean => aborted;
