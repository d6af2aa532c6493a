import { InvalidEventError, type RecordedEvent } from '@davit/contracts';
import type { EventLog, FeedSubscription, LogFeed } from '@davit/event-log';

/** The reading half of a log over an array that a test fills; index = position − 1. */
export class ArrayLog implements EventLog {
  readonly events: RecordedEvent[] = [];
  /** Position that cannot be parsed, as an event of a newer schema would be. */
  unreadable: number | undefined;
  /** Thrown by every call while set. */
  fault: Error | undefined;

  append(): Promise<never> {
    return Promise.reject(new Error('an ArrayLog is filled through `events`'));
  }

  async read(after: number, limit: number): Promise<readonly RecordedEvent[]> {
    await Promise.resolve();
    if (this.fault) throw this.fault;
    const page = this.events.slice(after, after + limit);
    if (page.some((event) => event.position === this.unreadable)) {
      throw new InvalidEventError('davit.future.event', this.unreadable, 'no such event type');
    }
    return page;
  }

  readStream(stream: string): Promise<readonly RecordedEvent[]> {
    return Promise.resolve(this.events.filter((event) => event.stream === stream));
  }

  async head(): Promise<number> {
    await Promise.resolve();
    if (this.fault) throw this.fault;
    return this.events.length;
  }
}

/** A feed that delivers what a test tells it to, in whatever order, to all subscribers. */
export class ScriptedFeed implements LogFeed {
  readonly subscribers = new Set<(events: readonly RecordedEvent[]) => Promise<void>>();
  subscriptions = 0;

  subscribe(_after: number, onEvents: (events: readonly RecordedEvent[]) => Promise<void>): FeedSubscription {
    this.subscriptions += 1;
    this.subscribers.add(onEvents);
    return {
      stop: () => {
        this.subscribers.delete(onEvents);
        return Promise.resolve();
      },
    };
  }

  async deliver(events: readonly RecordedEvent[]): Promise<void> {
    await Promise.all([...this.subscribers].map((onEvents) => onEvents(events)));
  }
}
