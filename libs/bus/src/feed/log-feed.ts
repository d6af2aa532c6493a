import { busStreams } from '@davit/contracts';
import type { FeedSubscription, LogFeed } from '@davit/event-log';
import type { RecordedEvent } from '@davit/contracts';
import type { BackoffOptions } from '@davit/ports';
import type { Bus } from '../connection.js';
import { JetStreamFeedSubscription, type FeedStats } from './feed-subscription.js';

export interface LogFeedOptions {
  /** Default LOG. */
  readonly stream?: string;
  /** Most events in one call of the reader. Default 500. */
  readonly maxBatch?: number;
  /** How often the broker shows that an idle consumer lives; two silences rebuild it. Default 2 000, at least 500. */
  readonly heartbeatMs?: number;
  /** How often it is checked that the stream has not moved on, or back, unnoticed. Default 3 000. */
  readonly watchdogMs?: number;
  /** Pause before the consumer is built again. Default 100 doubling to 3 000. */
  readonly retry?: BackoffOptions;
}

export type ResolvedFeedOptions = Required<LogFeedOptions>;

/** A feed that also tells how it fares. */
export interface JetStreamLogFeed extends LogFeed {
  subscribe(
    afterPosition: number,
    onEvents: (events: readonly RecordedEvent[]) => Promise<void>,
  ): FeedSubscription & { stats(): FeedStats };
  /** One entry for each subscription that has not been stopped. */
  stats(): readonly FeedStats[];
}

/**
 * The log as JetStream mirrors it. A subscription survives a lost connection, a stream that vanishes, is wiped, rolled
 * back or made anew, and a consumer that falls silent; each is logged, and it goes on after the last event delivered.
 * Where the mirror no longer reaches back far enough it starts at what there is; the reader repairs the hole from the log.
 */
export function jetStreamLogFeed(bus: Bus, options: LogFeedOptions = {}): JetStreamLogFeed {
  const resolved: ResolvedFeedOptions = {
    stream: options.stream ?? busStreams.log,
    maxBatch: options.maxBatch ?? 500,
    heartbeatMs: Math.max(500, options.heartbeatMs ?? 2_000),
    watchdogMs: options.watchdogMs ?? 3_000,
    retry: options.retry ?? { firstMs: 100, maxMs: 3_000 },
  };
  const active = new Set<JetStreamFeedSubscription>();
  return {
    subscribe(afterPosition, onEvents) {
      const subscription = new JetStreamFeedSubscription(bus, resolved, afterPosition, onEvents);
      active.add(subscription);
      void subscription.finished.then(() => active.delete(subscription));
      return subscription;
    },
    stats: () => [...active].map((subscription) => subscription.stats()),
  };
}
