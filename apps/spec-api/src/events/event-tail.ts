import type { RecordedEvent } from '@davit/contracts';
import type { EventLog, FeedSubscription, LogFeed } from '@davit/event-log';
import { type Clock, sleep } from '@davit/ports';

export interface EventTailOptions {
  readonly log: EventLog;
  readonly feed: LogFeed;
  readonly clock: Clock;
  /** Events kept for readers near the end. Default 2 000. */
  readonly keep?: number;
  /** Longest silence of the feed after which the log itself is asked. Default 500. */
  readonly pollMs?: number;
}

const PAGE = 500;

/**
 * The end of the log for any number of readers at once: one feed and one window of recent events for all of them. A
 * reader behind the window reads the log itself; the feed only makes it faster, since silence is answered by asking the log.
 */
export class EventTail {
  private window: readonly RecordedEvent[] = [];
  private subscription: FeedSubscription | undefined;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly options: EventTailOptions) {}

  /** Begins to follow the log; done once, by the first reader. */
  private async follow(): Promise<void> {
    if (this.subscription) return;
    const head = await this.options.log.head();
    this.subscription ??= this.options.feed.subscribe(head, (events) => {
      this.keep(events);
      return Promise.resolve();
    });
  }

  async stop(): Promise<void> {
    await this.subscription?.stop();
    this.wake();
  }

  /**
   * Up to a page of the events after `position`, in order and without gaps. Waits for at most `waitMs` when there is none
   * yet, then answers with an empty page.
   */
  async read(position: number, waitMs: number, signal: AbortSignal): Promise<readonly RecordedEvent[]> {
    await this.follow();
    const { clock, log, pollMs = 500 } = this.options;
    const endMs = clock.monotonicMs() + waitMs;
    for (;;) {
      const known = this.fromWindow(position) ?? (await log.read(position, PAGE));
      const leftMs = endMs - clock.monotonicMs();
      if (known.length > 0 || leftMs <= 0 || signal.aborted) return known;
      await this.changed(Math.min(leftMs, pollMs), signal);
    }
  }

  /** Undefined when the window does not reach back that far, or has nothing newer. */
  private fromWindow(position: number): readonly RecordedEvent[] | undefined {
    const first = this.window[0]?.position;
    const last = this.window.at(-1)?.position;
    if (first === undefined || last === undefined || position < first - 1 || position >= last) return undefined;
    const start = position - first + 1;
    return this.window.slice(start, start + PAGE);
  }

  /** The feed may repeat or skip: repeats are dropped, and after a gap the window begins anew. */
  private keep(events: readonly RecordedEvent[]): void {
    let next = [...this.window];
    for (const event of events) {
      const last = next.at(-1)?.position;
      if (last !== undefined && event.position <= last) continue;
      if (last !== undefined && event.position !== last + 1) next = [];
      next.push(event);
    }
    this.window = next.slice(-(this.options.keep ?? 2_000));
    this.wake();
  }

  private async changed(limitMs: number, signal: AbortSignal): Promise<void> {
    const patience = new AbortController();
    const end = (): void => patience.abort();
    this.waiting.add(end);
    signal.addEventListener('abort', end, { once: true });
    await sleep(this.options.clock, limitMs, patience.signal);
    signal.removeEventListener('abort', end);
    this.waiting.delete(end);
  }

  private wake(): void {
    for (const end of [...this.waiting]) end();
  }
}
