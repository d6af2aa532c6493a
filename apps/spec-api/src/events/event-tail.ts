import type { RecordedEvent } from '@davit/contracts';
import type { EventLog, FeedSubscription, LogFeed } from '@davit/event-log';
import type { Cancel, Clock, Logger } from '@davit/ports';
import { EventReader } from './event-reader.js';
import { EventWindow } from './event-window.js';
import { Page } from './page.js';

export interface EventTailOptions {
  readonly log: EventLog;
  readonly feed: LogFeed;
  readonly clock: Clock;
  readonly logger?: Logger;
  /** Events kept for readers near the end. Default 500, which is what a reader takes at once. */
  readonly keep?: number;
  /** Longest silence of the feed after which the log itself is asked. Default 500. */
  readonly pollMs?: number;
  /** Longest time that events are gathered for many readers, so that these cost a few writes and not one an event. Default 40. */
  readonly gatherMs?: number;
}

const PAGE = 500;
/** Readers are woken as often as that takes no more than this share of the time: a few at once, many less often. */
const SHARE = 1 / 5;
/** Where even a longer pause does not suffice, something else gets its turn. */
const MOST = 1 / 2;
/** What the fewest readers wait for, as a part of what many do. */
const SHORTEST = 1 / 4;

/**
 * The end of the log for any number of readers at once: one feed, one window of recent events and one timer for all of them. A
 * reader behind the window reads the log itself; the feed only makes it faster, since silence is answered by asking the log.
 */
export class EventTail {
  private window: EventWindow | undefined;
  private following: Promise<FeedSubscription> | undefined;
  private readonly listeners = new Set<() => void>();
  /** Pages of the log that are being read: those who fell behind together wait for one. */
  private readonly readings = new Map<number, Promise<Page>>();
  private wokenAtMs = -Infinity;
  private wakingMs = 0;
  private cancelWake: Cancel | undefined;
  private cancelPoll: Cancel = () => undefined;
  private stopped = false;

  constructor(private readonly options: EventTailOptions) {}

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelPoll();
    this.cancelWake?.();
    const subscription = await this.following?.catch(() => undefined);
    await subscription?.stop();
    this.wake();
  }

  /** A reader from a position on, until `signal` ends it. */
  reader(after: number, signal: AbortSignal): EventReader {
    return new EventReader(this, after, signal);
  }

  /** Up to a page of the events after `position`, in order and without gaps; empty where there is none yet. At once near the end. */
  after(position: number): Page | Promise<Page> {
    if (!this.window) return this.followed().then(() => this.after(position));
    return this.window.after(position, PAGE) ?? this.fromLog(position);
  }

  /** Calls whenever something may have come, and at the latest after the poll of the log, until it is cancelled. */
  onWake(listener: () => void): Cancel {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private fromLog(position: number): Promise<Page> {
    const known = this.readings.get(position);
    if (known) return known;
    const reading = this.options.log
      .read(position, PAGE)
      .then((events) => Page.of(events))
      .finally(() => this.readings.delete(position));
    this.readings.set(position, reading);
    return reading;
  }

  /** The log is followed from the first reader on. */
  private followed(): Promise<FeedSubscription> {
    this.following ??= this.follow().catch((error: unknown) => {
      this.following = undefined;
      throw error;
    });
    return this.following;
  }

  private async follow(): Promise<FeedSubscription> {
    const end = await this.options.log.head();
    this.window = new EventWindow(this.options.keep ?? 500, end);
    this.schedulePoll();
    return this.options.feed.subscribe(end, (events) => {
      this.keep(events);
      return Promise.resolve();
    });
  }

  private keep(events: readonly RecordedEvent[]): void {
    this.window?.add(events);
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
      this.keep(await this.options.log.read(this.window?.end ?? 0, PAGE));
    } catch (error) {
      this.options.logger?.warn({ err: error }, 'the end of the log could not be read; asked again');
    }
    this.schedulePoll();
    this.wake();
  }

  private wakeSoon(): void {
    if (this.cancelWake) return;
    const { clock, gatherMs = 40 } = this.options;
    const { wakingMs } = this;
    const wantedMs = Math.min(gatherMs, Math.max(gatherMs * SHORTEST, wakingMs / SHARE));
    const leftMs = this.wokenAtMs + Math.max(wantedMs, wakingMs / MOST) - clock.monotonicMs();
    if (leftMs <= 0) this.wake();
    else this.cancelWake = clock.schedule(leftMs, () => this.wake());
  }

  /** One after the other: whoever is near the end is served right here. */
  private wake(): void {
    this.cancelWake?.();
    this.cancelWake = undefined;
    const { clock } = this.options;
    this.wokenAtMs = clock.monotonicMs();
    for (const listener of this.listeners) listener();
    this.window?.pack();
    this.wakingMs = clock.monotonicMs() - this.wokenAtMs;
  }
}
